# Prints what the node's own ways to set up an MPI do: "++ number", the real path of the launcher that is found first then, and all
# variables before and after in Base64. Then, for each MPI launcher found: "== path", its real path, how it introduces itself, and
# "-- path" for each library that may be its own: those with an ABI number in the libraries' folders of its prefix.
setup='
number=$1 call=$2 module=$3 script=$4
shift 4
if [ -n "$module" ]; then
    for init in /etc/profile.d/modules.sh /usr/share/modules/init/bash /usr/share/Modules/init/bash /usr/share/lmod/lmod/init/bash; do
        if ! command -v module && [ -r "$init" ]; then . "$init"; fi
    done > /dev/null 2>&1
fi
before=$(env -0 | base64 -w 0)
if [ -n "$module" ]; then module load "$module"; else . "$script" "$@"; fi > /dev/null 2>&1
if [ -n "$call" ]; then "$call" > /dev/null 2>&1; fi
for launcher in mpirun mpiexec mpirun_rsh; do
    if path=$(command -v "$launcher"); then
        echo "++ $number $(readlink -f "$path") $before $(env -0 | base64 -w 0)"
        break
    fi
done
'
set_up() {
    timeout 30 bash --noprofile --norc -c "$setup" bash "$@" < /dev/null 2> /dev/null || true
}
modules=
for file in /etc/profile.d/modules.sh /usr/share/modules/init/bash /usr/share/Modules/init/bash /usr/share/lmod/lmod/init/bash; do
    if [ -r "$file" ]; then modules=yes; fi
done
if command -v bash > /dev/null; then
    :
@SETUPS@
fi
@LIST@
list | while read -r path; do
    echo "== $path"
    real=$(readlink -f "$path" || echo "$path")
    echo "$real"
    case $path in
        */mpirun_rsh) option=-v ;;
        *) option=--version ;;
    esac
    timeout 10 "$path" "$option" < /dev/null 2>&1 | head -n 12 || true
    if [ -x "${path%/*}/mpiname" ]; then timeout 10 "${path%/*}/mpiname" < /dev/null 2>&1 | head -n 1 || true; fi
    prefix=${real%/*/*}
    for library in "$prefix"/lib/release/libmpi.so.* "$prefix"/lib64/libmpi*.so.* "$prefix"/lib/libmpi*.so.* \
        "$prefix"/lib/*/libmpi.so.* "$prefix"/lib/*/libmpich.so.* "$prefix"/intel64/lib/release/libmpi.so.*; do
        case $library in
            */libmpi.so.*.* | */libmpich.so.*.*) ;;
            */libmpi.so.* | */libmpich.so.*) if [ -e "$library" ]; then echo "-- $library"; fi ;;
        esac
    done
done
