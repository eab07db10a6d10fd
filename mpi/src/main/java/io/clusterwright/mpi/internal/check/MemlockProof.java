package io.clusterwright.mpi.internal.check;

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
import io.clusterwright.mpi.JobTarget;
import io.clusterwright.mpi.check.MemlockCheck.Report;
import io.clusterwright.mpi.check.MemlockCheck.Row;
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

/** Reads the limits of locked memory of a cluster and compares them with those of its spec. */
public final class MemlockProof {
    private static final String SESSION_ROOT = "ulimit -l; sed -n 's/^CapBnd:[[:space:]]*//p' /proc/1/status;"
            + " sed -n 's/^Max locked memory *[^ ]* *\\([^ ]*\\) .*/\\1/p' /proc/1/limits";
    private static final int CAP_SYS_RESOURCE = 24;

    private final Cluster cluster;

    public MemlockProof(Cluster cluster) {
        this.cluster = cluster;
    }

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
            // An account without sudo, as that of jobs should be, has no root inside mpirun.
            ranks.flatMap(MemlockInsideMpi.Limits::root)
                    .ifPresent(found -> rows.add(new Row(name, "root", true, found.toString(), text(asRoot))));
        }
        boolean lowered = Stream.concat(userRule.stream(), rootRule.stream())
                .anyMatch(rule -> roots.values().stream()
                        .anyMatch(root -> !root.possible(rule).equals(rule)));
        return new Report(rows, lowered, highest(roots));
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
                .map(MemlockProof::people)
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
}
