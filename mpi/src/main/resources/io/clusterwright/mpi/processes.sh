# Finds the processes of a job by the token in their environment or command line, and ends them. The token is read from
# standard input, so that nothing that runs here carries it.
scan() {
    printf '%s\n' "$token" | grep -lsaF -f - /proc/[0-9]*/environ /proc/[0-9]*/cmdline | cut -d / -f 3 | sort -un \
        | while read -r pid; do
            stat=$(cat "/proc/$pid/stat" 2> /dev/null) || continue
            set -- ${stat##*) }
            case $1 in
                Z | X) ;;
                *) echo "$pid:${20}" ;;
            esac
        done
}
end() {
    for process in $2; do
        pid=${process%%:*}
        stat=$(cat "/proc/$pid/stat" 2> /dev/null) || continue
        set -- "$1" "$2" ${stat##*) }
        if [ "${22}" = "${process##*:}" ]; then kill "-$1" "$pid" 2> /dev/null || true; fi
    done
}
# Counts what runs, or ends it; says how much was found and how much is left.
sweep() {
    found=$(scan)
    left=$found
    if [ "$1" = count ]; then
        for pause in 0.02 0.05 0.1 0.15 0.2; do
            [ -n "$left" ] || break
            sleep $pause
            left=$(scan)
        done
        found=$left
    else
        end TERM "$found"
        for pause in 0.05 0.1 0.15 0.2 0.2 0.3; do
            left=$(scan)
            [ -n "$left" ] || break
            sleep $pause
        done
        tries=10
        while [ -n "$left" ] && [ $tries -gt 0 ]; do
            end KILL "$left"
            sleep 0.1
            left=$(scan)
            tries=$((tries - 1))
        done
    fi
    case $token in
        cwjob-????????????????) rm -rf "/tmp/$token" ;;
    esac
    set -f
    set -- $found
    count=$#
    set -- $left
    echo "clusterwright-sweep $count $#"
}
