package io.clusterwright.linux.internal.packages;

import io.clusterwright.core.Command;
import io.clusterwright.core.NodeSession;
import io.clusterwright.core.internal.concurrent.Deadline;
import io.clusterwright.core.internal.concurrent.WaitTime;
import io.clusterwright.core.type.ClusterwrightException;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/**
 * Waits for processes that change the packages of a node, such as the unattended upgrades that start with a machine. Locks and their
 * holders are read from the kernel, so that the check itself locks nothing.
 */
public final class PackageLocks {
    /** Files that apt, dpkg, rpm and tdnf lock while they work. */
    private static final List<String> LOCKED = List.of(
            "/var/lib/dpkg/lock-frontend",
            "/var/lib/dpkg/lock",
            "/var/lib/apt/lists/lock",
            "/var/cache/apt/archives/lock",
            "/var/lib/rpm/.rpm.lock",
            "/usr/lib/sysimage/rpm/.rpm.lock",
            "/run/.tdnf-instance-lockfile");

    /** The file in which zypper, yum and dnf write their process id while they work. */
    private static final List<String> NUMBERED = List.of(
            "/run/zypp.pid",
            "/run/yum.pid",
            "/run/dnf.pid",
            "/var/lib/dnf/rpmdb_lock.pid",
            "/var/cache/dnf/metadata_lock.pid",
            "/var/cache/dnf/download_lock.pid");

    /** Prints a line for each holder: process, file and command line, separated by tabs. A process that waits for a lock holds none. */
    private static final String SCRIPT = """
        report() { printf '%%s\\t%%s\\t%%s\\n' "$1" "$2" "$(tr '\\000' ' ' </proc/"$1"/cmdline 2>/dev/null)"; }
        find /proc/[0-9]*/fd -maxdepth 1 -type l '(' %s ')' -printf '%%h %%l\\n' 2>/dev/null | sort -u |
        while read -r folder file; do
            pid=${folder#/proc/}
            pid=${pid%%/fd}
            if grep -Eq "^[0-9]+: +(POSIX|FLOCK) +[A-Z]+ +WRITE +$pid " /proc/locks; then report "$pid" "$file"; fi
        done
        for file in %s; do
            [ -r "$file" ] || continue
            pid=$(tr -cd 0-9 <"$file" || :)
            if [ -n "$pid" ] && [ -d "/proc/$pid" ]; then report "$pid" "$file"; fi
        done
        """.formatted(
                    LOCKED.stream().map(file -> "-lname " + file).collect(Collectors.joining(" -o ")),
                    String.join(" ", NUMBERED));

    private static final Duration PAUSE = Duration.ofSeconds(1);
    private static final Duration LOOK = Duration.ofSeconds(60);

    private PackageLocks() {}

    /** Returns when no process holds a lock; fails at the limit, naming the holders. */
    public static void await(NodeSession session, Duration limit, Consumer<String> progress) {
        Deadline deadline = Deadline.in(WaitTime.RUNNING, "wait for package locks", limit);
        String said = "";
        while (true) {
            List<String> holders = session.run(Command.shell(SCRIPT).elevate().timeout(LOOK))
                    .orThrow()
                    .stdout()
                    .lines()
                    .map(PackageLocks::holder)
                    .distinct()
                    .toList();
            if (holders.isEmpty()) {
                return;
            }
            String all = String.join("; ", holders);
            if (deadline.passed()) {
                throw new ClusterwrightException("on " + session.node() + ", packages are still being changed after "
                        + limit.toSeconds() + " s: " + all
                        + "; wait until that process ends, such as an unattended upgrade, or end it, and"
                        + " try again");
            }
            if (!all.equals(said)) {
                progress.accept(session.node() + ": waiting for " + all);
                said = all;
            }
            Packages.pause(session, PAUSE);
        }
    }

    private static String holder(String line) {
        String[] parts = line.split("\t", 3);
        String command = parts.length > 2 ? parts[2].strip() : "";
        return "process " + parts[0] + (command.isEmpty() ? "" : " (" + command + ")") + " holds "
                + (parts.length > 1 ? parts[1] : "a lock");
    }
}
