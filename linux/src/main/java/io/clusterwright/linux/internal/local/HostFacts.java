package io.clusterwright.linux.internal.local;

import io.clusterwright.core.type.MemlockLimit;
import io.clusterwright.linux.probe.Capabilities;
import io.clusterwright.linux.probe.MemlockProbe;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;

/** Facts about this machine, read on each call. */
public final class HostFacts {
    private static final List<String> PATH = List.of("/usr/sbin", "/usr/bin", "/sbin", "/bin");
    private static final Map<String, String> PROGRAMS = new LinkedHashMap<>();
    private static final List<String> SYSTEM_FOLDERS = List.of("/etc", "/usr", "/var", "/var/lib", "/opt");

    /** A folder that replaces a deleted folder needs an attribute that not all file systems have. Nodes of root are overlays of an overlay. */
    private static final String OVERLAY_TRIAL =
            "set -e; d=$(mktemp -d \"$1/.clusterwright-XXXXXXXX\"); trap 'rm -rf --one-file-system \"$d\"' EXIT;"
                    + " cd \"$d\"; mkdir -p low/a/b up work root; lowest=/usr;"
                    + " if [ $2 != userxattr ]; then mount -t overlay -o lowerdir=/etc:/usr overlay root; lowest=root; fi;"
                    + " mount -t overlay -o $2,index=off,lowerdir=low:$lowest,upperdir=up,workdir=work overlay root;"
                    + " rm -r root/a; mkdir root/a; [ ! -e root/a/b ]; umount root; [ $lowest = /usr ] || umount root";

    static {
        PROGRAMS.put("ip", "iproute2");
        PROGRAMS.put("unshare", "util-linux");
        PROGRAMS.put("nsenter", "util-linux");
        PROGRAMS.put("setpriv", "util-linux");
        PROGRAMS.put("setsid", "util-linux");
        PROGRAMS.put("pivot_root", "util-linux");
        PROGRAMS.put("mount", "mount");
        PROGRAMS.put("umount", "mount");
        PROGRAMS.put("sshd", "openssh-server");
        PROGRAMS.put("sudo", "sudo");
        PROGRAMS.put("useradd", "passwd");
        PROGRAMS.put("tar", "tar");
        PROGRAMS.put("mknod", "coreutils");
        PROGRAMS.put("find", "findutils");
        PROGRAMS.put("perl", "perl-base");
    }

    public boolean isLinux() {
        return system().equals("Linux");
    }

    public String system() {
        return System.getProperty("os.name");
    }

    public boolean isRoot() {
        try {
            return Files.getAttribute(Path.of("/proc/self"), "unix:uid").equals(0);
        } catch (IOException e) {
            return false;
        }
    }

    /** Whether the users of this process belong to a user namespace, and not to the machine. */
    public boolean inUserNamespace() {
        try {
            String map = Files.readString(Path.of("/proc/self/uid_map")).strip();
            return !map.matches("0\\s+0\\s+4294967295");
        } catch (IOException e) {
            return false; // a kernel without user namespaces
        }
    }

    /** The programs that nodes of this user need, each with its package. */
    private static Map<String, String> programs() {
        Map<String, String> programs = new LinkedHashMap<>(PROGRAMS);
        if (UserNamespace.isNeeded()) {
            programs.put("newuidmap", "uidmap");
            programs.put("newgidmap", "uidmap");
        }
        return programs;
    }

    public List<String> missingPrograms() {
        return programs().keySet().stream()
                .filter(program -> !isInstalled(program))
                .toList();
    }

    public String installLine(List<String> programs) {
        TreeSet<String> packages = new TreeSet<>();
        programs.forEach(program -> packages.add(programs().get(program)));
        return isInstalled("apt-get")
                ? "run: apt-get install " + String.join(" ", packages)
                : "install the packages of these programs (on Debian: " + String.join(" ", packages) + ")";
    }

    /** Whether this machine has a program. */
    public static boolean isInstalled(String program) {
        return PATH.stream().anyMatch(folder -> Files.isExecutable(Path.of(folder, program)));
    }

    /** Tries in namespaces that are gone with the process that tries. */
    public List<String> missingKernelParts() {
        List<String> missing = new ArrayList<>();
        if (!overlayIsThere()) {
            missing.add("overlayfs");
        }
        filterRefused().ifPresent(missing::add);
        List<String> namespaces =
                List.of("unshare --net --uts --ipc --mount --cgroup --pid --fork --kill-child --".split(" "));
        List<String> probe = new ArrayList<>(namespaces);
        probe.addAll(List.of("ip", "-batch", "-"));
        HostCommand.Result all = HostCommand.of(probe)
                .changesNothing()
                .input("link add cwbr type bridge\nlink add cwv0 type veth peer name cwv1\n")
                .run("try namespaces and interfaces");
        if (all.exitStatus() != 0) {
            missing.add(
                    "namespaces, bridges or veth (" + String.join(" | ", HostCommand.lastLines(all.stderr())) + ")");
        }
        return missing;
    }

    /** Tries to set the filter of system calls of nodes; answers what is missing. */
    private static Optional<String> filterRefused() {
        return SystemCallFilter.ofThisMachine()
                .map(filter -> refusal(HostCommand.query("perl", "-e", SystemCallFilter.script(), "/dev/stdin", "true")
                                .input(filter)
                                .run("try a filter of system calls"))
                        .map(printed -> "filters of system calls, CONFIG_SECCOMP_FILTER (" + printed + ")"))
                .orElse(Optional.of(
                        "a processor of the kind x86-64 or ARM64, for which nodes have a filter of system calls"));
    }

    /** Tries to make a user namespace with the ids of this user; answers what the try printed, or nothing where it succeeded. */
    public Optional<String> refusedUserNamespace() {
        return refusal(HostCommand.query("true").run("try a user namespace"));
    }

    /** A setting of the kernel, such as {@code kernel/unprivileged_userns_clone}; empty where the kernel lacks it. */
    public String setting(String name) {
        try {
            // Not as one string: such a file has no more after a read of one byte, with which that begins.
            return String.join("\n", Files.readAllLines(Path.of("/proc/sys", name)))
                    .strip();
        } catch (IOException e) {
            return "";
        }
    }

    public String user() {
        return System.getProperty("user.name");
    }

    /** Whether this user has a range in {@code /etc/subuid} or {@code /etc/subgid}. */
    public boolean hasSubordinateIds(Path file) {
        try {
            String id = Files.getAttribute(Path.of("/proc/self"), "unix:uid").toString();
            return Files.readAllLines(file).stream()
                    .anyMatch(line -> line.startsWith(user() + ":") || line.startsWith(id + ":"));
        } catch (IOException e) {
            return false;
        }
    }

    /** The options of every overlay of nodes. */
    static String overlayOptions() {
        return UserNamespace.isNeeded() ? "userxattr" : "redirect_dir=off,metacopy=off";
    }

    /** Tries whether a folder can have layers of overlays; answers what the try printed, or nothing where it succeeded. */
    public Optional<String> refusedOverlay(Path folder) {
        // In mounts of its own, so that nothing stays mounted when it is killed.
        return refusal(HostCommand.query(
                        "unshare", "--mount", "sh", "-c", OVERLAY_TRIAL, "sh", folder.toString(), overlayOptions())
                .run("try an overlay"));
    }

    private static Optional<String> refusal(HostCommand.Result result) {
        return result.exitStatus() == 0
                ? Optional.empty()
                : Optional.of(String.join(" | ", HostCommand.lastLines(result.stderr())));
    }

    /** The folder for the disks of nodes, or the nearest one above it that exists. */
    public Path diskFolder() {
        Path folder = Folders.STANDARD.run();
        while (!Files.isDirectory(folder)) {
            folder = LayerFolder.above(folder);
        }
        return folder;
    }

    /** The file systems that are mounted in {@code /usr}, where an ordinary user's nodes could not see it. */
    public List<Path> mountsInUsr() {
        Path usr = Path.of("/usr");
        return Mounts.points().stream()
                .filter(point -> point.startsWith(usr) && !point.equals(usr))
                .toList();
    }

    private static boolean overlayIsThere() {
        try {
            return Files.readString(Path.of("/proc/filesystems")).contains("\toverlay\n")
                    || (isInstalled("modprobe")
                            && HostCommand.query("modprobe", "--dry-run", "overlay")
                                            .run("check for overlayfs")
                                            .exitStatus()
                                    == 0);
        } catch (IOException e) {
            return false;
        }
    }

    public List<String> systemFoldersElsewhere() {
        List<Path> points = Mounts.points();
        return SYSTEM_FOLDERS.stream()
                .filter(folder -> points.contains(Path.of(folder)))
                .toList();
    }

    /** Whether a node of this process gets a control group of its own in each hierarchy of this machine. */
    public boolean hasOwnCgroups() {
        try {
            return NodeCgroups.areWritable();
        } catch (IOException e) {
            return false;
        }
    }

    /** Whether a firewall drops what passes from one node to another. */
    public boolean bridgesAreFiltered() {
        if (UserNamespace.isNeeded()) {
            return false; // the namespace has no firewall
        }
        return setting("net/bridge/bridge-nf-call-iptables").equals("1")
                && isInstalled("iptables")
                && HostCommand.query("iptables", "-S", "FORWARD")
                        .run("check the firewall")
                        .stdout()
                        .contains("-P FORWARD DROP");
    }

    /** The highest limit of locked memory that a login can have; empty when there is none. */
    public Optional<MemlockLimit> highestMemlock() {
        return !UserNamespace.isNeeded()
                        && Capabilities.ofThisProcess()
                                .value()
                                .filter(Capabilities::canHaveSysResource)
                                .isPresent()
                ? Optional.empty()
                : MemlockProbe.limits().value().map(MemlockProbe.Limits::hard).filter(hard -> !hard.isUnlimited());
    }

    public String systemName() {
        return BaseSystem.THIS_MACHINE.name();
    }
}
