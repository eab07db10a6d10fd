package io.clusterwright.linux.internal.local;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.OperatingSystemMXBean;
import io.clusterwright.core.spi.Machine;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tries, as root of a node, to get at the machine the node runs on. */
@Tag("breadth")
class NodeIsolationTest {
    private static Lab lab;
    private static Machine node;

    /** Files of this machine that others may not read, in folders that nodes see. */
    private static final List<Path> PRIVATE = Stream.of(
                    "/etc/%s", "/opt/%s/key", "/usr/local/etc/%s", "/var/lib/%s/a/key")
            .map(path -> Path.of(path.formatted("cw-private-test")))
            .toList();

    @BeforeAll
    static void boot() throws Exception {
        for (Path file : PRIVATE) {
            Files.createDirectories(file.getParent());
            Files.writeString(file, "private");
            Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r-----"));
        }
        lab = new Lab("lm-jail", "10.41.0.0/16");
        node = lab.network().boot(Lab.THIS_SYSTEM, 11).get(0);
    }

    @AfterAll
    static void destroy() throws Exception {
        for (Path file : PRIVATE) {
            Files.deleteIfExists(file);
        }
        for (String folder : List.of("/opt/%s", "/var/lib/%s/a", "/var/lib/%s")) {
            Files.deleteIfExists(Path.of(folder.formatted("cw-private-test")));
        }
        lab.close();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "echo 1 > /proc/sys/kernel/panic",
                "echo 1 > /proc/sys/net/ipv4/ip_forward",
                "echo h > /proc/sysrq-trigger",
                "echo 1 > /sys/kernel/mm/ksm/run",
                "mknod /tmp/disk b 254 0",
                "mknod /dev/disk b 254 0",
                "mknod /tmp/null c 1 3",
                "mount -t tmpfs none /mnt",
                "mount -o remount,rw /proc/sys",
                "umount /proc/sys",
                "unshare -m true",
                "unshare -Urmpf mount -t proc proc /mnt",
                "unshare -Urm mount -o remount,rw,bind /proc/sys",
                "unshare -Urmn mount -t sysfs sysfs /mnt",
                "nsenter -t 1 -m true",
                "hostname elsewhere",
                "ip link add cwx type bridge",
                "ip route add default via 10.41.0.1",
                "ip address add 10.41.0.99/24 dev eth0",
                "date -s 2001-01-01",
                "dmesg",
                "chroot /proc/1/root/../../.. test -e /proc/sys/../../run/clusterwright",
                "swapoff -a && swapon /dev/null",
                "modprobe dummy",
            })
    void rootOfANodeMayNot(String command) {
        Lab.Answer answer = lab.ssh(node, "sudo -n sh -ec '" + command + "'");
        assertThat(answer.exit()).as(answer.toString()).isNotZero();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "unshare --user true",
                "unshare --cgroup true",
                "unshare -UrmC mount -t cgroup2 none /mnt",
                "unshare -UrmC mount -t cgroup -o memory none /mnt",
                "unshare -UrmC mount -t cgroup -o freezer none /mnt",
                "unshare -UrmC mount -t cgroup -o pids none /mnt",
                "unshare -Urm mount -t tmpfs none /mnt",
            })
    void noAccountOfANodeMay(String command) {
        for (String account : List.of("", "sudo -n ", "sudo -n -u nobody ")) {
            Lab.Answer answer = lab.ssh(node, account + command);
            assertThat(answer.exit()).as(account + answer).isNotZero();
        }
    }

    @Test
    void endsNoProcessOfAControlGroupOfTheHost() throws Exception {
        Path all = Stream.of("/sys/fs/cgroup", "/sys/fs/cgroup/unified")
                .map(Path::of)
                .filter(mounted -> Files.exists(mounted.resolve("cgroup.controllers")))
                .findFirst()
                .orElseThrow();
        Path victims = Files.createDirectories(all.resolve("cw-test-victims"));
        Process victim = new ProcessBuilder("sleep", "600").start();
        try {
            Files.writeString(victims.resolve("cgroup.procs"), Long.toString(victim.pid()));
            lab.ssh(
                    node,
                    "sudo unshare --user --map-root-user --mount --cgroup --fork sh -c 'mkdir /tmp/all;"
                            + " mount -t cgroup2 none /tmp/all; echo 1 > /tmp/all/cw-test-victims/cgroup.kill;"
                            + " mkdir /tmp/all/cw-test-made-by-node'");
            assertThat(victim.waitFor(1, TimeUnit.SECONDS)).isFalse();
            assertThat(all.resolve("cw-test-made-by-node")).doesNotExist();
        } finally {
            victim.destroyForcibly().waitFor();
            Files.deleteIfExists(all.resolve("cw-test-made-by-node"));
            Files.delete(victims);
        }
    }

    @Test
    void isInAControlGroupOfItsOwnAndSeesNoOther() throws Exception {
        long first =
                lab.machines.host.processOf(lab.cluster().name(), node.name()).orElseThrow();
        String group = "/clusterwright-" + lab.cluster().id() + "-" + node.name();
        List<Path> made = NodeCgroups.of(
                Files.readAllLines(Path.of("/proc", Long.toString(first), "cgroup")),
                Files.readAllLines(Path.of("/proc/self/mountinfo")));
        assertThat(made).isNotEmpty().allMatch(path -> path.toString().endsWith(group));
        assertThat(lab.output(node, "cat /proc/1/cgroup").lines()).allMatch(line -> line.endsWith(":/"));
    }

    private Path fileOfItsGroup(String... names) throws IOException {
        long first =
                lab.machines.host.processOf(lab.cluster().name(), node.name()).orElseThrow();
        return NodeCgroups.of(
                        Files.readAllLines(Path.of("/proc", Long.toString(first), "cgroup")),
                        Files.readAllLines(Path.of("/proc/self/mountinfo")))
                .stream()
                .flatMap(group -> Stream.of(names).map(group::resolve))
                .filter(Files::exists)
                .findFirst()
                .orElseThrow();
    }

    /** A node that takes memory without end. */
    @Test
    void hasALimitOfMemoryThatItCannotRaise() throws Exception {
        Path limit = fileOfItsGroup("memory.max", "memory.limit_in_bytes");
        String before = Files.readString(limit).strip();
        long machine = ((OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean()).getTotalMemorySize();
        assertThat(Long.parseLong(before)).isBetween(machine / 2, machine / 20 * 19);

        lab.ssh(
                node,
                "sudo sh -c 'for f in memory.max memory.limit_in_bytes; do"
                        + " find /sys/fs/cgroup -name $f -exec sh -c \"echo -1 > {}\" \";\"; done'");
        assertThat(Files.readString(limit).strip()).isEqualTo(before);

        Files.writeString(limit, Long.toString(512 << 20));
        try {
            assertThat(lab.ssh(node, "python3 -c 'x = bytes(1 << 30); print(len(x.replace(b\"\\0\", b\"1\")))'")
                            .out())
                    .isEmpty();
            assertThat(lab.output(node, "echo here")).isEqualTo("here");
        } finally {
            Files.writeString(limit, before);
        }
    }

    /** A node that starts processes without end. */
    @Test
    void hasALimitOfProcessesThatItCannotRaise() throws Exception {
        Path limit = fileOfItsGroup("pids.max");
        String before = Files.readString(limit).strip();
        long machine = Long.parseLong(
                Files.readAllLines(Path.of("/proc/sys/kernel/pid_max")).get(0));
        assertThat(Long.parseLong(before)).isBetween(1000L, Math.min(32_768, machine / 2));

        lab.ssh(node, "sudo sh -c 'find /sys/fs/cgroup -name pids.max -exec sh -c \"echo max > {}\" \";\"'");
        assertThat(Files.readString(limit).strip()).isEqualTo(before);

        long now = Long.parseLong(
                Files.readString(limit.resolveSibling("pids.current")).strip());
        Files.writeString(limit, Long.toString(now + 20));
        try {
            assertThat(lab.ssh(node, "sudo sh -c 'for i in $(seq 1 40); do sleep 2 & done'")
                            .err())
                    .containsIgnoringCase("cannot fork");
            assertThat(new ProcessBuilder("true").start().waitFor()).isZero();
        } finally {
            Files.writeString(limit, before);
        }
    }

    @Test
    void readsNoStateOfTheKernelOfTheHost() {
        List<String> there = Stream.of("keys", "kpagecount", "kpagecgroup", "vmallocinfo", "slabinfo", "pagetypeinfo")
                .filter(file -> Files.exists(Path.of("/proc", file)))
                .toList();
        assertThat(there).contains("vmallocinfo");
        for (String file : there) {
            assertThat(lab.output(node, "sudo head -c 100 /proc/" + file))
                    .as(file)
                    .isEmpty();
        }
    }

    @Test
    void readsNoKeyOfTheKernelThatTheRootOfTheHostHas() {
        int keyctl = System.getProperty("os.arch").equals("amd64") ? 250 : 219;
        String add = "my @key = (qq(user), qq(cw-test-key), qq(dummy)); print syscall(%d, @key, 5, -4)"
                .formatted(keyctl - 2);
        String key = HostCommand.of("perl", "-e", add).orThrow("add a key");
        try {
            // The user's keys become keys of the process, which may read its keys.
            String read = "my $read = qq(\\0) x 9; syscall(%d, 8, -4, -2); syscall(%d, 11, %s, $read, 9); print $read"
                    .formatted(keyctl, keyctl, key);
            assertThat(HostCommand.of("perl", "-e", read).orThrow("read the key"))
                    .contains("dummy");
            assertThat(lab.output(node, "sudo perl -e '" + read + "'")).doesNotContain("dummy");
            assertThat(lab.output(node, "perl -e 'print syscall(%d, 0, -4, 1)'".formatted(keyctl)))
                    .isEqualTo("-1");
        } finally {
            HostCommand.of("perl", "-e", "syscall(%d, 9, %s, -4)".formatted(keyctl, key))
                    .orThrow("remove the key");
        }
    }

    @Test
    void seesNoFileOfTheHostsPeople() {
        assertThat(lab.output(node, "ls /home")).isEqualTo("azureuser");
        assertThat(lab.output(node, "sudo ls -A /root /tmp /var/tmp /mnt /media /srv | grep -v :$ | grep . || true"))
                .isEmpty();
        assertThat(lab.output(node, "sudo find /var/log -type f ! -newer /etc/hostname"))
                .isEmpty();
        assertThat(lab.output(node, "ls -A /"))
                .isEqualTo(lab.output(
                        node,
                        "cd /; ls -d bin boot dev etc home lib* media mnt opt proc root run sbin srv sys tmp usr var"));
        assertThat(lab.output(node, "ls /etc/ssh/ssh_host_*"))
                .isEqualTo("/etc/ssh/ssh_host_ed25519_key\n/etc/ssh/ssh_host_ed25519_key.pub");
        assertThat(lab.output(node, "sudo cut -d: -f2 /etc/shadow /etc/gshadow | sort -u | tr -d '*!\\n'"))
                .isEmpty();
    }

    @Test
    void seesNoFileThatOthersMayNotRead() {
        for (Path file : PRIVATE) {
            assertThat(lab.output(node, "sudo cat " + file + " 2>&1 || true")).contains("No such file");
        }
        assertThat(lab.output(node, "sudo find /etc/security/opasswd /var/cache/debconf/passwords.dat || true"))
                .isEmpty();
        // A folder is there with its rights, for programs that write to it.
        assertThat(lab.output(node, "stat -c '%a %U' /var/cache/apt/archives/partial /var/lib/apt/lists/partial"))
                .isEqualTo("700 _apt\n700 _apt");
        assertThat(
                        lab.output(
                                node,
                                "sudo find /boot /etc /opt /usr/local /var -xdev -type f ! -perm -004 -size +0 ! -name \"*shadow-\" | sort"))
                .isEqualTo("""
                        /etc/gshadow
                        /etc/shadow
                        /etc/ssh/ssh_host_ed25519_key
                        /etc/sudoers
                        /etc/sudoers.d/90-clusterwright""");
    }

    @Test
    void doesNotInheritTheStateFolderOfTheMachine() {
        // The quickstart makes /var/lib/clusterwright with mode 0700; a node's own one must be readable by its users.
        assertThat(lab.output(node, "sudo ls /var/lib | grep clusterwright || true"))
                .isEmpty();
        assertThat(lab.output(
                        node,
                        "sudo mkdir -p /var/lib/clusterwright/scripts; stat -c %a /var/lib/clusterwright;"
                                + " sudo rm -r /var/lib/clusterwright"))
                .isEqualTo("755");
    }

    @Test
    void seesAndEndsNoProcessOfTheHost() throws Exception {
        Process stranger = new ProcessBuilder("sleep", "600").start();
        try {
            lab.ssh(node, "sudo sh -c 'kill -9 " + stranger.pid() + "; kill -9 -1' 2>&1");
            assertThat(stranger.isAlive()).isTrue();
            assertThat(lab.output(node, "ls /proc | grep -c '^[0-9]'")).matches("[0-9]{1,2}");
        } finally {
            stranger.destroyForcibly();
        }
    }

    @Test
    void reachesNothingButItsSubnet() {
        assertThat(lab.output(node, "ip route")).matches("10\\.41\\.0\\.0/24 dev eth0 .*");
        assertThat(lab.ssh(node, "ip route get 192.0.2.1").out()).isEmpty();
        assertThat(lab.ssh(node, "timeout 5 bash -c '</dev/tcp/192.0.2.1/80'").err())
                .contains("Network is unreachable");
        assertThat(lab.output(node, "ip -o link | wc -l")).isEqualTo("2");
        assertThat(lab.ssh(node, "getent hosts debian.org").exit()).isNotZero();
    }

    @Test
    void writesNothingToTheHost() {
        lab.output(node, "sudo sh -c 'echo x > /etc/clusterwright-was-here; rm /usr/bin/cal /etc/issue; true'");
        assertThat(Path.of("/etc/clusterwright-was-here")).doesNotExist();
        assertThat(Path.of("/etc/issue")).exists();
    }

    @Test
    void holdsNoFileOfTheHostOpenButItsLog() throws Exception {
        String open = lab.output(node, "sudo find /proc/1/fd -type l -exec readlink {} +");
        assertThat(open.lines())
                .allMatch(line -> line.equals("/dev/null")
                        || line.endsWith("/nodes/lm-jail-11/log")
                        || line.startsWith("socket:"));
        assertThat(Files.exists(Path.of("/proc/1"))).isTrue();
    }

    @Test
    void orphansAreCollected() {
        lab.output(node, "for i in 1 2 3 4 5; do setsid sh -c 'sleep 0.1 & exec true' & done; wait; sleep 1");
        assertThat(lab.output(node, "ps -eo stat,comm | grep -c '^Z' || true")).isEqualTo("0");
    }
}
