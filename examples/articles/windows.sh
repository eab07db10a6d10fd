# The common part of the scripts for the editions of "Set up a Windows RDMA cluster with HPC Pack to run MPI applications".
# Sourced; CLUSTERWRIGHT may name another program than examples/clusterwright.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
clusterwright=${CLUSTERWRIGHT:-$here/../clusterwright}
folder=${1:-$(mktemp -d)}

# scenario NAME SPEC: validates the spec, shows the steps of the article and writes its files.
scenario() {
    echo "== $1"
    "$clusterwright" validate "$2" --severity warning
    "$clusterwright" plan "$2"
    "$clusterwright" render "$2" --to "$folder/$1"
}

# edition SPEC SED-EXPRESSION: the spec of an edition, which differs from that of the examples in what the expression changes.
edition() {
    mkdir -p "$folder"
    sed -e "$2" "$here/../specs/$1" > "$folder/$1"
    echo "$folder/$1"
}

# commands: the commands that the article prints, as they stand in the files.
commands() {
    echo "== commands"
    grep -h '^job submit' "$folder"/*/job-latency.cmd "$folder"/*/job-throughput.cmd
    grep -h '^task view' "$folder"/*/task-view.cmd | sort -u
    grep -h '^hpcfwutil' "$folder"/*/node-startup.cmd | sort -u
}
