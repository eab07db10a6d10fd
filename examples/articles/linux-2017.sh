#!/bin/bash
# "Set up a Linux RDMA cluster to run MPI applications" (Azure, 14 March 2017), by command.
# shellcheck disable=SC2034 # linux.sh uses them
here=$(dirname "$(readlink -f "$0")")
edition=2017
install='{packages: /opt/intelMPI/intel_mpi_packages/*.rpm}'
pingpong_fabrics=shm:dapl
folder=
# shellcheck source=linux.sh
. "$here/linux.sh"
