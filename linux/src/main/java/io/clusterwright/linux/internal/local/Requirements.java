package io.clusterwright.linux.internal.local;

import io.clusterwright.linux.local.Requirement;
import java.util.ArrayList;
import java.util.List;

/** Checks the requirements of local nodes in order; stops where a missing one prevents the others' checks. */
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
            missing(2, "root", "local nodes need root, and this is an ordinary user", LocalRules.BECOME_ROOT);
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

    private void kernel() {
        List<String> lacking = facts.missingKernelParts();
        if (lacking.isEmpty()) {
            met("kernel", "has overlay file systems, namespaces, bridges and veth");
        } else {
            missing(
                    4,
                    "kernel",
                    "the kernel of this machine lacks " + String.join(", ", lacking),
                    "use a kernel with overlayfs, namespaces, bridges and veth, and run as root outside of a container");
        }
    }

    private void met(String check, String detail) {
        list.add(new Requirement(check, true, detail, "", ""));
    }

    private void missing(int number, String check, String detail, String remedy) {
        list.add(new Requirement(check, false, detail, remedy, LocalRules.code(number)));
    }
}
