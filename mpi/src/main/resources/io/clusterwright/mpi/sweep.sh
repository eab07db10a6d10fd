# Finds the processes of a job by the token in their environment or command line. The token is the first line of
# standard input, so that nothing that runs here carries it; the second line is "count" or "end".
read -r token
read -r mode
scan() {
    for file in environ cmdline; do
        printf '%s\n' "$token" | grep -lsaF -f - /proc/[0-9]*/$file || true
    done | cut -d / -f 3 | sort -un | while read -r pid; do
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
found=$(scan)
if [ "$mode" = count ]; then
    tries=5
    while [ -n "$found" ] && [ $tries -gt 0 ]; do
        sleep 0.1
        found=$(scan)
        tries=$((tries - 1))
    done
    left=$found
else
    end TERM "$found"
    tries=10
    left=$(scan)
    while [ -n "$left" ] && [ $tries -gt 0 ]; do
        sleep 0.1
        left=$(scan)
        tries=$((tries - 1))
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
