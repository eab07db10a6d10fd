
@OPTIONS@
find_launcher 'Intel MPI' '*Intel*MPI*' mpiexec.hydra mpirun
arguments=(-f "$hostfile" -n "$ranks")
if [[ -n $per_node ]]; then arguments+=(-ppn "$per_node"); fi
exec "$launcher" "${arguments[@]}" "$@"
