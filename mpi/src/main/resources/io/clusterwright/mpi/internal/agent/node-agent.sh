# Stands by on a node for one job after another. A line of standard input says what to do, the job's token and more:
# "run" runs a program, whose words follow, and says how it ended; "prove" counts, too, what it left;
# "shell" does the same with text of so many lines that follows, as a part of the launch and not of the job;
# "alone" says that it stands here and waits for a line with "count", or with "look" if the job began after that;
# "launch" runs the job's launcher, for which it reads so many lines of variables and words, with its output as it comes; a secret word, which
# the launcher does not know, says on both streams that it ended, and how; "look" looks for what it left;
# "count" counts at once; "ranks" says what each rank does that was built with MPICH.
# While "run", "prove" and "alone" last, the ends of ranks are passed on.
# When the input ends while a job is here, nobody waits for it any more: what runs of it is ended.
#
# Three processes live as long as the agent, so that a job starts none but its program: the guard reads the input and hands it on, the
# worker does what it says, and cat passes on what the worker and the ranks of its program say, in that order.
exec 3<&0 < /dev/null

# Notes the newest process and the time.
mark() {
    read -r x x x x newest < /proc/loadavg
    read -r second x < /proc/uptime
    second=${second%.*}
}
# Whether no process that is newer than the mark runs. Says no, too, after the time in which the numbers of processes could have come
# round: two seconds where there are 32768 of them.
nothing_new() {
    before=$newest
    began=$second
    mark
    if [ "$newest" -lt "$before" ] || [ $((second - began)) -gt $((numbers / 16384)) ]; then return 1; fi
    for file in /proc/[0-9]*; do
        if [ "${file#/proc/}" -gt "$before" ]; then return 1; fi
    done
}

# Makes the job's folder, in it what the shell before each rank reads and a pipe for what it says, and passes that on.
listen() {
    folder=/tmp/$token
    listener=
    (
        umask 077
        mkdir -p "$folder" 2> /dev/null
        [ -O "$folder" ] && [ ! -L "$folder" ] && mkfifo "$folder/ranks.$me" 2> /dev/null || exit
        [ -f "$folder/rank" ] || printf '%s' "$rank_script" > "$folder/rank"
    ) || return
    exec 4<> "$folder/ranks.$me"
    while read -r line <&4 && [ -n "$line" ]; do echo "$line"; done &
    listener=$!
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

# Hands on the input. Descriptor 6 says whether the program that was handed on has ended.
guard() {
    trap '' PIPE
    job=
    while IFS= read -r line <&3; do
        printf '%s\n' "$line"
        words=${line#* }
        case $line in
            'run '* | 'prove '* | 'launch '* | 'alone '*)
                if [ "$job" = program ]; then read -r x <&6; fi
                token=${words%% *}
                job=program
                case $line in alone*) job=beside ;; esac
                ;;
            look | count) job= ;;
        esac
        case $line in
            'shell '* | 'launch '*)
                words=${words#* }
                read_lines "${words%% *}"
                printf '%s' "$text"
                ;;
        esac
    done
    trap '' HUP INT TERM
    if [ "$job" = program ]; then
        echo gone >&6
        read -r job <&6
    fi
    case $job in
        beside) sweep end > /dev/null 2>&1 ;;
        gone)
            # The worker may be about to start the program.
            tries=30
            while [ $tries -gt 0 ] && [ "$(sweep end 2> /dev/null)" = 'clusterwright-sweep 0 0' ]; do
                tries=$((tries - 1))
                sleep 0.1
            done
            ;;
    esac
}
work() {
    read -r me x < /proc/self/stat
    read -r numbers < /proc/sys/kernel/pid_max
    exec 5<&0 < /dev/null
    while read -r what token words <&5; do
        case $what in
            run | prove)
                mark
                set -f
                CLUSTERWRIGHT_JOB=$token CLUSTERWRIGHT_RANK=$rank_script CLUSTERWRIGHT_RANKS=/proc/$me/fd/1 $words 5<&- 6>&- 7>&- &
                set +f
                wait $!
                status=$?
                echo ended >&6
                echo "clusterwright-ended $status"
                if [ $what = run ]; then continue; fi
                look
                ;;
            launch)
                read_lines "${words% *}" 3<&5
                mark
                (
                    eval "$text"
                    export CLUSTERWRIGHT_JOB="$token"
                    exec "$@"
                ) 5<&- 6>&- >&7 7>&- &
                wait $!
                status=$?
                echo ended >&6
                printf '\001%s %s\n' "${words#* }" $status >&7
                printf '\001%s %s\n' "${words#* }" $status >&2
                ;;
            shell)
                read_lines "$words" 3<&5
                (umask 077; eval "$text") 5<&- 6>&- 7>&- 2>&1
                echo "clusterwright-ended $?"
                ;;
            look) look ;;
            alone)
                listen
                mark
                echo clusterwright-standing
                what=gone
                read -r what <&5
                hush
                case $what in
                    look) look ;;
                    count) sweep count ;;
                esac
                ;;
            count) sweep count ;;
            ranks)
                ranks
                echo "clusterwright-ended 0"
                ;;
        esac
    done
}
exec 7>&1
: | {
    exec 6<> /proc/self/fd/0 < /dev/null
    guard 7>&- | work 3<&- | cat 3<&- 6>&- 7>&-
}
