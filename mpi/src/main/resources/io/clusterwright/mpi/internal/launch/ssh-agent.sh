#!/bin/sh
# Called by an MPI launcher in the place of ssh. Says on standard error when a node was not reached.
host=
skip=
for argument in "$@"; do
    if [ -n "$skip" ]; then
        skip=
        continue
    fi
    case $argument in
        -[BbcDEeFIiJLlmOopQRSWw]) skip=yes ;;
        -*) ;;
        *)
            host=$argument
            break
            ;;
    esac
done
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
esac
exit $status
