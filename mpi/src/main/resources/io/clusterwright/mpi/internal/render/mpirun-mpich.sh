# Hydra waits for ever when a node cannot be reached, so this script stands in the place of its ssh and ends it then.
in_place_of_ssh() {
    local mark status=0 host='' word
    mark=$(mktemp) || exit 1
    for word in "$@"; do
        if [[ $word != -* ]]; then
            host=$word
            break
        fi
    done
    ssh -o BatchMode=yes -o ConnectTimeout=10 -o ServerAliveInterval=5 -o ServerAliveCountMax=3 \
        -o PermitLocalCommand=yes -o LocalCommand="rm -f $(printf %q "$mark")" "$@" || status=$?
    if [[ $status == 126 || $status == 127 || ($status == 255 && -e $mark) ]]; then
        echo "mpirun.sh: no ranks on $host: ssh ended with status $status; ending the job" >&2
        kill -TERM "$MPIRUN_SH_LAUNCHER"
    fi
    rm -f "$mark"
    exit "$status"
}
if [[ -n ${MPIRUN_SH_LAUNCHER:-} && " $* " == *pmi_proxy* ]]; then in_place_of_ssh "$@"; fi

@OPTIONS@
find_launcher MPICH HYDRA mpiexec.mpich mpirun.mpich mpiexec.hydra mpiexec mpirun
cw_arguments=(-f "$cw_hostfile" -n "$cw_ranks")
if [[ -n $cw_per_node ]]; then
    cw_arguments+=(-ppn "$cw_per_node" @PER_NODE@)
@OTHERWISE@
fi
if [[ -z ${HYDRA_LAUNCHER_EXEC:-} ]]; then
    export HYDRA_LAUNCHER=ssh HYDRA_LAUNCHER_EXEC=$cw_here/mpirun.sh MPIRUN_SH_LAUNCHER=$$
fi
exec "$cw_launcher" @ARGUMENTS@ "${cw_arguments[@]}" "$@"
