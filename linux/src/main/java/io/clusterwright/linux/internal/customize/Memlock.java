package io.clusterwright.linux.internal.customize;

import io.clusterwright.core.Command;
import io.clusterwright.core.CommandResult;
import io.clusterwright.core.internal.text.PrintableText;
import io.clusterwright.core.spec.Customization.MemlockRule;
import io.clusterwright.core.type.ClusterwrightException;
import io.clusterwright.core.type.MemlockLimit;
import io.clusterwright.core.type.MemlockSubject;
import io.clusterwright.core.type.UserName;
import io.clusterwright.linux.LimitsConf;
import io.clusterwright.linux.SystemdLimits;
import io.clusterwright.linux.internal.node.FileBatch;
import io.clusterwright.linux.internal.node.NodeFiles;
import io.clusterwright.linux.internal.node.NodePath;
import io.clusterwright.linux.internal.node.NodeSetup;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Limits of locked memory, for logins and for services. What was written is proven by a login before it is relied on,
 * and taken back when that fails. {@code LimitsConf} makes the lines, also those for a group.
 */
public final class Memlock {
    private static final NodePath LIMITS = NodePath.of(LimitsConf.PATH);
    private static final NodePath LAST = NodePath.of("/etc/security/limits.d/zz-clusterwright-memlock.conf");
    private static final NodePath SERVICES = NodePath.of(SystemdLimits.MANAGER_PATH);
    private static final String LATER_FILES = "cat /etc/security/limits.d/*.conf 2>/dev/null || :\n";
    /** Prints the limit of a login. */
    private static final String LOGIN = "exec su -s /bin/sh \"$1\" -c 'ulimit -l'";

    /** Before {@link #LOGIN}: another soft limit, so that a login that sets none does not inherit the expected limit. */
    private static final String LOWER = "ulimit -S -l 0 && ";

    /** Prints each line with a domain and a dash alone, behind its file: it switches all limits off for its users. */
    private static final String SWITCHED_OFF =
            "grep -HE '^[[:space:]]*[^#[:space:]]+[[:space:]]+-[^#[:space:]]*[[:space:]]*(#.*)?$' " + LimitsConf.PATH
                    + " /etc/security/limits.d/*.conf 2>/dev/null || :\n";

    private final NodeSetup setup;
    private final NodeLimits limits;

    private Memlock(NodeSetup setup, NodeLimits limits) {
        this.setup = setup;
        this.limits = limits;
    }

    static void run(NodeSetup setup) {
        List<MemlockRule> rules = setup.customization().memlock();
        if (!rules.isEmpty()) {
            new Memlock(setup, NodeLimits.parse(setup.runAsRoot(NodeLimits.SCRIPT))).write(rules);
        }
    }

    static void write(CloudConfig data) {
        List<MemlockRule> rules = data.customization().memlock();
        if (!rules.isEmpty()) {
            LimitsConf limits = limits(rules);
            data.init()
                    .addFile(LAST.path(), limits.text(), CloudConfig.TEXT)
                    .addFile(SERVICES.path(), new SystemdLimits(highest(limits)).managerDropIn(), CloudConfig.TEXT);
            data.step("limits of locked memory", "if [ -d /run/systemd/system ]; then systemctl daemon-reexec; fi\n");
        }
    }

    /** The limits in force, from the rules and from what the node allows; root gets what the others get, by name. */
    static LimitsConf conf(List<MemlockRule> rules, NodeLimits limits) {
        LimitsConf conf = LimitsConf.none();
        for (MemlockRule rule : rules) {
            conf = conf.memlock(rule.who(), limits.possible(rule.limit()));
        }
        Optional<MemlockLimit> shared =
                rules.stream().anyMatch(rule -> rule.who().appliesToRoot())
                        ? Optional.empty()
                        : rules.stream()
                                .filter(rule -> !(rule.who() instanceof MemlockSubject.User))
                                .map(MemlockRule::limit)
                                .max(MemlockLimit::compareTo);
        return shared.isPresent() ? conf.root(limits.possible(shared.get())) : conf;
    }

    /** The limits that a spec asks for, as a node has them whose kernel sets no bound. */
    public static LimitsConf limits(List<MemlockRule> rules) {
        return conf(rules, new NodeLimits(true, MemlockLimit.UNLIMITED));
    }

    /** The highest of the limits, which services get; without limits, none. */
    public static MemlockLimit highest(LimitsConf limits) {
        return limits.limits().values().stream().max(MemlockLimit::compareTo).orElse(MemlockLimit.UNLIMITED);
    }

    private void write(List<MemlockRule> rules) {
        LimitsConf conf = conf(rules, limits);
        NodeFiles before = NodeFiles.read(setup.session(), List.of(LIMITS));
        FileBatch batch = new FileBatch()
                .put(LIMITS, conf.edit(before.text(LIMITS)))
                .folder(NodePath.of(parent(SystemdLimits.MANAGER_PATH)), "755", "root:")
                .put(SERVICES, new SystemdLimits(highest(conf)).managerDropIn(), "644", "root:");
        if (!conf.overriddenBy(setup.runAsRoot(LATER_FILES)).isEmpty()) {
            batch.folder(NodePath.of(parent(LAST.path())), "755", "root:").put(LAST, conf.text(), "644", "root:");
            setup.report("files of /etc/security/limits.d say otherwise: the limits are written after them as well");
        }
        setup.run(batch.command());
        rules.forEach(rule -> setup.report(describe(rule)));
        prove(conf, before.text(LIMITS));
    }

    private String describe(MemlockRule rule) {
        MemlockLimit written = limits.possible(rule.limit());
        String text = "memlock of " + rule.who() + ": " + people(written);
        return written.equals(rule.limit())
                ? text
                : text + ", the most this node's kernel allows (no CAP_SYS_RESOURCE); asked for was "
                        + people(rule.limit());
    }

    private static String people(MemlockLimit limit) {
        return limit.isUnlimited() ? "unlimited" : limit + " KiB";
    }

    /**
     * The login is made by sudo, to which root's limit applies first: where no one may raise a limit, no user gets more than
     * root there. An SSH session does, which the cluster's own proof shows.
     */
    private MemlockLimit throughSudo(LimitsConf conf, MemlockLimit expected) {
        MemlockLimit root = conf.limits().get(new MemlockSubject.User(UserName.ROOT));
        return limits.mayRaise() || root == null || root.covers(expected) ? expected : root;
    }

    private void prove(LimitsConf conf, String before) {
        for (UserName user : List.of(setup.spec().mpiUser(), UserName.ROOT)) {
            Optional<MemlockLimit> written = expected(conf, user);
            Optional<MemlockLimit> expected = written.map(limit -> throughSudo(conf, limit));
            if (expected.isPresent()) {
                // Where the login cannot raise root's limit, it keeps what it inherits.
                String script = expected.equals(written) ? LOWER + LOGIN : LOGIN;
                CommandResult login = setup.session()
                        .run(Command.of("sh", "-c", script, "sh", user.value()).elevate());
                String found = login.succeeded()
                        ? PrintableText.output(login.stdout())
                        : "no login: " + PrintableText.output(login.stderr());
                if (!found.equals(expected.get().toString())) {
                    String off = setup.runAsRoot(SWITCHED_OFF).strip();
                    setup.run(new FileBatch().put(LIMITS, before).command());
                    throw new ClusterwrightException("on " + setup.session().node() + ", a login of " + user
                            + " has a limit of locked memory of " + found + " instead of " + expected.get()
                            + "; " + LIMITS + " was restored. "
                            + (off.isEmpty()
                                    ? "Check that /etc/pam.d/su and sshd use pam_limits"
                                    : "A line with '-' alone switches off all limits of its users. Remove: "
                                            + String.join(", ", off.lines().toList())));
                }
            }
        }
    }

    /** pam_limits prefers a line for the user over one for a group, and that over one for all. */
    private Optional<MemlockLimit> expected(LimitsConf conf, UserName user) {
        MemlockLimit own = conf.limits().get(new MemlockSubject.User(user));
        if (own != null || user.equals(UserName.ROOT)) {
            return Optional.ofNullable(own);
        }
        List<String> groups =
                List.of(setup.run(Command.of("id", "-Gn", user.value())).strip().split(" "));
        return conf.limits().entrySet().stream()
                .filter(entry -> entry.getKey() instanceof MemlockSubject.Group group
                        && groups.contains(group.name().value()))
                .map(Map.Entry::getValue)
                .findFirst()
                .or(() -> Optional.ofNullable(conf.limits().get(new MemlockSubject.Everyone())));
    }

    private static String parent(String path) {
        return path.substring(0, path.lastIndexOf('/'));
    }

    /**
     * Bounds that a node's kernel sets on locked memory.
     *
     * @param mayRaise whether a limit may be raised above the hard limit (CAP_SYS_RESOURCE)
     * @param hard the hard limit that everything on the node starts with
     */
    record NodeLimits(boolean mayRaise, MemlockLimit hard) {
        /** Prints the capabilities that processes of the node can have at most, and the hard limit in bytes, both of its init. */
        static final String SCRIPT = """
                sed -n 's/^CapBnd:[[:space:]]*//p' /proc/1/status
                sed -n 's/^Max locked memory *[^ ]* *\\([^ ]*\\) .*/\\1/p' /proc/1/limits
                """;

        private static final int CAP_SYS_RESOURCE = 24;

        static NodeLimits parse(String answer) {
            List<String> lines = answer.lines().map(String::strip).toList();
            if (lines.size() != 2) {
                throw new ClusterwrightException("the node's limits cannot be read from \"" + answer.strip() + "\"");
            }
            long capabilities = Long.parseUnsignedLong(lines.get(0), 16);
            MemlockLimit hard = lines.get(1).equals("unlimited")
                    ? MemlockLimit.UNLIMITED
                    : MemlockLimit.of(Long.parseLong(lines.get(1)) / 1024);
            return new NodeLimits((capabilities >> CAP_SYS_RESOURCE & 1) == 1, hard);
        }

        /** The limit, or the highest that can be. */
        MemlockLimit possible(MemlockLimit wanted) {
            return mayRaise || hard.covers(wanted) ? wanted : hard;
        }
    }
}
