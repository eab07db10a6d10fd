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
# What ssh runs here once it has logged in takes the user's shell, which may be slow to start.
login=@FOLDER@/login.$$
SHELL=/bin/sh ssh -o BatchMode=yes -o ConnectTimeout=5 -o ServerAliveInterval=5 -o ServerAliveCountMax=3 \
    -o PermitLocalCommand=yes -o LocalCommand=": > $login" "$@"
status=$?
case $status in
    126 | 127 | 255)
        if [ -e "$login" ]; then connected=yes; else connected=no; fi
        echo "clusterwright-launch @TOKEN@ ${host##*@} $status $connected" >&2
        ;;
esac
exit $status
