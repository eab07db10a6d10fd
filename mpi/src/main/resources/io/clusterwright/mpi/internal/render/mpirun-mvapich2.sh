
@OPTIONS@
launcher=$(type -P mpirun_rsh) ||
    fail "mpirun_rsh of MVAPICH2 is not on the path of this node; install it on every node, or correct mpi.env"
if [[ -n $per_node ]]; then fail "with MVAPICH2, the numbers in $hostfile say how many ranks a node gets, not --ppn"; fi
arguments=(-np "$ranks" -hostfile "$hostfile")
# mpirun_rsh takes variables as NAME=VALUE right before the program.
for variable in PATH LD_LIBRARY_PATH @VARIABLES@; do
    if [[ -v $variable ]]; then arguments+=("$variable=${!variable}"); fi
done
exec "$launcher" @ARGUMENTS@ "${arguments[@]}" "$@"
