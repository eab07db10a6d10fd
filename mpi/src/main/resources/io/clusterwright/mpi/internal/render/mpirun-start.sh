#!/bin/bash
# Runs an MPI program on the nodes of cluster @CLUSTER@ with the environment of @PRESET@.
# The hostfile and mpi.env beside this script say where and how. Start it on a node that reaches all nodes over SSH without a
# prompt; the program must be on every node.

usage() {
    cat <<'END'
usage: mpirun.sh [-n RANKS] [--ppn RANKS_PER_NODE]@USAGE@ PROGRAM [ARGUMENT...]

Without options, every node gets as many ranks as the hostfile gives it slots.
END
}
fail() {
    echo "mpirun.sh: $*" >&2
    exit 2
}
# Sets launcher to the first of some programs that says with --version what it must: the launcher of another MPI would start
# programs of one rank each, and call that a success.
find_launcher() {
    local name=$1 pattern=$2 candidate
    shift 2
    for candidate in "$@"; do
        cw_launcher=$(type -P "$candidate") || continue
        if [[ $("$cw_launcher" --version 2>&1 </dev/null) =~ $pattern ]]; then return; fi
    done
    fail "$name is not on the path of this node, looked for: $*; install it on every node, or correct mpi.env"
}
