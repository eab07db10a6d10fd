# Stand-in for mpivars.sh of Intel MPI 5.0.3.048, to be sourced.
export I_MPI_ROOT=@ROOT@
export PATH=$I_MPI_ROOT/intel64/bin:$PATH
export LD_LIBRARY_PATH=$I_MPI_ROOT/intel64/lib/release${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}
