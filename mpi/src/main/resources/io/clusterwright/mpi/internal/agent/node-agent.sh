# Stands by on a node for one job after another. A line of standard input says what to do, the job's token and more:
# "run" runs a program, whose words follow, and says how it ended; "prove" counts, too, what it left;
# "shell" does the same with text of so many lines that follows, as a part of the launch and not of the job;
# "alone" says that it stands here and waits for a line with "count", or with "look" if the job began after that;
# "count" counts at once.
# While "run", "prove" and "alone" last, the ends of ranks are passed on.
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

# Makes the job's folder, in it what the shell before each rank reads and a pipe for what it says, and passes that on.
listen() {
    folder=/tmp/$token
    listener=
    umask 077
    mkdir -p "$folder" 2> /dev/null
    if [ -O "$folder" ] && [ ! -L "$folder" ] && mkfifo "$folder/ranks.$$" 2> /dev/null; then
        [ -f "$folder/rank" ] || printf '%s' "$rank_script" > "$folder/rank"
        exec 4<> "$folder/ranks.$$"
        while read -r number status <&4 && [ -n "$status" ]; do echo "clusterwright-rank $number $status"; done 3<&- &
        listener=$!
    fi
    umask "$mask"
}
# Passes on what has been said and ends that.
hush() {
    if [ -n "$listener" ]; then
        echo >&4
        wait $listener
        exec 4>&-
        listener=
    fi
}

look() {
    if nothing_new; then tell '' ''; else sweep count; fi
}

mask=$(umask)
while read -r what token words <&3; do
    case $what in
        run | prove)
            listen
            (
                read -r line <&3 && exit
                trap '' HUP INT TERM PIPE
                sweep end > /dev/null 2>&1
            ) &
            watch=$!
            mark
            set -f
            CLUSTERWRIGHT_JOB=$token $words 3<&- 4>&- &
            set +f
            wait $!
            status=$?
            # Before anything is said, so that it does not take the next line away.
            kill $watch 2> /dev/null
            wait $watch 2> /dev/null
            hush
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
            listen
            mark
            echo clusterwright-standing
            if ! read -r what <&3; then
                trap '' HUP INT TERM PIPE
                sweep end > /dev/null 2>&1
                hush > /dev/null 2>&1
                exit
            fi
            hush
            if [ "$what" = look ]; then look; else sweep count; fi
            ;;
        count) sweep count ;;
    esac
done
