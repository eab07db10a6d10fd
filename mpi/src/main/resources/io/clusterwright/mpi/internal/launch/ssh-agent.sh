#!/bin/sh
# Called by an MPI launcher in the place of ssh. Says on standard error when a node was not reached.
host=
skip=
first=
place=0
for argument in "$@"; do
    if [ -n "$host" ]; then
        first=$argument
        break
    fi
    place=$((place + 1))
    if [ -n "$skip" ]; then
        skip=
        continue
    fi
    case $argument in
        -[BbcDEeFIiJLlmOopQRSWw]) skip=yes ;;
        -*) ;;
        *) host=$argument ;;
    esac
done
# Where Open MPI does not know the login shell it writes "( ... )" around the daemon's command, which fish does not read.
if [ "$first" = "(" ]; then
    words=$(($# - place))
    while [ $place -gt 0 ]; do
        place=$((place - 1))
        set -- "$@" "$1"
        shift
    done
    command=
    while [ $words -gt 0 ]; do
        words=$((words - 1))
        command="$command $1"
        shift
    done
    case $command in
        *\'* | *\\*) ;;
        *) command="/bin/sh -c '$command'" ;;
    esac
    set -- "$@" "$command"
fi
# ssh makes the socket of a forwarding once it has logged in, and leaves it there. A local command would cost a process.
login=@FOLDER@/login.$$
ssh -o BatchMode=yes -o ConnectTimeout=5 -o ServerAliveInterval=5 -o ServerAliveCountMax=3 \
    -o ClearAllForwardings=no -o LocalForward="$login /nowhere" "$@"
status=$?
case $status in
    126 | 127 | 255)
        if [ -e "$login" ]; then connected=yes; else connected=no; fi
        echo "clusterwright-launch @TOKEN@ ${host##*@} $status $connected" >&2
        ;;
    0) ;;
    *)
        # The daemons of Open MPI leave their ssh when they have begun.
        case " $* " in
            *[\ /][op]rted[\ \"]*) echo "clusterwright-launch @TOKEN@ ${host##*@} $status no" >&2 ;;
        esac
        ;;
esac
exit $status
