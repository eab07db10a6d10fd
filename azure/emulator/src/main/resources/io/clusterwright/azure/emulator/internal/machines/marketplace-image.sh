# Turns the disk of a local node into one of an image of the marketplace. Runs as root on a node that is made for this alone.
# Arguments: "hpc" or "plain"; the InfiniBand ports of the size, 0 for none, or "eth1" for its classic RDMA network with the driver of
# the image; the account that this script runs for, which it removes
set -eu
kind=$1 ports=$2 account=$3
libraries=/usr/lib/$(uname -m)-linux-gnu

# The agent leaves host keys to cloud-init, as WALinuxAgent's config/ubuntu/waagent.conf does.
if [ -f /etc/waagent.conf ]; then
    sed -i -e 's/^Provisioning.RegenerateSshHostKeyPair=.*/Provisioning.RegenerateSshHostKeyPair=n/' \
        -e 's/^Provisioning.Agent=.*/Provisioning.Agent=auto/' /etc/waagent.conf
fi

if [ "$ports" = eth1 ]; then
    mkdir -p /usr/share/clusterwright
    touch /usr/share/clusterwright/eth1
elif [ "$ports" -gt 0 ]; then
    # One set of devices for each node by its address: drivers number them in the order in which they find them.
    device() {
        adapter=/usr/share/clusterwright/infiniband/$1/$2
        folder=$adapter/ports/1
        mkdir -p "$folder/pkeys"
        echo '4: ACTIVE' > "$folder/state"
        echo "$3" > "$folder/link_layer"
        echo "$4" > "$folder/rate"
        echo 0xffff > "$folder/pkeys/0"
        ln -s "../../../$5" "$adapter/device"
    }
    port=0
    while [ $port -lt "$ports" ]; do
        device 0 mlx5_$port InfiniBand '200 Gb/sec (4X HDR)' 010$port:00:00.0
        device 1 mlx5_ib$port InfiniBand '200 Gb/sec (4X HDR)' 010$(((port + 1) % ports)):00:00.0
        port=$((port + 1))
    done
    device 0 mlx5_an0 Ethernet '50 Gb/sec (1X HDR)' 9b2a:00:02.0
    device 1 mlx5_an0 Ethernet '50 Gb/sec (1X HDR)' 9b2a:00:02.0
fi

# Copies what the packages whose names match hold into a separate prefix: programs to bin, libraries to lib.
copy() {
    prefix=$1 bin=$2 lib=$3
    mkdir -p "$prefix/bin" "$prefix/lib"
    for file in $bin; do if [ -e "/usr/bin/$file" ]; then cp -a "/usr/bin/$file" "$prefix/bin/"; fi; done
    for file in $lib; do for found in "$libraries"/$file; do if [ -e "$found" ]; then cp -a "$found" "$prefix/lib/"; fi; done; done
}
# A binary that finds its libraries beside it, and not in the system's.
relocate() {
    replacement=$1
    while [ ${#replacement} -lt $((${#own} - 1)) ]; do replacement=$replacement/.; done
    while [ ${#replacement} -lt ${#own} ]; do replacement=$replacement/; done
    shift
    for file in "$@"; do
        if [ -f "$file" ] && [ ! -L "$file" ]; then LC_ALL=C sed -i "s|$own|$replacement|g" "$file"; fi
    done
}
module() {
    mkdir -p /usr/share/modules/modulefiles/mpi
    printf '#%%Module 1.0\nconflict mpi\n%s\n' "$2" > "/usr/share/modules/modulefiles/mpi/$1"
    ln -sfn "$1" "/usr/share/modules/modulefiles/mpi/$3"
}
variables() {
    echo "prepend-path PATH $1/bin
prepend-path LD_LIBRARY_PATH $1/lib
prepend-path MANPATH $1/share/man
setenv MPI_BIN $1/bin
setenv MPI_INCLUDE $1/include
setenv MPI_LIB $1/lib
setenv MPI_HOME $1"
}

# Open MPI as HPC-X is: moved from where it was built, so that it finds none of its files without OPAL_PREFIX.
hpcx() {
    hpcx=/opt/hpcx-v2.24.1-gcc-doca_ofed-ubuntu22.04-cuda12-x86_64
    own=$libraries/openmpi/lib
    copy $hpcx/ompi 'orterun orted orte-clean orte-info ompi_info opal_wrapper' \
        'libmpi.so.40* libmpi_mpifh* libmpi_usempi* libmpi_cxx* libopen-rte.so* libopen-pal.so* libmca_common_* liboshmem.so*'
    # The version is printed before anything of the installation is looked for.
    cat > $hpcx/ompi/bin/mpirun <<'RUN'
#!/bin/sh
case ${1-} in
    -V | --version)
        printf 'mpirun (Open MPI) @VERSION@\n\nReport bugs to http://www.open-mpi.org/community/help/\n'
        exit
        ;;
esac
exec "$(dirname "$(readlink -f "$0")")/orterun" "$@"
RUN
    sed -i "s/@VERSION@/$(orterun --version | sed -n '1s/.* //p')/" $hpcx/ompi/bin/mpirun
    chmod 755 $hpcx/ompi/bin/mpirun
    ln -sfn mpirun $hpcx/ompi/bin/mpiexec
    cp -a "$own/openmpi3" $hpcx/ompi/lib/
    mkdir -p $hpcx/ompi/share $hpcx/ompi/etc "$hpcx/ompi${libraries#/usr}/openmpi" $hpcx/modulefiles
    ln -sfn ../.. "$hpcx/ompi${libraries#/usr}/openmpi/lib"
    cp -a /usr/share/openmpi $hpcx/ompi/share/
    cp -a /etc/openmpi $hpcx/ompi/etc/
    relocate '$ORIGIN/../lib' $hpcx/ompi/bin/*or* $hpcx/ompi/bin/*_*
    relocate '$ORIGIN' $hpcx/ompi/lib/*.so*
    relocate '$ORIGIN/..' $hpcx/ompi/lib/openmpi3/*.so
    for part in ucx ucc hcoll sharp nccl_rdma_sharp_plugin; do mkdir -p $hpcx/$part/lib $hpcx/$part/bin; done
    cat > $hpcx/hpcx-init.sh <<'INIT'
# To be sourced by bash; then hpcx_load and hpcx_unload.
hpcx_dir=$(cd "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")" && pwd)
function hpcx_load() {
    export HPCX_DIR=$hpcx_dir HPCX_HOME=$hpcx_dir
    export HPCX_UCX_DIR=$HPCX_DIR/ucx HPCX_UCC_DIR=$HPCX_DIR/ucc HPCX_SHARP_DIR=$HPCX_DIR/sharp HPCX_HCOLL_DIR=$HPCX_DIR/hcoll
    export HPCX_MPI_DIR=$HPCX_DIR/ompi HPCX_OSHMEM_DIR=$HPCX_DIR/ompi
    export OPAL_PREFIX=$HPCX_MPI_DIR PMIX_INSTALL_PREFIX=$HPCX_MPI_DIR OMPI_HOME=$HPCX_MPI_DIR MPI_HOME=$HPCX_MPI_DIR OSHMEM_HOME=$HPCX_OSHMEM_DIR
    OLD_PATH=$PATH
    OLD_LD_LIBRARY_PATH=$LD_LIBRARY_PATH
    export PATH=$HPCX_UCX_DIR/bin:$HPCX_UCC_DIR/bin:$HPCX_HCOLL_DIR/bin:$HPCX_SHARP_DIR/bin:$HPCX_MPI_DIR/bin:$PATH
    export LD_LIBRARY_PATH=$HPCX_UCX_DIR/lib:$HPCX_UCC_DIR/lib:$HPCX_HCOLL_DIR/lib:$HPCX_SHARP_DIR/lib:$HPCX_MPI_DIR/lib${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}
    export LIBRARY_PATH=$HPCX_MPI_DIR/lib${LIBRARY_PATH:+:$LIBRARY_PATH}
    export CPATH=$HPCX_MPI_DIR/include${CPATH:+:$CPATH}
}
function hpcx_unload() {
    PATH=$OLD_PATH
    LD_LIBRARY_PATH=$OLD_LD_LIBRARY_PATH
    unset HPCX_DIR HPCX_HOME HPCX_UCX_DIR HPCX_UCC_DIR HPCX_SHARP_DIR HPCX_HCOLL_DIR HPCX_MPI_DIR HPCX_OSHMEM_DIR
    unset OPAL_PREFIX PMIX_INSTALL_PREFIX OMPI_HOME MPI_HOME OSHMEM_HOME OLD_PATH OLD_LD_LIBRARY_PATH
}
INIT
    module hpcx-v2.24.1 "$(variables $hpcx/ompi)
setenv HPCX_DIR $hpcx
setenv OPAL_PREFIX $hpcx/ompi" hpcx
}

# MPICH in the places of an MPI that came of it, which its programs find by themselves.
mpich() {
    copy "$1" 'mpiexec.hydra hydra_pmi_proxy hydra_nameserver hydra_persist mpichversion' 'libmpich.so*'
    ln -sfn libmpich.so.12 "$1/lib/libmpi.so.12"
}
intel() {
    intel=/opt/intel/oneapi/mpi/2021.16
    mpich $intel
    mkdir -p $intel/env
    ln -sfn 2021.16 /opt/intel/oneapi/mpi/latest
    cat > $intel/bin/mpirun <<'RUN'
#!/bin/sh
case ${1-} in
    -v | -V | -version | --version)
        echo 'Intel(R) MPI Library for Linux* OS, Version 2021.16 Build 20250513 (id: a7c135c)'
        echo 'Copyright 2003-2025, Intel Corporation.'
        exit
        ;;
esac
if [ -z "${I_MPI_ROOT-}" ]; then
    echo "I_MPI_ROOT is not set. Source env/vars.sh." >&2
    exit 255
fi
exec "${0%/*}/mpiexec.hydra" "$@"
RUN
    chmod 755 $intel/bin/mpirun
    cat > $intel/env/vars.sh <<'VARS'
# To be sourced.
I_MPI_ROOT=$(cd "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/.." && pwd)
export I_MPI_ROOT
export PATH=$I_MPI_ROOT/bin:$PATH LD_LIBRARY_PATH=$I_MPI_ROOT/lib${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}
export MANPATH=$I_MPI_ROOT/share/man:${MANPATH-} CPATH=$I_MPI_ROOT/include${CPATH:+:$CPATH}
VARS
    module impi_2021.16 "$(variables $intel)
setenv I_MPI_ROOT $intel" impi-2021
}
mvapich() {
    mvapich=/opt/mvapich-4.0
    mpich $mvapich
    ln -sfn mpiexec.hydra $mvapich/bin/mpirun
    ln -sfn mpiexec.hydra $mvapich/bin/mpiexec
    module mvapich-4.0 "$(variables $mvapich)" mvapich
}

# The command of environment modules, of which modulefiles use only few words.
modules() {
    if [ -e /usr/share/modules/init/bash ]; then return; fi
    mkdir -p /usr/share/modules/init
    cat > /usr/share/modules/init/bash <<'MODULES'
export MODULESHOME=/usr/share/modules MODULEPATH=/usr/share/modules/modulefiles
module() {
    local command=${1-} name word variable value
    [ $# -eq 0 ] || shift
    case $command in
        load | add)
            for name in "$@"; do
                case $name in /*) ;; *) name=$MODULEPATH/$name ;; esac
                if [ ! -f "$name" ]; then
                    echo "ERROR: Unable to locate a modulefile for '$1'" >&2
                    return 1
                fi
                while read -r word variable value; do
                    case $word in
                        setenv) export "$variable=$value" ;;
                        prepend-path) export "$variable=$value${!variable:+:${!variable}}" ;;
                        module) module "$variable" "$value" || return 1 ;;
                    esac
                done < "$name"
                export LOADEDMODULES=${LOADEDMODULES:+$LOADEDMODULES:}${name#"$MODULEPATH/"}
            done
            ;;
        avail) (cd "$MODULEPATH" && ls -d mpi/*) >&2 ;;
        list) echo "${LOADEDMODULES-}" | tr : '\n' >&2 ;;
        *)
            echo "ERROR: Invalid command '$command'" >&2
            return 1
            ;;
    esac
}
MODULES
    echo 'if [ -n "${BASH_VERSION-}" ]; then . /usr/share/modules/init/bash; fi' > /etc/profile.d/modules.sh
}

# The packages of the distribution's MPIs, and those that need them, are not installed on an image.
forget() {
    gone='openmpi-bin openmpi-common mpich libopenmpi3 libmpich12 libopenmpi-dev libmpich-dev mpi-default-bin mpi-default-dev'
    while :; do
        more=$(dpkg-query -W -f '${Package}\t${Depends}, ${Pre-Depends}\n' | awk -v gone="$gone" '
            BEGIN { split(gone, list, " "); for (i in list) without[list[i]] = 1 }
            !($1 in without) {
                needs = $0; sub(/^[^\t]*\t/, "", needs)
                count = split(needs, all, /, */)
                for (i = 1; i <= count; i++) if (all[i] !~ /\|/) { split(all[i], one, /[ (:]/); if (one[1] in without) { print $1; next } }
            }')
        [ -n "$more" ] || break
        gone="$gone $(echo $more)"
    done
    awk -v gone="$gone" -v RS= -v ORS='\n\n' '
        BEGIN { split(gone, list, " "); for (i in list) without[list[i]] = 1 }
        { name = $0; sub(/^Package: /, "", name); sub(/\n.*/, "", name) } !(name in without)' \
        /var/lib/dpkg/status > /var/lib/dpkg/status.new
    mv /var/lib/dpkg/status.new /var/lib/dpkg/status
    for name in $gone; do rm -f "/var/lib/dpkg/info/$name."* "/var/lib/dpkg/info/$name:"*; done
    cd /usr/bin
    rm -f mpirun* mpiexec* mpicc* mpic++* mpiCC* mpicxx* mpif77* mpif90* mpifort* mpijavac* mpichversion mpivars orte* \
        ompi* opal* osh* shmem* hydra_* parkill
    rm -f /etc/alternatives/mpi* /var/lib/dpkg/alternatives/mpi*
    rm -rf "$libraries"/libmpi.so* "$libraries"/libmpi_* "$libraries"/libmpich* "$libraries"/libopen-rte* "$libraries"/libopen-pal* \
        "$libraries"/libmca_common_* "$libraries"/liboshmem* "$libraries"/libompitrace* "$libraries/openmpi" "$libraries/mpich" \
        /usr/share/openmpi /usr/share/mpich /etc/openmpi /etc/mpich
    ldconfig
}

if [ "$kind" = hpc ]; then
    if [ -x /usr/bin/orterun ]; then hpcx; fi
    if [ -x /usr/bin/mpiexec.hydra ]; then intel; mvapich; fi
    modules
    forget
    mkdir -p /opt/azurehpc
    cat > /opt/azurehpc/component_versions.txt <<'VERSIONS'
{
  "DOCA": "3.1.0",
  "PMIX": "4.2.9-1",
  "HPCX": "2.24.1",
  "MVAPICH": "4.0",
  "IMPI": "2021.16.0",
  "WAAGENT": "2.14.0.1"
}
VERSIONS
fi

rm -rf "/home/$account" "/etc/sudoers.d/90-clusterwright" /etc/ssh/ssh_host_*
userdel --force "$account" > /dev/null 2>&1 || true
