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
if members=$(getent group sudo); then
    case ,${members##*:}, in
        *",$user,"*) ;;
        *) usermod --append --groups sudo "$user" ;;
    esac
fi

keys=
while read -r key; do
    keys="$keys${key:+$key
}"
done
if [ -n "$keys" ]; then
    file=$home/.ssh/authorized_keys
    if [ -e "$file" ] || [ -L "$file" ]; then rm -rf "$file"; fi
    if [ -d "$home/.ssh" ]; then chmod 700 "$home/.ssh"; else mkdir -p -m 700 "$home/.ssh"; fi
    printf %s "$keys" > "$file"
    chmod 600 "$file"
    chown "$uid:$gid" "$home/.ssh" "$file"
fi

echo up
exec < /dev/null >&2
exec /usr/sbin/sshd -D -e -f /etc/ssh/sshd_config
