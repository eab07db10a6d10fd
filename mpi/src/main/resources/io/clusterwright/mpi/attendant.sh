# Stands by on a node for one job after another. A line of standard input says what to do, the job's token and the words of a program:
# "run" runs it and says how it ended; "prove" counts, too, what it left; "alone" waits for a line with "count"; "count" counts at once.
# When the input ends while a job is here, nobody waits for it any more: what runs of it is ended.
exec 3<&0 < /dev/null
while read -r what token words <&3; do
    case $what in
        run | prove)
            (
                read -r line <&3 && exit
                trap '' HUP INT TERM PIPE
                sweep end > /dev/null 2>&1
            ) &
            watch=$!
            set -f
            CLUSTERWRIGHT_JOB=$token $words 3<&- &
            set +f
            wait $!
            echo "clusterwright-ended $?"
            kill $watch 2> /dev/null
            wait $watch 2> /dev/null
            [ $what = run ] || sweep count
            ;;
        alone)
            if ! read -r what <&3; then
                trap '' HUP INT TERM PIPE
                sweep end > /dev/null 2>&1
                exit
            fi
            sweep count
            ;;
        count) sweep count ;;
    esac
done
