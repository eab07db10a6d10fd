#!/bin/bash
# "Set up a Linux RDMA cluster to run MPI applications" (Azure, 14 March 2017), by command.
# shellcheck disable=SC2034 # linux.sh uses them
here=$(dirname "$(readlink -f "$0")")
edition=2017
spec=$here/../specs/linux-article-2017.yaml
pingpong_fabrics=shm:dapl
folder=
# shellcheck source=linux.sh
. "$here/linux.sh"
