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
    while IFS='|' read -r node cpus state reason; do
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
if ! states=$(timeout 20 sinfo --noheader --Node --nodes="$nodes" --format='%N|%c|%T|%E'); then
    report "$(hostname)" "sinfo got no answer from the Slurm controller"
    exit 69
fi
refused=$(printf '%s\n' "$states" | sort -u | unusable 2>&1)
if [ -n "$refused" ]; then
    printf '%s\n' "$refused" >&2
    exit 69
fi

@REFUSAL@
@RELEASE@
# When srun sees the first rank end, it begins Slurm's own end of the others, which gives them KillWait (30 s) and on a node that hears of
# it first comes before the KILL: so srun is held meanwhile. Then it would wait as long for a node where no rank was.
stop() {
    trap '' TERM HUP INT
    kill -STOP "$job" 2> /dev/null
    if release 12 2> /dev/null; then kill "$watch" 2> /dev/null; fi
    kill -CONT "$job" 2> /dev/null
    kill -TERM "$job" 2> /dev/null
    for round in 1 2 3 4 5 6 7 8 9 10; do
        if [ -d "/proc/$job" ]; then sleep 0.5; fi
    done
    kill -KILL "$job" 2> /dev/null
    exit 143
}

# What runs in the background has no standard input unless it is given one.
exec 3<&0
srun "$@" <&3 3<&- &
job=$!
exec 3<&-
# Ends this script when whoever started it is gone, and gives the nodes back if the script was killed before it could. So this must be no
# process of the job, or what ends the job would end it: nothing of it carries the token, and it has a session for itself.
setsid env -u CLUSTERWRIGHT_JOB /bin/sh -c 'eval "$(cat)"' clusterwright-watch "$parent" $$ > /dev/null 2>&1 << 'WATCH' &
token=@TOKEN@
@RELEASE@
parent=$1
script=$2
while [ -d "/proc/$parent" ] && [ -d "/proc/$script" ]; do sleep 1; done
if [ -d "/proc/$script" ]; then kill -TERM "$script"; fi
for second in $(seq 60); do
    if [ -d "/proc/$script" ]; then sleep 1; fi
done
release 600
WATCH
watch=$!
trap stop TERM HUP INT
wait "$job"
status=$?
kill "$watch" 2> /dev/null
exit $status
