#!/bin/bash
# "Set up a Linux RDMA cluster to run MPI applications" (Azure, January 2016), by command.
# shellcheck disable=SC2034 # linux.sh uses them
here=$(dirname "$(readlink -f "$0")")
edition=2016
spec=$here/../specs/linux-article.yaml
pingpong_fabrics=dapl
folder=/opt/intel/impi_latest/bin64/
# shellcheck source=linux.sh
. "$here/linux.sh"
