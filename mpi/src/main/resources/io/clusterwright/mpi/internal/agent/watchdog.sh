# Runs a program of a job and ends with its status. Standard input brings the job's token and, in so many lines, the variables and
# the words of the program; it stays open behind that, and when it ends nobody waits for the job any more: what runs of it here is ended.
exec 3<&0 < /dev/null
read -r token lines <&3 || exit
read_lines "$lines"
(
    read -r line <&3 && exit
    trap '' HUP INT TERM PIPE
    sweep end > /dev/null 2>&1
) &
guard=$!
(
    eval "$text"
    export CLUSTERWRIGHT_JOB="$token"
    exec "$@"
) 3<&- &
wait $!
status=$?
kill $guard 2> /dev/null
exit $status
