# Prints, for each MPI launcher found: "== path", its real path, and how it introduces itself.
list() {
    for name in mpirun.mpich mpiexec.hydra mpirun.openmpi mpirun mpirun_rsh; do
        command -v "$name" || true
    done
    for path in \
        /opt/intel/oneapi/mpi/latest/bin/mpirun /opt/intel/impi_latest/bin64/mpirun /opt/intel/impi/*/bin64/mpirun \
        /opt/hpcx*/ompi/bin/mpirun /opt/openmpi*/bin/mpirun /usr/lib64/openmpi/bin/mpirun \
        /opt/mvapich2*/bin/mpirun_rsh /usr/lib64/mpich/bin/mpirun /opt/mpich*/bin/mpirun; do
        if [ -x "$path" ]; then echo "$path"; fi
    done
}
list | while read -r path; do
    echo "== $path"
    readlink -f "$path" || echo "$path"
    case $path in
        */mpirun_rsh) option=-v ;;
        *) option=--version ;;
    esac
    timeout 10 "$path" "$option" < /dev/null 2>&1 | head -n 12 || true
done
