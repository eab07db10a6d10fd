# Ends every process of some sessions. Arguments: ticks until SIGKILL, ticks until giving up, then for each session the
# process id of its leader and the leader's start time. A tick is 50 ms. Exit 1, with what is left on standard error.
kill_at=$1 give_up_at=$2
shift 2

# A leader with another start time is a stranger that got the number later: its session ended long ago.
sessions=' '
while [ $# -ge 2 ]; do
    stat=
    { read -r stat <"/proc/$1/stat"; } 2>/dev/null
    start=$(set -f; set -- ${stat##*) }; echo "${20-}")
    if [ -z "$stat" ] || [ "$start" = "$2" ]; then
        sessions="$sessions$1 "
    fi
    shift 2
done

# After the name in brackets: $1 is the state, $4 the session.
belongs() {
    [ "$1" != Z ] && [ "$1" != X ] && case $sessions in *" $4 "*) true ;; *) false ;; esac
}

find_members() {
    members=
    for process in /proc/[0-9]*; do
        stat=
        { read -r stat <"$process/stat"; } 2>/dev/null
        if [ -n "$stat" ] && belongs ${stat##*) }; then
            members="$members ${process#/proc/}"
        fi
    done
}

signal() {
    kill -s "$1" $members 2>/dev/null || sudo -n kill -s "$1" $members 2>/dev/null
}

find_members
[ -z "$members" ] && exit 0
if [ "$kill_at" -gt 0 ]; then
    signal TERM
    signal CONT
fi
tick=0
while :; do
    if [ "$tick" -ge "$kill_at" ]; then
        signal KILL
    fi
    find_members
    [ -z "$members" ] && exit 0
    if [ "$tick" -ge "$give_up_at" ]; then
        for member in $members; do
            echo "$member $(tr '\000' ' ' <"/proc/$member/cmdline" 2>/dev/null)" >&2
        done
        exit 1
    fi
    sleep 0.05 2>/dev/null || sleep 1
    tick=$((tick + 1))
done
