#!/bin/sh
# Runs srun for one job. Says at once which node cannot take it, where srun would wait without end, and ends the job when
# this is ended or whoever started this is gone.
token=@TOKEN@
nodes=@NODES@
parent=$PPID

report() {
    echo "clusterwright-launch $token $1 69 no $2" >&2
}

# Slurm takes the long names; an asterisk means that slurmd does not answer.
unusable() {
    while IFS='|' read -r node state reason; do
        case $state in
            *'*' | down* | drain* | fail* | error* | inval* | unknown* | future*)
                report "$node" "Slurm says $state ($reason)"
                ;;
        esac
    done
}

if ! command -v srun > /dev/null; then
    report "$(hostname)" "there is no srun on the launch node"
    exit 69
fi
if ! states=$(timeout 20 sinfo --noheader --Node --nodes="$nodes" --format='%N|%T|%E'); then
    report "$(hostname)" "sinfo got no answer from the Slurm controller"
    exit 69
fi
refused=$(printf '%s\n' "$states" | sort -u | unusable 2>&1)
if [ -n "$refused" ]; then
    printf '%s\n' "$refused" >&2
    exit 69
fi

# A signal to a job, even KILL, only begins Slurm's own end of it, which gives the ranks KillWait (30 s); to a step it goes as it is.
stop() {
    trap '' TERM HUP INT
    for step in $(timeout 10 squeue --noheader --steps --name="$token" --format=%i 2> /dev/null); do
        timeout 10 scancel --quiet --signal=KILL "$step" 2> /dev/null
    done
    timeout 10 scancel --quiet --name="$token" 2> /dev/null
    kill -TERM "$job" 2> /dev/null
    wait "$job"
    exit 143
}

@ALONE@
# What runs in the background has no standard input unless it is given one.
exec 3<&0
srun "$@" <&3 3<&- &
job=$!
exec 3<&-
trap stop TERM HUP INT
(
    # What sleeps here a little longer than the job must not look like a process of it.
    unset CLUSTERWRIGHT_JOB
    trap - TERM HUP INT
    while [ -d "/proc/$parent" ] && [ -d "/proc/$job" ]; do sleep 1; done
    if [ -d "/proc/$job" ]; then kill -TERM $$; fi
) > /dev/null 2>&1 &
watch=$!
wait "$job"
status=$?
kill "$watch" 2> /dev/null
exit $status
