
@OPTIONS@
find_launcher 'Intel MPI' 'Intel.*MPI' mpiexec.hydra mpirun
if [[ -n $per_node ]]; then
    arguments=(-ppn "$per_node" -n "$ranks" -hosts "$(cut -d : -f 1 "$hostfile" | paste -s -d , -)")
else
    arguments=(-machinefile "$hostfile" -n "$ranks")
fi
exec "$launcher" @ARGUMENTS@ "${arguments[@]}" "$@"
