# Stays with a job on one node. Its text is $what, $token and the program in the arguments, then this; standard input stays open
# behind it, and when it ends nobody waits for the job any more: what runs of it here is ended. "alone" waits for a line with
# "count" or "end"; "run" runs the program and ends with its status; "prove" counts, too, what the program left.
exec 3<&0 < /dev/null
if [ "$what" = alone ]; then
    read -r mode <&3 || mode=end
    trap '' HUP INT TERM PIPE
    sweep "$mode"
    exit
fi
(
    read -r mode <&3 && exit
    trap '' HUP INT TERM PIPE
    sweep end > /dev/null 2>&1
) &
guard=$!
CLUSTERWRIGHT_JOB=$token "$@" 3<&- &
wait $!
status=$?
kill $guard 2> /dev/null
if [ "$what" = prove ]; then sweep count; fi
exit $status
