#!/usr/bin/env bash
# The machines that the benchmark "create" compares local nodes with: machines.sh podman|bare prepare|up|down FOLDER NODES
# "up" ends when each machine has printed its host name over ssh. "down" removes everything that prepare and up made.
set -euo pipefail
kind=$1 action=$2 folder=$3 nodes=$4
bridge=cwbench$kind
case $kind in
  podman) range=10.94.128 ;;
  bare) range=10.94.160 ;;
  *) echo "unknown kind of machines: $kind; podman and bare are known" >&2; exit 2 ;;
esac
space=$range.0/19
address() { echo "$range.$((10 + $1))"; }
in_holder() { nsenter --mount --target "$(cat "$folder/holder.pid")" -- "$@"; }
podman_here() {
  in_holder podman --root "$folder/root" --runroot "$folder/run" --tmpdir "$folder/tmp" --network-config-dir "$folder/net" \
    --cgroup-manager cgroupfs --runtime crun --storage-driver overlay --log-level error "$@"
}

prepare() {
  [[ $(ip -o link show dev "$bridge" 2>/dev/null) ]] && { echo "there is a bridge $bridge already: machines.sh $kind down removes it" >&2; exit 1; }
  mkdir -p "$folder/net"
  ssh-keygen -q -t ed25519 -N '' -C benchmark -f "$folder/login"
  cat >"$folder/sshd_config" <<END
HostKey /etc/ssh/benchmark_key
AuthorizedKeysFile /etc/ssh/benchmark_login.pub
StrictModes no
PermitRootLogin yes
UsePAM no
PidFile none
END
  cat >"$folder/ssh_config" <<END
User root
IdentityFile $folder/login
IdentitiesOnly yes
BatchMode yes
ConnectTimeout 20
StrictHostKeyChecking yes
UserKnownHostsFile $folder/known_hosts
END
  # No packet for these addresses leaves this machine, whatever happens to the bridge.
  ip route add unreachable "$space" metric 4294967294
  # In a private view of mounts: what is mounted there ends with its last process.
  unshare --mount --propagation private sleep 3600 </dev/null >/dev/null 2>&1 &
  echo $! >"$folder/holder.pid"
  for _ in {1..200}; do
    [[ $(readlink "/proc/$(cat "$folder/holder.pid")/ns/mnt") != "$(readlink /proc/self/ns/mnt)" ]] && break
    sleep 0.01
  done
  if [[ $kind == bare ]]; then
    mkdir "$folder/disks"
    in_holder mount -t tmpfs benchmark "$folder/disks"
    ip link add "$bridge" type bridge
    ip addr add "$range.1/24" dev "$bridge"
    ip link set "$bridge" up
  else
    # crun does not start where both kinds of control groups are mounted; these containers use none.
    in_holder sh -c 'umount -l /sys/fs/cgroup/unified /sys/fs/cgroup/systemd 2>/dev/null || true'
    cat >"$folder/net/benchmark.conflist" <<END
{"cniVersion": "0.4.0", "name": "benchmark", "plugins": [{"type": "bridge", "bridge": "$bridge", "isGateway": true, "ipMasq": false,
  "ipam": {"type": "host-local", "dataDir": "$folder/ipam", "ranges": [[{"subnet": "$range.0/24"}]]}}]}
END
  fi
}

make_podman() {
  podman_here run --detach --name "machine$1" --hostname "machine$1" --network benchmark --ip "$(address "$1")" --cgroups disabled \
    --ulimit nofile=1024:4096 --ulimit nproc=1024:4096 --pull never \
    --volume "$folder/key$1:/etc/ssh/benchmark_key:ro" --volume "$folder/login.pub:/etc/ssh/benchmark_login.pub:ro" \
    --volume "$folder/sshd_config:/etc/ssh/benchmark_config:ro" \
    --rootfs /:O sh -c 'mkdir -p /run/sshd && exec /usr/sbin/sshd -D -f /etc/ssh/benchmark_config' >/dev/null
}

make_bare() {
  local name=$bridge$1 disk=$folder/disks/$1
  ip netns add "$name"
  ip link add "$name" type veth peer name eth0 netns "$name"
  ip link set "$name" master "$bridge" up
  ip -n "$name" addr add "$(address "$1")/24" dev eth0
  ip -n "$name" link set eth0 up
  ip netns exec "$name" nsenter --mount --target "$(cat "$folder/holder.pid")" -- unshare --mount --uts --pid --fork --kill-child --propagation private sh -euc '
    mkdir -p "$1/upper" "$1/work" "$1/root"
    mount -t overlay -o "lowerdir=/,upperdir=$1/upper,workdir=$1/work" machine "$1/root"
    cd "$1/root"
    mkdir -p run/sshd
    mount -t proc proc proc
    mount --bind /dev dev
    cp "$2" etc/ssh/benchmark_key && cp "$3/login.pub" etc/ssh/benchmark_login.pub && cp "$3/sshd_config" etc/ssh/benchmark_config
    hostname "$4"
    exec chroot . /usr/sbin/sshd -D -f /etc/ssh/benchmark_config' \
    sh "$disk" "$folder/key$1" "$folder" "machine$1" </dev/null >"$folder/out$1" 2>&1 &
  echo $! >"$folder/machine$1.pid"
}

first_command() {
  local answer tries=0
  [[ $(ip route get "$(address "$1")") == *" dev $bridge "* ]] || { echo "the route to machine$1 does not lead to $bridge" >&2; return 1; }
  # Without a process for each attempt: sixteen machines wait at the same time.
  exec 4<> <(:)
  until { exec 3<>"/dev/tcp/$range.$((10 + $1))/22"; } 2>/dev/null; do
    ((++tries < 600)) || { echo "machine$1 did not listen: $(cat "$folder/out$1" 2>/dev/null)" >&2; return 1; }
    read -rt 0.05 -u 4 || true
  done
  answer=$(ssh -F "$folder/ssh_config" "$(address "$1")" hostname)
  [[ $answer == "machine$1" ]] || { echo "machine$1 answered '$answer'" >&2; return 1; }
  echo "$answer"
}

machine() {
  ssh-keygen -q -t ed25519 -N '' -C "machine$1" -f "$folder/key$1"
  echo "$(address "$1") $(cut -d ' ' -f 1,2 "$folder/key$1.pub")" >>"$folder/known_hosts"
  "make_$kind" "$1"
  first_command "$1"
}

up() {
  local i pid pids=()
  for ((i = 1; i <= nodes; i++)); do
    machine "$i" &
    pids+=($!)
  done
  for pid in "${pids[@]}"; do wait "$pid"; done
}

down() {
  local i names
  if [[ $kind == podman && -e $folder/holder.pid ]]; then
    names=$(podman_here ps --all --quiet 2>/dev/null || true)
    # shellcheck disable=SC2086
    [[ -z $names ]] || podman_here rm --force --time 0 $names >/dev/null 2>&1 || true
  fi
  for ((i = 1; i <= nodes; i++)); do
    [[ ! -e $folder/machine$i.pid ]] || kill -KILL "$(cat "$folder/machine$i.pid")" 2>/dev/null || true
    [[ $kind != bare ]] || ip netns delete "$bridge$i" 2>/dev/null || true
  done
  [[ ! -e $folder/holder.pid ]] || kill "$(cat "$folder/holder.pid")" 2>/dev/null || true
  ip link delete "$bridge" 2>/dev/null || true
  ip route delete unreachable "$space" metric 4294967294 2>/dev/null || true
  for ((i = 0; i < 50; i++)); do
    rm -rf --one-file-system "$folder" 2>/dev/null && return
    sleep 0.1
  done
  rm -rf --one-file-system "$folder"
}

case $action in
  prepare | up | down) "$action" ;;
  *) echo "unknown action: $action; prepare, up and down are known" >&2; exit 2 ;;
esac
