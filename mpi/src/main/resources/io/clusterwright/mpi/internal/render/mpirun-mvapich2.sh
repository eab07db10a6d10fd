
@OPTIONS@
cw_launcher=$(type -P mpirun_rsh) ||
    fail "mpirun_rsh of MVAPICH2 is not on the path of this node; install it on every node, or correct mpi.env"
if [[ -n $cw_per_node ]]; then
    fail "with MVAPICH2, the numbers in $cw_hostfile say how many ranks a node gets, not --ppn"
fi
cw_arguments=(-np "$cw_ranks" -hostfile "$cw_hostfile")
# mpirun_rsh takes variables as NAME=VALUE right before the program.
for cw_variable in PATH LD_LIBRARY_PATH @VARIABLES@; do
    if [[ -v $cw_variable ]]; then cw_arguments+=("$cw_variable=${!cw_variable}"); fi
done
exec "$cw_launcher" @ARGUMENTS@ "${cw_arguments[@]}" "$@"
