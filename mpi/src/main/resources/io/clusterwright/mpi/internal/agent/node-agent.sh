# Stands by on a node for one job after another. A line of standard input says what to do, the job's token and more:
# "run" runs a program, whose words follow, and says how it ended; "prove" counts, too, what it left;
# "shell" does the same with text of so many lines that follows, as a part of the launch and not of the job;
# "alone" says that it stands here and waits for a line with "count", or with "look" if the job began after that;
# "count" counts at once.
# When the input ends while a job is here, nobody waits for it any more: what runs of it is ended.
exec 3<&0 < /dev/null

# Notes the newest process and the time.
mark() {
    read -r x x x x newest < /proc/loadavg
    read -r second x < /proc/uptime
    second=${second%.*}
}
# Whether no process that is newer than the mark runs. Says no, too, after more than two seconds: by then numbers of processes
# could have come round.
nothing_new() {
    before=$newest
    began=$second
    mark
    if [ "$newest" -lt "$before" ] || [ $((second - began)) -gt 2 ]; then return 1; fi
    for file in /proc/[0-9]*; do
        if [ "${file#/proc/}" -gt "$before" ]; then return 1; fi
    done
}

look() {
    if nothing_new; then tell '' ''; else sweep count; fi
}

while read -r what token words <&3; do
    case $what in
        run | prove)
            (
                read -r line <&3 && exit
                trap '' HUP INT TERM PIPE
                sweep end > /dev/null 2>&1
            ) &
            watch=$!
            mark
            set -f
            CLUSTERWRIGHT_JOB=$token $words 3<&- &
            set +f
            wait $!
            status=$?
            # Before anything is said, so that it does not take the next line away.
            kill $watch 2> /dev/null
            wait $watch 2> /dev/null
            echo "clusterwright-ended $status"
            if [ $what = run ]; then continue; fi
            look
            ;;
        shell)
            read_lines "$words"
            (umask 077; eval "$text") 3<&- 2>&1
            echo "clusterwright-ended $?"
            ;;
        alone)
            mark
            echo clusterwright-standing
            if ! read -r what <&3; then
                trap '' HUP INT TERM PIPE
                sweep end > /dev/null 2>&1
                exit
            fi
            if [ "$what" = look ]; then look; else sweep count; fi
            ;;
        count) sweep count ;;
    esac
done
