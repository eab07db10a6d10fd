# Gives back the nodes that Slurm holds for the job $token, and makes sure of it: a controller that is busy may miss the word, and without
# its srun the job would hold them for ever. $1 is the time for that, in seconds.
release() {
    if ! command -v scancel > /dev/null; then return 0; fi
    last=$(($(date +%s) + $1))
    while :; do
        timeout 5 scancel --quiet --name="$token" 2> /dev/null
        if held=$(timeout 5 squeue --noheader --name="$token" --states=PENDING,CONFIGURING,RUNNING,SUSPENDED --format=%i 2>&1); then
            if [ -z "$held" ]; then return 0; fi
            held="job $held still runs"
        fi
        if [ "$(date +%s)" -ge "$last" ]; then break; fi
        sleep 0.5
    done
    echo "${held:-squeue got no answer from the Slurm controller}" >&2
    return 1
}
