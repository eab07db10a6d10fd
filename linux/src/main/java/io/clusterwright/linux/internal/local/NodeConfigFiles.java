package io.clusterwright.linux.internal.local;

import io.clusterwright.core.type.Ipv4Address;
import io.clusterwright.core.type.NodeName;
import io.clusterwright.linux.probe.Capabilities;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/** The files a node starts with, and its rights, as text. */
final class NodeConfigFiles {
    private static final List<String> READ_ONLY = List.of("sys", "sysrq-trigger", "irq", "bus", "fs", "acpi", "scsi");
    private static final List<String> HIDDEN = List.of(
            "kcore",
            "keys",
            "timer_list",
            "latency_stats",
            "sched_debug",
            "kpagecount",
            "kpageflags",
            "kpagecgroup",
            "vmallocinfo",
            "slabinfo",
            "pagetypeinfo");

    /** The rights of root that a node keeps, by their number: enough to log in, install packages and run jobs, not to leave the node. */
    private static final Map<String, Integer> KEPT = new LinkedHashMap<>();

    static {
        KEPT.put("chown", 0);
        KEPT.put("dac_override", 1);
        KEPT.put("fowner", 3);
        KEPT.put("fsetid", 4);
        KEPT.put("kill", 5);
        KEPT.put("setgid", 6);
        KEPT.put("setuid", 7);
        KEPT.put("setpcap", 8);
        KEPT.put("net_bind_service", 10);
        KEPT.put("ipc_lock", 14);
        KEPT.put("sys_chroot", 18);
        KEPT.put("sys_nice", 23);
        KEPT.put("sys_resource", 24);
        KEPT.put("setfcap", 31);
    }

    private NodeConfigFiles() {}

    /** The rights that a node keeps, of those this process has, as {@code setpriv} reads them. */
    static String capabilities() {
        long available = Capabilities.ofThisProcess().orThrow().bounding();
        return KEPT.entrySet().stream()
                .filter(kept -> (available >>> kept.getValue() & 1) == 1)
                .map(kept -> ",+" + kept.getKey())
                .collect(Collectors.joining("", "-all", ""));
    }

    static String sshdConfig(Ipv4Address address, String hostKeyFile) {
        return String.join(
                "\n",
                "Port 22",
                "ListenAddress " + address,
                "HostKey " + hostKeyFile,
                "PidFile /run/sshd.pid",
                "PermitRootLogin prohibit-password",
                "PasswordAuthentication no",
                "KbdInteractiveAuthentication no",
                "UsePAM yes",
                "UseDNS no",
                // Half of the time of a login, for nothing on a network that is a bridge.
                "KexAlgorithms -sntrup*,mlkem*",
                "PrintMotd no",
                "PrintLastLog no",
                "MaxStartups 200",
                "MaxSessions 100",
                "AcceptEnv LANG LC_*",
                "Subsystem sftp internal-sftp",
                "");
    }

    static String hosts(NodeName name, Ipv4Address address) {
        return "127.0.0.1 localhost\n::1 localhost ip6-localhost ip6-loopback\n" + address + " " + name + "\n";
    }

    /**
     * What is mounted in a node beside its root.
     *
     * @param root the node's root, as the host sees it
     * @param exists whether a file of {@code /proc} exists on this kernel
     */
    static String mountTable(Path root, Predicate<String> exists) {
        StringBuilder table = new StringBuilder();
        line(table, "tmpfs", root + "/dev", "tmpfs", "mode=755,size=1m,nosuid");
        line(
                table,
                "devpts",
                root + "/dev/pts",
                "devpts",
                "newinstance,ptmxmode=0666,mode=620,gid=5,nosuid,noexec,x-mount.mkdir");
        line(table, "tmpfs", root + "/dev/shm", "tmpfs", "mode=1777,nosuid,nodev,x-mount.mkdir");
        line(table, "tmpfs", root + "/run", "tmpfs", "mode=755,nosuid,nodev");
        line(table, "proc", root + "/proc", "proc", "nosuid,nodev,noexec");
        line(table, "sysfs", root + "/sys", "sysfs", "ro,nosuid,nodev,noexec");
        for (String name : READ_ONLY) {
            if (exists.test(name)) {
                line(table, root + "/proc/" + name, root + "/proc/" + name, "none", "bind,ro,nosuid,nodev,noexec");
            }
        }
        for (String name : HIDDEN) {
            if (exists.test(name)) {
                line(table, "/dev/null", root + "/proc/" + name, "none", "bind");
            }
        }
        return table.toString();
    }

    private static void line(StringBuilder table, String source, String target, String type, String options) {
        table.append(String.join(" ", source, target, type, options, "0", "0")).append('\n');
    }
}
