# Finds the processes of a job by the token in their environment or command line, and ends them. The token is read from
# standard input, so that nothing that runs here carries it. One program is started for a look that finds nothing.
scan() {
    seen=
    known=
    for file in $(
        grep -lsaF -f - /proc/[0-9]*/environ /proc/[0-9]*/cmdline << END
$token
END
    ); do
        pid=${file#/proc/}
        pid=${pid%/*}
        case " $known " in
            *" $pid "*) continue ;;
        esac
        known="$known $pid"
        read -r stat 2> /dev/null < "/proc/$pid/stat" || continue
        set -- ${stat##*) }
        case $1 in
            Z | X) ;;
            *) seen="$seen $pid:${20}" ;;
        esac
    done
}
end() {
    for process in $2; do
        pid=${process%%:*}
        read -r stat 2> /dev/null < "/proc/$pid/stat" || continue
        set -- "$1" "$2" ${stat##*) }
        if [ "${22}" = "${process##*:}" ]; then kill "-$1" "$pid" 2> /dev/null || true; fi
    done
}
# Counts what runs, or ends it; says how much was found and how much is left.
sweep() {
    scan
    found=$seen
    if [ "$1" = count ]; then
        for pause in 0.02 0.05 0.1 0.15 0.2; do
            [ -n "$seen" ] || break
            sleep $pause
            scan
        done
        found=$seen
    else
        end TERM "$found"
        for pause in 0.05 0.1 0.15 0.2 0.2 0.3; do
            scan
            [ -n "$seen" ] || break
            sleep $pause
        done
        tries=10
        while [ -n "$seen" ] && [ $tries -gt 0 ]; do
            end KILL "$seen"
            sleep 0.1
            scan
            tries=$((tries - 1))
        done
    fi
    tell "$found" "$seen"
}
# Says how much was found and how much is left, and removes the job's folder.
tell() {
    case $token in
        cwjob-????????????????) [ ! -e "/tmp/$token" ] || rm -rf "/tmp/$token" ;;
    esac
    found=$1
    set -- $2
    left=$#
    set -- $found
    echo "clusterwright-sweep $# $left"
}
# Reads so many lines of descriptor 3 into $text.
read_lines() {
    text=
    left=$1
    while [ "$left" -gt 0 ]; do
        IFS= read -r line <&3 || exit
        text="$text$line
"
        left=$((left - 1))
    done
}
