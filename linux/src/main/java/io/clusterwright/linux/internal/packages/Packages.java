package io.clusterwright.linux.internal.packages;

import io.clusterwright.core.Command;
import io.clusterwright.core.CommandException;
import io.clusterwright.core.CommandResult;
import io.clusterwright.core.NodeSession;
import io.clusterwright.core.internal.concurrent.Deadline;
import io.clusterwright.core.internal.concurrent.Tasks;
import io.clusterwright.core.internal.concurrent.WaitTime;
import io.clusterwright.core.spec.Customization.Updates.Install;
import io.clusterwright.core.spec.Customization.Updates.Kernel;
import io.clusterwright.core.spi.NodeBackend.PackageFeed;
import io.clusterwright.core.spi.NodeBackend.PackageFeed.Demand;
import io.clusterwright.core.spi.NodeBackend.PackageFeed.Supply;
import io.clusterwright.core.type.ClusterwrightException;
import io.clusterwright.linux.internal.node.NodeSetup;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** The packages of a node: asks its package manager, waits for its lock, and keeps services from starting by themselves. */
public final class Packages {
    private static final Duration LONG = Duration.ofMinutes(30);
    private static final Duration LOCK_PATIENCE = Duration.ofMinutes(5);
    private static final Duration LOCK_PAUSE = Duration.ofSeconds(2);

    /**
     * Debian builds its index of manual pages anew whenever a package with one is installed, which takes longer than most
     * packages. Where no init system runs, a package's service would fail to start, or start outside of anybody's care.
     */
    private static final String QUIET = """
            pages=/var/lib/man-db/auto-update
            if [ -e $pages ]; then mv $pages $pages.clusterwright; fi
            [ -d /run/systemd/system ] && exit 0
            if [ -d /etc/dpkg ] && { [ ! -e /usr/sbin/policy-rc.d ] || grep -q clusterwright /usr/sbin/policy-rc.d; }; then
                printf '#!/bin/sh\\n# clusterwright\\nexit 101\\n' >/usr/sbin/policy-rc.d
                chmod 755 /usr/sbin/policy-rc.d
            fi
            """;

    private static final String AS_BEFORE = """
            pages=/var/lib/man-db/auto-update
            if [ -e $pages.clusterwright ]; then mv $pages.clusterwright $pages; fi
            if [ -e /usr/sbin/policy-rc.d ] && grep -q clusterwright /usr/sbin/policy-rc.d; then
                rm -f /usr/sbin/policy-rc.d
            fi
            """;

    private final NodeSetup setup;
    private final PackageFeed feed;
    private final PackageManager manager;
    private boolean refreshed;

    Packages(NodeSetup setup, PackageFeed feed, PackageManager manager) {
        this.setup = setup;
        this.feed = feed;
        this.manager = manager;
    }

    /** The packages of the node that is set up. */
    public static Packages of(NodeSetup setup, PackageFeed feed) {
        OsRelease system = OsRelease.parse(setup.run(Command.of("cat", "/etc/os-release")));
        PackageManager manager = system.packageManager()
                .orElseThrow(() -> new ClusterwrightException("on "
                        + setup.session().node() + ", the system is "
                        + system.prettyName() + ", and its package manager is not supported (apt, zypper, dnf and"
                        + " tdnf are): choose another image.base, or remove updates, packages and mpi"));
        return new Packages(setup, feed, manager);
    }

    public PackageManager manager() {
        return manager;
    }

    /** Installs the packages that are not installed, and whatever they need. */
    public void install(List<String> packages) {
        CommandResult asked = setup.session().run(prepared(Command.of(manager.listInstalled(packages))));
        List<String> missing = new ArrayList<>(packages);
        missing.removeAll(manager.parseInstalled(asked.stdout()));
        if (missing.isEmpty()) {
            return;
        }
        Supply supply = feed.supply(setup.session(), manager.toString(), Demand.INSTALL, missing);
        refresh(supply);
        quietly(() -> change(manager.install(missing, supply)));
    }

    /** Installs files that lie on the node by a script. */
    public void installFiles(String script) {
        quietly(() -> ask(prepared(Command.shell(script))));
    }

    /** Brings the system up to date; answers how many packages were asked for. */
    public int update() {
        boolean hold = setup.customization().updates().kernel() == Kernel.HOLD;
        Install which = setup.customization().updates().install();
        if (feed == PackageFeed.ONLINE) {
            refresh(Supply.ONLINE);
        }
        List<String> updates = manager.parseUpdates(
                which, hold, ask(manager.listUpdates(which)).stdout());
        Supply supply = feed.supply(setup.session(), manager.toString(), Demand.UPDATE, updates);
        refresh(supply);
        if (!updates.isEmpty()) {
            quietly(() -> change(manager.update(which, hold, updates, supply)));
        }
        return updates.size();
    }

    /** The kernel packages that are installed, as {@code name version}. */
    public List<String> kernels() {
        return manager.parseKernels(ask(manager.listKernels()).stdout());
    }

    public void holdKernel(boolean hold, List<String> kernels) {
        List<String> command = manager.holdKernel(hold, kernels);
        if (!command.isEmpty()) {
            ask(command);
        }
    }

    /** Does work during which packages do only what an image needs: no index of manual pages, no service without an init system. */
    private void quietly(Runnable work) {
        setup.runAsRoot(QUIET);
        try {
            work.run();
        } finally {
            setup.runAsRoot(AS_BEFORE);
        }
    }

    private void refresh(Supply supply) {
        if (supply == Supply.ONLINE && !refreshed) {
            ask(manager.refresh());
            refreshed = true;
        }
    }

    private void change(List<String> words) {
        if (manager.wantsAnotherRun(ask(words).exitStatus())) {
            ask(words);
        }
    }

    /** Runs a command of the manager, again and again while somebody else holds its lock. */
    private CommandResult ask(Command command) {
        Deadline deadline = Deadline.in("patience", LOCK_PATIENCE);
        boolean said = false;
        while (true) {
            CommandResult result = setup.session().run(command);
            if (manager.succeeded(result.exitStatus())) {
                return result;
            }
            if (!manager.isLocked(result.exitStatus(), result.stdout() + result.stderr())) {
                throw new CommandException.Failed(result);
            }
            if (deadline.passed()) {
                throw new ClusterwrightException(
                        "on " + setup.session().node() + ", " + manager
                                + " was locked by another process for " + LOCK_PATIENCE.toMinutes()
                                + " min; end that process, such as an unattended upgrade, and try again",
                        new CommandException.Failed(result));
            }
            if (!said) {
                setup.report(manager + " is in use by another process: waiting for it");
                said = true;
            }
            pause(setup.session(), LOCK_PAUSE);
        }
    }

    /** Waits for a process that changes the packages of a node. */
    static void pause(NodeSession session, Duration length) {
        Tasks.interruptibly(
                "interrupted while waiting for the packages of " + session.node(),
                () -> WaitTime.RUNNING.sleep(length));
    }

    private CommandResult ask(List<String> words) {
        return ask(prepared(Command.of(words)));
    }

    private Command prepared(Command asked) {
        Command command = asked.elevate().timeout(LONG);
        for (Map.Entry<String, String> variable : manager.environment().entrySet()) {
            command = command.environment(variable.getKey(), variable.getValue());
        }
        return command;
    }

    /**
     * A distribution as its os-release(5) describes it.
     *
     * @param id such as {@code debian}
     * @param idLike what it is like, blank-separated; may be empty
     * @param prettyName its name for people
     */
    public record OsRelease(String id, String idLike, String prettyName) {
        private static final Pattern LINE = Pattern.compile("([A-Z_]+)=[\"']?(.*?)[\"']?");

        private static final Map<String, PackageManager> FAMILIES = new HashMap<>();

        static {
            List.of("debian", "ubuntu").forEach(word -> FAMILIES.put(word, PackageManager.APT));
            List.of("suse", "sles", "sle_hpc", "opensuse", "opensuse-leap", "opensuse-tumbleweed")
                    .forEach(word -> FAMILIES.put(word, PackageManager.ZYPPER));
            List.of("azurelinux", "mariner", "photon").forEach(word -> FAMILIES.put(word, PackageManager.TDNF));
            List.of("rhel", "fedora", "centos", "almalinux", "rocky", "ol")
                    .forEach(word -> FAMILIES.put(word, PackageManager.DNF));
        }

        /** Reads the file. */
        public static OsRelease parse(String text) {
            Map<String, String> values = new HashMap<>();
            text.lines().map(String::strip).forEach(line -> {
                Matcher pair = LINE.matcher(line);
                if (pair.matches()) {
                    values.put(pair.group(1), pair.group(2));
                }
            });
            String id = values.getOrDefault("ID", "linux");
            return new OsRelease(id, values.getOrDefault("ID_LIKE", ""), values.getOrDefault("PRETTY_NAME", id));
        }

        /** The package manager, when the distribution is one we know. */
        Optional<PackageManager> packageManager() {
            return Stream.of((id + " " + idLike).split("\\s+"))
                    .flatMap(word -> Optional.ofNullable(FAMILIES.get(word)).stream())
                    .findFirst();
        }
    }
}
