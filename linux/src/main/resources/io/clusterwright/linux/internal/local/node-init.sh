# The first process of a node, with programs of the host: makes the node's file system and waits to be moved into it.
# Standard input is a pipe of the process that owns the node's start: if that process ends, so does this one.
# Arguments: cluster folder, node folder, overlays (place and options), host name, address/length, capabilities to keep, log-in user
set -eu
cluster=$1 node=$2 overlays=$3 name=$4 address=$5 keep=$6 user=$7

echo waiting
read -r word
[ "$word" = wired ]

if [ -w /proc/sys/kernel/hostname ]; then echo "$name" > /proc/sys/kernel/hostname; else hostname "$name"; fi
if [ -d /proc/sys/net/ipv6 ]; then echo 1 > /proc/sys/net/ipv6/conf/eth0/disable_ipv6; fi
echo '0 2147483647' > /proc/sys/net/ipv4/ping_group_range 2> /dev/null ||
    echo '0 65535' > /proc/sys/net/ipv4/ping_group_range # where a user namespace has no more groups
ip -batch - <<BATCH
link set lo up
address add $address dev eth0
link set eth0 up
BATCH
# A log-in of the host's user must not count as a log-in of the node's.
if [ -w /proc/self/loginuid ]; then echo 4294967295 2> /dev/null > /proc/self/loginuid || true; fi

cd "$cluster"
while read -r place options; do
    mount -t overlay -o "nodev,$options" overlay "$node/root$place"
done <<OVERLAYS
$overlays
OVERLAYS
# The table of mounts that libmount keeps in /run belongs to the machine.
mount --all --no-mtab --fstab "$node/fstab"

# An image may have the driver of a classic RDMA network: its interface reaches the other nodes over the cable of eth0.
if [ -e "$node/root/usr/share/clusterwright/eth1" ]; then
    ip -batch - <<BATCH
link add link eth0 name eth1 type macvlan mode bridge
address add 172.16.$(echo "${address%/*}" | cut -d . -f 3,4)/16 dev eth1
link set eth1 up
BATCH
    if [ -d /proc/sys/net/ipv6 ]; then echo 1 > /proc/sys/net/ipv6/conf/eth1/disable_ipv6; fi
    # Each interface answers for its own address only.
    echo 1 > /proc/sys/net/ipv4/conf/all/arp_ignore
    echo 2 > /proc/sys/net/ipv4/conf/all/arp_announce
fi

# An image may bring RDMA devices to show; sysfs itself takes no folder, so what it has of classes stands beside them on a tmpfs.
if [ -d "$node/root/usr/share/clusterwright/infiniband" ]; then
    mkdir "$node/root/run/class"
    # Classes are folders of links, apart from a few files that are only written to.
    cp -a "$node/root/sys/class/." "$node/root/run/class/" 2> /dev/null || true
    mount -t tmpfs -o mode=755,size=4m,nosuid,nodev,noexec tmpfs "$node/root/sys/class"
    cp -a "$node/root/run/class/." "$node/root/sys/class/"
    rm -rf "$node/root/run/class"
fi

cp -a furniture/dev furniture/run "$node/root/"
# An ordinary user makes no devices and borrows the devices of the machine.
for device in null zero full random urandom tty; do
    if [ ! -e "$node/root/dev/$device" ]; then
        : > "$node/root/dev/$device"
        mount --bind "/dev/$device" "$node/root/dev/$device"
    fi
done

exec perl "$cluster/bin/node-filter.pl" "$cluster/bin/filter" \
    setpriv --inh-caps=-all --ambient-caps=-all --bounding-set="$keep" /bin/sh "$cluster/bin/node-start.sh" "$user" "$address"
