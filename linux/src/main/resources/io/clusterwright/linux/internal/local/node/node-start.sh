# Continues in the node's own file system, with the capabilities a node keeps: from here on only the node's programs run.
# Standard input: one word when the host's file system is gone, then the public keys that may log in, unless it has them.
# Arguments: log-in user, address/length
set -eu
user=$1 address=${2%/*}

echo prepared
read -r word
[ "$word" = moved ]
cd /
rmdir /run/host

# Drivers number devices in the order in which they find them, so that names differ between nodes.
devices=/usr/share/clusterwright/infiniband
if [ -d "$devices" ]; then
    set -- "$devices"/*
    shift $((${address##*.} % $#))
    cp -r "$1" /sys/class/infiniband
fi

if ! entry=$(getent passwd "$user"); then
    useradd --create-home --user-group --shell /bin/bash "$user"
    entry=$(getent passwd "$user")
fi
IFS=: read -r _ _ uid gid _ home _ <<ENTRY
$entry
ENTRY
if [ ! -d "$home" ]; then
    cp -r /etc/skel "$home"
    chown -R "$uid:$gid" "$home"
    chmod 700 "$home"
fi
if getent group sudo > /dev/null; then usermod --append --groups sudo "$user"; fi

keys=$(cat)
if [ -n "$keys" ]; then
    rm -rf "$home/.ssh/authorized_keys"
    mkdir -p -m 700 "$home/.ssh"
    echo "$keys" > "$home/.ssh/authorized_keys"
    chmod 700 "$home/.ssh"
    chmod 600 "$home/.ssh/authorized_keys"
    chown "$uid:$gid" "$home/.ssh" "$home/.ssh/authorized_keys"
fi

echo up
exec < /dev/null >&2
exec /usr/sbin/sshd -D -e -f /etc/ssh/sshd_config
