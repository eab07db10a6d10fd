# Runs as process 1 of a namespace of its own: everything below ends with it.
in=$1
fs=$in/fs
mount -t tmpfs -o mode=755,size=1g tmpfs "$fs"
mkdir "$fs/up" "$fs/work" "$fs/root"
root=$fs/root
mount -t overlay overlay -o "lowerdir=/,upperdir=$fs/up,workdir=$fs/work" "$root"
mount -t proc proc "$root/proc"
mount -t tmpfs -o mode=755,size=64m tmpfs "$root/dev"
for device in null zero full random urandom tty; do
    : >"$root/dev/$device"
    mount --bind "/dev/$device" "$root/dev/$device"
done
ln -s /proc/self/fd "$root/dev/fd"
mkdir -p "$root/run/sshd" "$root/home/tester"
install -m 600 "$in/host_key" "$root/etc/ssh/test_host_key"
ssh-keygen -q -t ecdsa -N '' -C second -f "$root/etc/ssh/test_ecdsa_key"
cp "$root/etc/ssh/test_ecdsa_key.pub" "$in/ecdsa.pub"
install -m 644 "$in/login.pub" "$root/etc/ssh/test_authorized_keys"
install -m 644 "$in/sshd_config" "$root/etc/ssh/test_sshd_config"
echo 'tester:x:4711:4711::/home/tester:/bin/bash' >>"$root/etc/passwd"
echo 'tester:x:4711:' >>"$root/etc/group"
echo 'tester:*:19000:0:99999:7:::' >>"$root/etc/shadow"
echo 'tester ALL=(ALL) NOPASSWD: ALL' >"$root/etc/sudoers.d/tester"
chmod 440 "$root/etc/sudoers.d/tester"
chown 4711:4711 "$root/home/tester"
chmod 700 "$root/root"
hostname loop1
echo '127.0.0.1 localhost loop1' >"$root/etc/hosts"
exec chroot "$root" /usr/sbin/sshd -D -e -f /etc/ssh/test_sshd_config </dev/null
