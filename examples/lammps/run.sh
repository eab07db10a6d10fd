#!/usr/bin/env bash
# Makes two local nodes with LAMMPS, melts a crystal on four ranks, fetches log and atoms, and deletes the nodes.
#   run.sh [FOLDER]     FOLDER gets log.lammps and dump.melt; default: lammps-results
# It downloads LAMMPS of Debian 12: needs the network, and root or a range of ids (docs/local-nodes.md).
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd -P)
results=${1:-lammps-results}
cw() { "${CLUSTERWRIGHT:-$here/../clusterwright}" "$@"; }

trap 'cw destroy lammps' EXIT
cw create "$here/lammps.yaml" --on local
cw mpi lammps -n 4 --stage-in "$here/in.melt" \
    --stage-out "log.lammps:$results" --stage-out "dump.melt:$results" -- lmp -in in.melt
echo "the results are in $results:" "$(ls "$results")"
