# Read by the shell that stands before a rank, with the rank's program as its arguments: runs the program, and says how it ended into the
# pipe of the agent that listens on this node: its own where the agent started the launcher's helper, else one in the job's folder.
# Where the job asks for it, it says first where the kernel lets the program run: its processors, and those of each NUMA domain.
# A signal that ended the program ends this shell as well, so that launchers see the same. But for that, the program is all that is started here.
clusterwright_pipe=${CLUSTERWRIGHT_RANKS-}
unset CLUSTERWRIGHT_RANK CLUSTERWRIGHT_RANKS
clusterwright_rank=${OMPI_COMM_WORLD_RANK:-${PMI_RANK:-${PMIX_RANK:-${SLURM_PROCID-}}}}
case $clusterwright_rank in
    '' | *[!0-9]*) exec "$@" ;;
esac
clusterwright_file=$1
case $1 in
    */*) ;;
    *)
        clusterwright_file=
        clusterwright_path=$PATH:
        while [ -n "$clusterwright_path" ] && [ -z "$clusterwright_file" ]; do
            clusterwright_file=${clusterwright_path%%:*}
            clusterwright_file=${clusterwright_file:-.}/$1
            clusterwright_path=${clusterwright_path#*:}
            if [ ! -f "$clusterwright_file" ] || [ ! -x "$clusterwright_file" ]; then clusterwright_file=; fi
        done
        ;;
esac
case $clusterwright_file in
    */*)
        if [ ! -f "$clusterwright_file" ] || [ ! -x "$clusterwright_file" ]; then
            echo "clusterwright: $1 is no program on $(uname -n) for $(id -un)" >&2
        fi
        ;;
    '') echo "clusterwright: $1 is no program on $(uname -n) for $(id -un)" >&2 ;;
esac
# MPICH writes why it aborts and then tells Hydra, which ends at once and loses what was written. A signal leaves it the time to pass that on.
# Not where core files are written: each abort would write one.
clusterwright_core=
if [ -n "${PMI_FD-}" ]; then
    while read -r clusterwright_line && [ "${clusterwright_line#Max core file size}" = "$clusterwright_line" ]; do :; done < /proc/self/limits
    clusterwright_core=${clusterwright_line#Max core file size}
    clusterwright_core=${clusterwright_core#"${clusterwright_core%%[! ]*}"}
    clusterwright_core=${clusterwright_core%% *}
fi
case ${PMI_FD-}:${MPI_LOCALRANKID-}:$clusterwright_core:${MPIR_CVAR_COREDUMP_ON_ABORT-}${MPICH_COREDUMP_ON_ABORT-}${MPIR_CVAR_SUPPRESS_ABORT_MESSAGE-} in
    [0-9]*:[0-9]*:0:) export MPIR_CVAR_COREDUMP_ON_ABORT=1 ;;
esac
clusterwright_tell() {
    for clusterwright_to in "$clusterwright_pipe" "${0%/*}"/ranks.*; do
        if [ -p "$clusterwright_to" ]; then echo "$1" 1<> "$clusterwright_to"; fi
    done
}
if [ "${clusterwright_place-}" ]; then
    while read -r clusterwright_line clusterwright_cpus && [ "$clusterwright_line" != Cpus_allowed_list: ]; do :; done < /proc/self/status
    for clusterwright_line in $(grep -H . /sys/devices/system/node/node[0-9]*/cpulist 2> /dev/null); do
        clusterwright_file=${clusterwright_line%/cpulist:*}
        clusterwright_cpus="$clusterwright_cpus ${clusterwright_file##*/node}=${clusterwright_line##*:}"
    done
    clusterwright_tell "clusterwright-place $clusterwright_rank $clusterwright_cpus"
fi
# Launchers signal whole process groups: the program gets what this shell only survives.
trap : HUP INT QUIT TERM USR1 USR2
(exec "$@")
clusterwright_status=$?
clusterwright_tell "clusterwright-rank $clusterwright_rank $clusterwright_status"
# srun ends the job as soon as a rank failed, and may lose what the rank has just written. A pause leaves Slurm the time to pass that on.
if [ "${SLURM_PROCID-}" ] && [ $clusterwright_status != 0 ]; then sleep 0.3; fi
if [ $clusterwright_status -gt 128 ] && [ $clusterwright_status -le 192 ]; then
    trap - HUP INT QUIT TERM USR1 USR2
    ulimit -c 0
    kill -$((clusterwright_status - 128)) $$ 2> /dev/null
fi
exit $clusterwright_status
