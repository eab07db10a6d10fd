package io.clusterwright.mpi.check;

import io.clusterwright.core.Cluster;
import io.clusterwright.core.Command;
import io.clusterwright.core.Node;
import io.clusterwright.core.NodeOutcome;
import io.clusterwright.core.NodeResults;
import io.clusterwright.core.plan.Finding;
import io.clusterwright.core.spec.ClusterSpec;
import io.clusterwright.core.spec.Customization.MemlockRule;
import io.clusterwright.core.type.InvalidValueException;
import io.clusterwright.core.type.MemlockLimit;
import io.clusterwright.core.type.MemlockSubject;
import io.clusterwright.core.type.NodeName;
import io.clusterwright.core.type.UserName;
import io.clusterwright.mpi.internal.finding.MpiFinding;
import io.clusterwright.mpi.job.JobFailedException;
import io.clusterwright.mpi.job.JobInterruptedException;
import io.clusterwright.mpi.job.JobTarget;
import io.clusterwright.mpi.job.MpiNotFoundException;
import io.clusterwright.mpi.job.SlurmTarget;
import io.clusterwright.mpi.spi.LaunchNode;
import io.clusterwright.mpi.spi.NodeTarget;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * Proves the limits of locked memory that the spec asks for: on every node, in a new SSH session and inside {@code
 * mpirun}, as the user that MPI jobs run as and as root (through {@code sudo -n} of the login user). Use it when MPI
 * cannot register memory with an RDMA device.
 *
 * <pre>{@code
 * MemlockCheck.Report limits = MemlockCheck.on(cluster).run(Duration.ofMinutes(2));
 * limits.rows().forEach(row -> System.out.println(row.node() + ", " + row.user() + ": " + row.inForce()));
 * }</pre>
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

    /** The check of a cluster. */
    public static MemlockCheck on(Cluster cluster) {
        return new MemlockCheck(cluster);
    }

    /**
     * Asks every node, each of the two MPI runs at most this long.
     *
     * @throws MpiNotFoundException when there is no MPI on the first node
     * @throws JobInterruptedException when this thread was interrupted
     */
    public Report run(Duration limit) {
        Map<NodeName, Root> roots = answers(
                cluster.runInNewSessions(Command.of("sh", "-c", SESSION_ROOT).elevate(), cluster.loginUser()),
                Root::parse);
        Map<NodeName, MemlockLimit> users = answers(
                cluster.runInNewSessions(Command.of("sh", "-c", "ulimit -l"), cluster.mpiUser()),
                answer -> MemlockLimit.of(answer.strip()));
        List<NodeName> names = cluster.computeNodes().stream().map(Node::name).toList();
        roots.keySet().retainAll(names);
        var insideAsUser = MemlockInsideMpi.on(JobTarget.of(cluster)).run(limit);
        Optional<MemlockLimit> userRule = ruleOf(cluster.spec(), cluster.mpiUser());
        Optional<MemlockLimit> rootRule = ruleOf(cluster.spec(), UserName.ROOT);
        List<Row> rows = new ArrayList<>();
        for (NodeName name : names) {
            Root root = roots.getOrDefault(name, Root.UNKNOWN);
            Optional<MemlockLimit> user = userRule.map(root::possible);
            Optional<MemlockLimit> asRoot = rootRule.map(root::possible);
            var ranks = Optional.ofNullable(insideAsUser.limits().get(name));
            String who = cluster.mpiUser().value();
            rows.add(new Row(name, who, false, text(Optional.ofNullable(users.get(name))), text(user)));
            rows.add(new Row(name, who, true, text(ranks.flatMap(MemlockInsideMpi.Limits::user)), text(user)));
            rows.add(new Row(name, "root", false, root.inForce, text(asRoot)));
            // An account without sudo, as the account of jobs should be, has no root inside mpirun.
            ranks.flatMap(MemlockInsideMpi.Limits::root)
                    .ifPresent(found -> rows.add(new Row(name, "root", true, found.toString(), text(asRoot))));
        }
        boolean lowered = Stream.concat(userRule.stream(), rootRule.stream())
                .anyMatch(rule -> roots.values().stream()
                        .anyMatch(root -> !root.possible(rule).equals(rule)));
        return new Report(rows, lowered, highest(roots));
    }

    /**
     * Compares how much memory a rank under Slurm may lock with what the same user may lock in an SSH session, by a job of one rank on each
     * node. Ranks inherit the limits of slurmd, which no {@code limits.conf} touches, so that RDMA can fail under Slurm only.
     *
     * @param limit the time of the job
     * @return one finding {@code CW-MPI-041} for each node whose ranks may lock less than a session; empty when all is well
     * @throws JobFailedException when the job did not succeed
     * @throws MpiNotFoundException when there is no MPI on the first node
     * @throws io.clusterwright.core.type.ClusterwrightException when a node does not answer
     */
    public static List<Finding> lessUnderSlurm(SlurmTarget slurm, Duration limit) {
        MemlockInsideMpi.Report report = MemlockInsideMpi.on(slurm).run(limit);
        NodeTarget target = NodeTarget.of(slurm);
        report.result().orThrow();
        List<Finding> findings = new ArrayList<>();
        for (LaunchNode node : target.nodes()) {
            Optional<MemlockLimit> rank =
                    Optional.ofNullable(report.limits().get(node.name())).flatMap(MemlockInsideMpi.Limits::user);
            Optional<MemlockLimit> session = inSession(target, node.name());
            if (rank.isPresent() && session.isPresent() && !rank.get().covers(session.get())) {
                findings.add(MpiFinding.lessUnderSlurm(node.name(), rank.get(), session.get()));
            }
        }
        return List.copyOf(findings);
    }

    private static Optional<MemlockLimit> inSession(NodeTarget target, NodeName node) {
        return MemlockInsideMpi.limit(target.session(node)
                .run(Command.of("/bin/sh", "-c", "ulimit -l"))
                .orThrow()
                .stdout());
    }

    /** pam_limits prefers a line for the user over one for a group, and that over one for all; root heeds its own line only. */
    private static Optional<MemlockLimit> ruleOf(ClusterSpec spec, UserName user) {
        List<MemlockRule> rules = spec.image().customize().memlock();
        Optional<MemlockLimit> own = first(
                rules,
                who -> who instanceof MemlockSubject.User named && named.name().equals(user));
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
        return first(
                        rules,
                        who -> who instanceof MemlockSubject.Group group
                                && groups.contains(group.name().toString()))
                .or(() -> first(rules, MemlockSubject.Everyone.class::isInstance));
    }

    private static Optional<MemlockLimit> first(List<MemlockRule> rules, Predicate<MemlockSubject> who) {
        return rules.stream()
                .filter(rule -> who.test(rule.who()))
                .map(MemlockRule::limit)
                .findFirst();
    }

    private static <T> Map<NodeName, T> answers(NodeResults results, Function<String, T> reader) {
        Map<NodeName, T> answers = new HashMap<>();
        for (NodeOutcome outcome : results.orThrow().outcomes()) {
            if (outcome instanceof NodeOutcome.Completed completed) {
                answers.put(outcome.node(), reader.apply(completed.result().stdout()));
            }
        }
        return answers;
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

    /**
     * One limit.
     *
     * @param node where
     * @param user whose
     * @param insideMpi whether it was read in a rank that {@code mpirun} started; otherwise in an SSH session
     * @param inForce {@code unlimited} or KiB, as the shell prints it; empty when it could not be read
     * @param expected what the spec leads to on this node; empty when the spec says nothing about this user
     */
    public record Row(NodeName node, String user, boolean insideMpi, String inForce, String expected) {
        /** Whether the limit was read and is the expected one, if one is expected. */
        public boolean holds() {
            return !inForce.isEmpty() && (expected.isEmpty() || expected.equals(inForce));
        }
    }

    /**
     * The limits that were found.
     *
     * @param rows four for each node: each user in a session and inside {@code mpirun}
     * @param lowered whether a node's kernel does not allow what the spec asks for, so that less is expected
     * @param highest the highest limit that all nodes can have, for people
     */
    public record Report(List<Row> rows, boolean lowered, String highest) {
        /** Copies the list. */
        public Report {
            rows = List.copyOf(rows);
        }

        /** Whether all rows hold. */
        public boolean succeeded() {
            return rows.stream().allMatch(Row::holds);
        }
    }
}
