# The steps of both editions of the Linux article, to be sourced by linux-2016.sh and linux-2017.sh.
set -euo pipefail
where=local
usage="usage: linux-$edition.sh [--on local|emulator] [--spec FILE]"
while (($# > 0)); do
    case $1 in
        --on) where=${2:?$usage} && shift 2 ;;
        --spec) spec=${2:?$usage} && shift 2 ;;
        -h | --help) echo "$usage" && exit 0 ;;
        *) echo "$usage" >&2 && exit 2 ;;
    esac
done
# The spec is for these two: Azure retired its size, and its archive is a stand-in elsewhere.
if [[ $where != local && $where != emulator ]]; then
    echo "cannot run on $where: $usage" >&2
    exit 2
fi
cw() { "${CLUSTERWRIGHT:-$here/../clusterwright}" "$@"; }
step() { echo "== $*"; }
work=$(mktemp -d)
name=$(sed -n 's/^name: *\([a-z0-9-]*\).*/\1/p' "$spec")
user=$(sed -n 's/.*user: {name: \([a-z0-9_-]*\).*/\1/p' "$spec")
created=
finish() {
    if [[ -n $created ]]; then cw destroy "$name"; fi
    rm -rf "$work"
}
trap finish EXIT

step "the plan, with the quota of 8 A9"
cw plan "$spec" --on "$where"
step "one customised machine, its image, and the cluster from it"
created=yes
cw create "$spec" --on "$where"
cw render "$spec" --to "$work/files" >/dev/null
head=$(head -n 1 "$work/files/hostfile.slurm")
hosts=$(head -n 2 "$work/files/hostfile.hydra" | cut -d : -f 1 | paste -s -d , -)

step "hostname on 2 nodes"
line=$("$work/files/mpirun.sh" --print -ppn 1 -n 2 -hosts "$hosts" hostname)
echo "$line"
# shellcheck disable=SC2016 # the node's shell expands it
on_head() { cw run "$name" --nodes "$head" --user "$user" -- bash -c '. /opt/intel/impi_latest/bin64/mpivars.sh && exec "$@"' bash "$@"; }
# shellcheck disable=SC2086 # the line is words
on_head $line

step "the ping-pong of 2 nodes"
line=$(I_MPI_FABRICS=$pingpong_fabrics "$work/files/mpirun.sh" --print -hosts "$hosts" -ppn 1 -n 2 "${folder}IMB-MPI1" pingpong)
echo "$line"
# shellcheck disable=SC2086 # the line is words
on_head $line | tee "$work/pingpong.txt"

step "the same by clusterwright: every node in one job, then a judged ping-pong"
cw mpi "$name" --ppn 1 -- hostname
cw verify "$name"
