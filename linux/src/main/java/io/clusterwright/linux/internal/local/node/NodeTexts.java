package io.clusterwright.linux.internal.local.node;

import io.clusterwright.core.type.Ipv4Address;
import io.clusterwright.core.type.NodeName;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Predicate;

/** The files a node starts with, as text. */
public final class NodeTexts {
    private static final List<String> READ_ONLY = List.of("sys", "sysrq-trigger", "irq", "bus", "fs", "acpi", "scsi");
    private static final List<String> HIDDEN =
            List.of("kcore", "keys", "timer_list", "latency_stats", "sched_debug", "kpagecount", "kpageflags");

    private NodeTexts() {}

    public static String sshdConfig(Ipv4Address address, String hostKeyFile) {
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
                // Half of the time of a log-in, for nothing on a network that is a bridge.
                "KexAlgorithms -sntrup*,mlkem*",
                "PrintMotd no",
                "PrintLastLog no",
                "MaxStartups 200",
                "MaxSessions 100",
                "AcceptEnv LANG LC_*",
                "Subsystem sftp internal-sftp",
                "");
    }

    public static String hosts(NodeName name, Ipv4Address address) {
        return "127.0.0.1 localhost\n::1 localhost ip6-localhost ip6-loopback\n" + address + " " + name + "\n";
    }

    /**
     * What is mounted in a node beside its root.
     *
     * @param root the node's root, as the host sees it
     * @param exists whether a file of {@code /proc} exists on this kernel
     */
    public static String mountTable(Path root, Predicate<String> exists) {
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
