#!/bin/bash
# Stand-in for the installer of Intel MPI 5.0.3.048: the same call, answers, folders and scripts; MPICH does the work.
set -euo pipefail
fail() {
    echo "install.sh: $*" >&2
    exit 1
}
[[ ${1:-} == --silent ]] || fail "this stand-in asks no questions: run ./install.sh --silent FILE"
[[ -r ${2:-} ]] || fail "the file of answers ${2:-} cannot be read"
[[ $(id -u) == 0 ]] || fail "run this as root"
declare -A answers=()
while IFS='=' read -r name value; do
    if [[ -n $name && $name != \#* ]]; then answers[$name]=$value; fi
done <"$2"
[[ ${answers[ACCEPT_EULA]:-} == accept ]] || fail "the licence was not accepted: ACCEPT_EULA=accept is missing"
if [[ ! -x /usr/bin/mpiexec.hydra ]] || ! command -v gcc >/dev/null; then
    fail "this is a stand-in for Intel MPI that runs on MPICH, and mpich or gcc is missing: on machines of the cloud, give" \
        "image.customize.mpi.install the archive of your registration at Intel"
fi

here=$(dirname "$(readlink -f "$0")")
root=${answers[PSET_INSTALL_DIR]:-/opt/intel}
target=$root/impi/5.0.3.048
mkdir -p "$target/intel64/bin" "$target/intel64/lib/release"
ln -sfn intel64/bin "$target/bin64"
ln -sfn intel64/lib "$target/lib64"
ln -sfn impi/5.0.3.048 "$root/impi_latest"
install -m 755 "$here/mpirun" "$target/intel64/bin/mpirun"
ln -sf mpirun "$target/intel64/bin/mpiexec.hydra"
sed "s|@ROOT@|$target|" "$here/mpivars.sh" >"$target/intel64/bin/mpivars.sh"
library=$(find /usr/lib /usr/lib64 -name 'libmpich.so.12' -print -quit)
[[ -n $library ]] || fail "libmpich.so.12 is not there: install mpich"
ln -sf "$library" "$target/intel64/lib/release/libmpi.so.12"
gcc -O2 -Wall -Werror -o "$target/intel64/bin/IMB-MPI1" "$here/imb-pingpong.c" "$library"
echo "Stand-in for Intel MPI 5.0.3.048 installed in $target"
