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

@RELEASE@
# KILL for a step goes to each node at once. But srun, when it sees the first rank end, begins Slurm's own end of the others,
# which gives them KillWait (30 s) and on a node that hears of it first comes before the KILL: so srun is held meanwhile.
# The second round is for a rank that was just being started. Then srun would wait as long for a node where none was.
stop() {
    trap '' TERM HUP INT
    kill -STOP "$job" 2> /dev/null
    for pause in 0.5 0; do
        for step in $(timeout 10 squeue --noheader --steps --name="$token" --format=%i 2> /dev/null); do
            timeout 10 scancel --quiet --signal=KILL "$step" 2> /dev/null
        done
        sleep "$pause"
    done
    release 600 2> /dev/null
    kill -CONT "$job" 2> /dev/null
    kill -TERM "$job" 2> /dev/null
    for round in 1 2 3 4 5 6 7 8 9 10; do
        if [ -d "/proc/$job" ]; then sleep 0.5; fi
    done
    kill -KILL "$job" 2> /dev/null
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
