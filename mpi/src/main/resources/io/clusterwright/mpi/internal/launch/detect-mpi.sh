# Prints, for each MPI launcher found: "== path", its real path, how it introduces itself, and "-- path" for each library that may be
# its own: those with an ABI number in the libraries' folders of its prefix.
list() {
    for name in mpirun.mpich mpiexec.hydra mpirun.openmpi mpirun mpirun_rsh; do
        command -v "$name" || true
    done
    for path in \
        /opt/intel/oneapi/mpi/latest/bin/mpirun /opt/intel/impi_latest/bin64/mpirun /opt/intel/impi/*/bin64/mpirun \
        /opt/hpcx*/ompi/bin/mpirun /opt/openmpi*/bin/mpirun /usr/lib64/openmpi/bin/mpirun \
        /opt/mvapich2*/bin/mpirun_rsh /opt/mvapich2*/bin/mpiexec.hydra /usr/lib64/mpich/bin/mpirun /opt/mpich*/bin/mpirun; do
        if [ -x "$path" ]; then echo "$path"; fi
    done
}
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
