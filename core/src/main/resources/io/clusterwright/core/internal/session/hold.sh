# Runs the Python script of the holder: the arguments are the length of this text, the length of the Python script,
# and the arguments of the Python script. Both come on standard input.
# A node without Python holds no process: this takes the lines of its input apart, and the process ends with its connection.
shift
for python in /usr/bin/python3 python3 /usr/libexec/platform-python; do
    if command -v "$python" > /dev/null 2>&1; then
        exec "$python" -I -S -c 'import os, sys
text = b""
while len(text) < int(sys.argv[1]):
    text += os.read(0, int(sys.argv[1]) - len(text)) or sys.exit(1)
exec(text)' "$@"
    fi
done
head -c "$1" > /dev/null
[ "$2" = start ] || exit 97
printf '\nclusterwright-held %s -1\n' "$3"
printf '\nclusterwright-held %s -1\n' "$3" >&2
while read -r verb number; do
    case $verb in
        d) head -c "$number" ;;
        q) break ;;
    esac
done | /bin/sh -c 'eval "$(head -c "$1")"' "$5" "$4"
