# Stands by on a node for one job after another. A line of standard input says what to do, the job's token and more:
# "run" runs a program, whose words follow, and says how it ended; "prove" counts, too, what it left;
# "shell" does the same with text of so many lines that follows, as a part of the launch and not of the job;
# "alone" says that it stands here and waits for a line with "count", or with "look" if the job began after that;
# "count" counts at once; "ranks" says what each rank does that was built with MPICH.
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

# The bytes that wait to be read on TCP connections of process $1.
unread() {
    sockets=$(ls -l "/proc/$1/fd" 2> /dev/null | sed -n 's/.*socket:\[\([0-9]*\)\].*/\1/p')
    bytes=0
    while read -r x x x state queues x x x x socket x; do
        [ "$state" = 01 ] || continue
        case "
$sockets
" in
            *"
$socket
"*) bytes=$((bytes + 0x${queues#*:})) ;;
        esac
    done < "/proc/$1/net/tcp"
    echo $bytes
}
# For each rank: its process and start, what it does, its unread bytes, its time in the program and in the kernel, and what it has read,
# written and mapped. It "waits" when it sleeps in a read of its PMI socket, which MPICH does in barriers of MPI_Init and MPI_Finalize.
ranks() {
    scan
    for pid in $known; do
        grep -qs '/libmpi[^/]*\.so' "/proc/$pid/maps" || continue
        does=other
        if read -r call first x 2> /dev/null < "/proc/$pid/syscall"; then
            pmi=$(tr '\0' '\n' 2> /dev/null < "/proc/$pid/environ" | sed -n 's/^PMI_FD=\([0-9][0-9]*\)$/\1/p')
            case $call in
                running) does=runs ;;
                0 | 63) if [ -n "$pmi" ] && [ $((first)) -eq "$pmi" ]; then does=waits; fi ;;
            esac
        fi
        moved=$(sed -n 's/^[rw]char: //p' "/proc/$pid/io" 2> /dev/null | tr '\n' ',')
        bytes=$(unread "$pid")
        read -r stat 2> /dev/null < "/proc/$pid/stat" || continue
        set -- ${stat##*) }
        echo "clusterwright-does $pid:${20} $does ${bytes:-0} ${12} ${13} ${moved:-?}$8,${10}"
    done
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
        ranks)
            ranks
            echo "clusterwright-ended 0"
            ;;
    esac
done
