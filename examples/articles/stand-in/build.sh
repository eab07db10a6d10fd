#!/bin/bash
# Builds the archive of the stand-in for Intel MPI 5.0.3.048 into FOLDER, by default beside this script: always the same bytes.
set -euo pipefail
here=$(dirname "$(readlink -f "$0")")
name=l_mpi_p_5.0.3.048
tar --create --format=ustar --sort=name --mtime=@0 --owner=0 --group=0 --numeric-owner --mode=u=rwX,go=rX \
    --file="${1:-$here}/$name.tar" --directory="$here" "$name"
sha256sum "${1:-$here}/$name.tar"
