package io.clusterwright.linux.internal.local;

import io.clusterwright.linux.local.Requirement;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;

/** Checks the requirements of local nodes in order, for root or for an ordinary user; stops where a missing one prevents the others' checks. */
public final class Requirements {
    private final HostFacts facts;
    private final List<Requirement> list = new ArrayList<>();

    private Requirements(HostFacts facts) {
        this.facts = facts;
    }

    public static List<Requirement> of(HostFacts facts) {
        Requirements requirements = new Requirements(facts);
        requirements.check();
        return List.copyOf(requirements.list);
    }

    private void check() {
        if (facts.isLinux()) {
            met("Linux", "this is " + facts.systemName());
        } else {
            missing(1, "Linux", "local nodes need Linux, and this is " + facts.system(), "run this on Linux");
            return;
        }
        List<String> programs = facts.missingPrograms();
        if (programs.isEmpty()) {
            met("programs", "all are installed");
        } else {
            missing(3, "programs", "this machine has no " + String.join(", ", programs), facts.installLine(programs));
        }
        if (facts.isRoot() && facts.inUserNamespace()) {
            missing(
                    2,
                    "root",
                    "local nodes need root, and this is root of a user namespace only",
                    "run the command as root of the machine, not in a rootless container or unshare --user");
            return;
        } else if (facts.isRoot()) {
            met("root", "this is root");
        } else {
            withoutRoot(programs.isEmpty());
            return;
        }
        if (programs.isEmpty()) {
            kernel();
        }
        List<String> elsewhere = facts.systemFoldersElsewhere();
        if (elsewhere.isEmpty()) {
            met("one file system", "the system's folders are on one file system");
        } else {
            missing(
                    8,
                    "one file system",
                    String.join(", ", elsewhere)
                            + " is a separate file system, and local nodes see the root file system only",
                    "use a machine with one file system for /, /usr, /etc, /var and /opt");
        }
    }

    /** An ordinary user has nodes in a user namespace. */
    private void withoutRoot(boolean hasPrograms) {
        if (!hasPrograms) {
            return;
        }
        Optional<String> refused = facts.refusedUserNamespace();
        if (refused.isPresent()) {
            Refusal refusal = Refusal.of(facts::setting, facts::hasSubordinateIds, facts.user(), refused.get());
            missing(2, "user namespace", refusal.detail(), refusal.remedy());
            return;
        }
        met("user namespace", "nodes of " + facts.user() + " need no root: they run in a user namespace");
        kernel();
        facts.refusedOverlay(facts.diskFolder())
                .ifPresentOrElse(
                        refusal -> missing(
                                4,
                                "disks",
                                "the file system of " + facts.diskFolder() + " takes no disks of nodes: " + refusal,
                                "set XDG_DATA_HOME to a folder of ext4, XFS or Btrfs, or run the command as root"),
                        () -> met("disks", "are in " + Folders.STANDARD.run()));
        List<Path> mounted = facts.mountsInUsr();
        if (mounted.isEmpty()) {
            met("one file system", "no other file system is mounted in /usr");
        } else {
            missing(
                    8,
                    "one file system",
                    mounted.get(0) + " is a separate file system, and nodes of an ordinary user cannot see /usr then",
                    "run: umount " + mounted.get(0) + ", or run the command as root");
        }
        met(
                "locked memory of nodes",
                facts.highestMemlock()
                        .map(highest -> "at most " + highest + " KiB, the hard limit of " + facts.user())
                        .orElse("unlimited"));
    }

    /**
     * A reason for which this user cannot have a user namespace.
     *
     * @param detail the reason
     * @param remedy what an administrator changes
     */
    record Refusal(String detail, String remedy) {
        private static final String ASK = "run the command as root, or ask the administrator to run: ";

        /**
         * The reason, by the settings of this machine.
         *
         * @param settings the value of a kernel setting, empty for none
         * @param hasIds whether the user has a range in a file such as {@code /etc/subuid}
         * @param printed what a try printed
         */
        static Refusal of(UnaryOperator<String> settings, Predicate<Path> hasIds, String user, String printed) {
            for (Setting setting : Setting.ALL) {
                String value = settings.apply(setting.name.replace('.', '/'));
                if (value.equals(setting.refuses)) {
                    return new Refusal(
                            "local nodes need root or user namespaces, and the kernel setting " + setting.name + " is "
                                    + value,
                            ASK + "sysctl -w " + setting.name + "=" + setting.allows);
                }
            }
            for (String file : List.of("/etc/subuid", "/etc/subgid")) {
                if (!hasIds.test(Path.of(file))) {
                    return new Refusal(
                            "local nodes need root or a range of ids, and " + file + " lacks the user " + user,
                            ASK + "usermod --add-subuids 100000-165535 --add-subgids 100000-165535 " + user);
                }
            }
            return new Refusal(
                    "local nodes need root or a user namespace, and this user cannot make one: " + printed,
                    "run the command as root, or where user namespaces are allowed, as in no container");
        }

        /** A setting of the kernel by which an administrator forbids user namespaces. */
        private record Setting(String name, String refuses, String allows) {
            private static final List<Setting> ALL = List.of(
                    new Setting("kernel.unprivileged_userns_clone", "0", "1"),
                    new Setting("user.max_user_namespaces", "0", "15000"),
                    new Setting("kernel.apparmor_restrict_unprivileged_userns", "1", "0"));
        }
    }

    private void kernel() {
        List<String> lacking = facts.missingKernelParts();
        if (lacking.isEmpty()) {
            met(
                    "cgroups",
                    facts.hasOwnCgroups()
                            ? "each node has a control group of its own"
                            : "nodes share the control group of the command that starts them, because " + facts.user()
                                    + " cannot make control groups here");
            met("kernel", "has overlay file systems, namespaces, filters of system calls, bridges and veth");
        } else {
            missing(
                    4,
                    "kernel",
                    "the kernel of this machine lacks " + String.join(", ", lacking),
                    "use a kernel with overlayfs, namespaces, seccomp, bridges and veth, and run as root outside of a container");
        }
    }

    private void met(String check, String detail) {
        list.add(new Requirement(check, true, detail, "", ""));
    }

    private void missing(int number, String check, String detail, String remedy) {
        list.add(new Requirement(check, false, detail, remedy, LocalRules.code(number)));
    }
}
