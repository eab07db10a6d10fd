# Ends the ranks of the job $token that Slurm started and gives back the nodes that it holds, and makes sure of it: a controller that is
# busy may miss the word, and without its srun the job would hold them for ever. $1 is the time for that, in seconds. Nothing that is
# started here carries the token, since a sweep of the job would end it.
release() {
    if ! command -v scancel > /dev/null; then return 0; fi
    last=$(($(date +%s) + $1))
    pause=0
    while :; do
        if held=$(timeout 5 squeue --noheader --user="$(id -u)" --states=PENDING,CONFIGURING,RUNNING,SUSPENDED --format='%i %j' 2>&1); then
            ids=$(printf '%s\n' "$held" | ids)
            if [ -z "$ids" ]; then return 0; fi
            end_ranks $ids
            timeout 5 scancel --quiet $ids 2> /dev/null
            held="job$ids still runs"
        fi
        if [ "$(date +%s)" -ge "$last" ]; then break; fi
        sleep $pause
        pause=0.5
    done
    echo "${held:-squeue got no answer from the Slurm controller}" >&2
    return 1
}
ids() {
    while read -r id name; do
        if [ "$name" = "$token" ]; then printf ' %s' "$id"; fi
    done
}
# KILL for a step goes to each node at once; for a job it would come KillWait (30 s) after TERM. The second is for a rank that was just
# being started.
end_ranks() {
    for wait in 0.5 0; do
        for id; do timeout 5 scancel --quiet --signal=KILL "$id.0" 2> /dev/null; done
        sleep $wait
    done
}
