package io.clusterwright.mpi.check;

import io.clusterwright.core.Cluster;
import io.clusterwright.core.Command;
import io.clusterwright.core.Node;
import io.clusterwright.core.NodeOutcome;
import io.clusterwright.core.NodeResults;
import io.clusterwright.core.spec.ClusterSpec;
import io.clusterwright.core.spec.Customization.MemlockRule;
import io.clusterwright.core.type.InvalidValueException;
import io.clusterwright.core.type.MemlockLimit;
import io.clusterwright.core.type.MemlockSubject;
import io.clusterwright.core.type.NodeName;
import io.clusterwright.core.type.UserName;
import io.clusterwright.mpi.JobFailedException;
import io.clusterwright.mpi.JobTarget;
import io.clusterwright.mpi.MpiNotFoundException;
import io.clusterwright.mpi.internal.check.MemlockInsideMpi;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Proves the limits of locked memory that the spec asks for: on every node, in a new SSH session and inside {@code mpirun}, as the
 * user that MPI jobs run as and as root (through {@code sudo -n} of the login user).
 *
 * <p>Where a node's kernel lets no user raise a limit, the check proves the highest limit that is possible, and the row says so.
 */
public final class MemlockCheck {
    private static final String SESSION_ROOT = "ulimit -l; sed -n 's/^CapBnd:[[:space:]]*//p' /proc/1/status;"
            + " sed -n 's/^Max locked memory *[^ ]* *\\([^ ]*\\) .*/\\1/p' /proc/1/limits";
    private static final int CAP_SYS_RESOURCE = 24;

    private final Cluster cluster;

    private MemlockCheck(Cluster cluster) {
        this.cluster = cluster;
    }

    /** The proof for a cluster. */
    public static MemlockCheck on(Cluster cluster) {
        return new MemlockCheck(cluster);
    }

    /**
     * Asks every node, each of the two MPI runs at most this long.
     *
     * @throws MpiNotFoundException when there is no MPI on the first node
     * @throws JobFailedException when this thread was interrupted
     */
    public Report run(Duration limit) {
        Map<NodeName, Root> roots = roots();
        Map<NodeName, MemlockLimit> users = users();
        var insideAsUser = MemlockInsideMpi.on(JobTarget.of(cluster)).run(limit);
        var insideAsLogin =
                MemlockInsideMpi.on(JobTarget.of(cluster, cluster.loginUser())).run(limit);
        Optional<MemlockLimit> userRule = ruleOf(cluster.spec(), cluster.mpiUser());
        Optional<MemlockLimit> rootRule = ruleOf(cluster.spec(), UserName.ROOT);
        List<Row> rows = new ArrayList<>();
        for (Node node : cluster.nodes()) {
            NodeName name = node.name();
            Root root = roots.getOrDefault(name, Root.UNKNOWN);
            Optional<MemlockLimit> user = userRule.map(root::possible);
            Optional<MemlockLimit> asRoot = rootRule.map(root::possible);
            var ranks = Optional.ofNullable(insideAsUser.limits().get(name));
            var rootRanks = Optional.ofNullable(insideAsLogin.limits().get(name));
            String who = cluster.mpiUser().value();
            rows.add(new Row(name, who, Place.SESSION, text(Optional.ofNullable(users.get(name))), text(user)));
            rows.add(new Row(name, who, Place.MPIRUN, text(ranks.flatMap(MemlockInsideMpi.Limits::user)), text(user)));
            rows.add(new Row(name, "root", Place.SESSION, root.inForce, text(asRoot)));
            rows.add(new Row(
                    name, "root", Place.MPIRUN, text(rootRanks.flatMap(MemlockInsideMpi.Limits::root)), text(asRoot)));
        }
        boolean lowered = Stream.concat(userRule.stream(), rootRule.stream())
                .anyMatch(rule -> roots.values().stream()
                        .anyMatch(root -> !root.possible(rule).equals(rule)));
        return new Report(rows, lowered, highest(roots));
    }

    /** pam_limits prefers a line for the user over one for a group, and that over one for all; root heeds its own line only. */
    private static Optional<MemlockLimit> ruleOf(ClusterSpec spec, UserName user) {
        List<MemlockRule> rules = spec.image().customize().memlock();
        Optional<MemlockLimit> own = rules.stream()
                .filter(rule -> rule.who() instanceof MemlockSubject.User named
                        && named.name().equals(user))
                .map(MemlockRule::limit)
                .findFirst();
        if (own.isPresent()) {
            return own;
        }
        if (user.equals(UserName.ROOT)) {
            return rules.stream()
                    .filter(rule -> !(rule.who() instanceof MemlockSubject.User))
                    .map(MemlockRule::limit)
                    .max(Comparator.naturalOrder());
        }
        List<String> groups = spec.image()
                .customize()
                .user()
                .map(account -> account.groups().stream().map(Object::toString).toList())
                .orElse(List.of());
        return rules.stream()
                .filter(rule -> rule.who() instanceof MemlockSubject.Group group
                        && groups.contains(group.name().toString()))
                .map(MemlockRule::limit)
                .findFirst()
                .or(() -> rules.stream()
                        .filter(rule -> rule.who() instanceof MemlockSubject.Everyone)
                        .map(MemlockRule::limit)
                        .findFirst());
    }

    private Map<NodeName, Root> roots() {
        Map<NodeName, Root> roots = new HashMap<>();
        NodeResults results =
                cluster.runInNewSessions(Command.of("sh", "-c", SESSION_ROOT).elevate(), cluster.loginUser());
        for (NodeOutcome outcome : results.orThrow().outcomes()) {
            if (outcome instanceof NodeOutcome.Completed completed) {
                roots.put(outcome.node(), Root.parse(completed.result().stdout()));
            }
        }
        return roots;
    }

    private Map<NodeName, MemlockLimit> users() {
        Map<NodeName, MemlockLimit> users = new HashMap<>();
        NodeResults results = cluster.runInNewSessions(Command.of("sh", "-c", "ulimit -l"), cluster.mpiUser());
        for (NodeOutcome outcome : results.orThrow().outcomes()) {
            if (outcome instanceof NodeOutcome.Completed completed) {
                users.put(
                        outcome.node(),
                        MemlockLimit.parse(completed.result().stdout().strip()));
            }
        }
        return users;
    }

    private static String highest(Map<NodeName, Root> roots) {
        return roots.values().stream()
                .filter(root -> !root.mayRaise)
                .map(root -> root.hard)
                .min(Comparator.naturalOrder())
                .map(MemlockCheck::people)
                .orElse("unlimited");
    }

    private static String text(Optional<MemlockLimit> limit) {
        return limit.map(MemlockLimit::toString).orElse("");
    }

    private static String people(MemlockLimit limit) {
        return limit.isUnlimited() ? "unlimited" : limit + " KiB";
    }

    /** The places where a limit is read. */
    public enum Place {
        /** In an SSH session. */
        SESSION,
        /** In a rank that {@code mpirun} started. */
        MPIRUN
    }

    /**
     * One limit.
     *
     * @param node where
     * @param user whose
     * @param place in what
     * @param inForce {@code unlimited} or KiB, as the shell prints it; empty when it could not be read
     * @param expected what the spec leads to on this node; empty when the spec says nothing about this user
     */
    public record Row(NodeName node, String user, Place place, String inForce, String expected) {
        /** Whether the limit was read and is the expected one, if one is expected. */
        public boolean holds() {
            return !inForce.isEmpty() && (expected.isEmpty() || expected.equals(inForce));
        }
    }

    /**
     * The limits that were found.
     *
     * @param rows four for each node: each user in each place
     * @param lowered whether a node's kernel does not allow what the spec asks for, so that less is expected
     * @param highest the highest limit that all nodes can have, for people
     */
    public record Report(List<Row> rows, boolean lowered, String highest) {
        /** Copies the list. */
        public Report {
            rows = List.copyOf(rows);
        }

        /** Whether all rows hold. */
        public boolean passed() {
            return rows.stream().allMatch(Row::holds);
        }
    }

    private record Root(String inForce, boolean mayRaise, MemlockLimit hard) {
        static final Root UNKNOWN = new Root("", true, MemlockLimit.UNLIMITED);

        static Root parse(String answer) {
            List<String> lines = answer.strip().lines().map(String::strip).toList();
            if (lines.size() != 3) {
                return UNKNOWN;
            }
            try {
                long capabilities = Long.parseUnsignedLong(lines.get(1), 16);
                MemlockLimit hard = lines.get(2).equals("unlimited")
                        ? MemlockLimit.UNLIMITED
                        : MemlockLimit.of(Long.parseLong(lines.get(2)) / 1024);
                return new Root(lines.get(0), (capabilities >> CAP_SYS_RESOURCE & 1) == 1, hard);
            } catch (InvalidValueException | NumberFormatException e) {
                return UNKNOWN;
            }
        }

        MemlockLimit possible(MemlockLimit wanted) {
            return mayRaise || hard.covers(wanted) ? wanted : hard;
        }
    }
}
