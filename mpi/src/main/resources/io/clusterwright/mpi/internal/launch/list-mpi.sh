# Lists the MPI launchers of a node; starts no process.
list() {
    for name in mpirun.mpich mpiexec.hydra mpirun.openmpi mpirun mpirun_rsh; do
        command -v "$name" || true
    done
    for path in \
        /opt/hpcx*/ompi/bin/mpirun /opt/intel/oneapi/mpi/latest/bin/mpirun /opt/intel/oneapi/mpi/2*/bin/mpirun \
        /opt/intel/impi_latest/bin64/mpirun /opt/intel/impi/*/bin64/mpirun \
        /opt/intel/compilers_and_libraries_*/linux/mpi/intel64/bin/mpirun /opt/openmpi*/bin/mpirun /usr/lib64/openmpi/bin/mpirun \
        /opt/mvapich2*/bin/mpirun_rsh /opt/mvapich2*/bin/mpiexec.hydra /opt/mvapich-*/bin/mpiexec.hydra /opt/mvapich-*/bin/mpiexec \
        /usr/lib64/mpich/bin/mpirun /opt/mpich*/bin/mpirun; do
        if [ -x "$path" ]; then echo "$path"; fi
    done
}
