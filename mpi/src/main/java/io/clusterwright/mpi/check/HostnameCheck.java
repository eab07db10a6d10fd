package io.clusterwright.mpi.check;

import io.clusterwright.core.plan.Finding;
import io.clusterwright.core.type.NodeName;
import io.clusterwright.mpi.MpiJob;
import io.clusterwright.mpi.check.MemlockInsideMpi.RankHosts;
import io.clusterwright.mpi.internal.finding.MpiFinding;
import io.clusterwright.mpi.job.JobInterruptedException;
import io.clusterwright.mpi.job.JobResult;
import io.clusterwright.mpi.job.JobTarget;
import io.clusterwright.mpi.job.MpiInstallation;
import io.clusterwright.mpi.job.MpiNotFoundException;
import io.clusterwright.mpi.spi.LaunchNode;
import io.clusterwright.mpi.spi.LaunchTarget;
import io.clusterwright.mpi.spi.NodeTarget;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Runs one rank on each node that prints its host name. Use it to see whether an MPI can start ranks on all nodes. It
 * passes when every node answered once and {@code MPI_COMM_WORLD} had the requested size; an exit status of 0 alone
 * proves nothing. Immutable; each method that names a part gives another check.
 *
 * <pre>{@code
 * HostnameCheck.Report names = HostnameCheck.on(two).run(Duration.ofMinutes(2));
 * System.out.println("answered: " + names.answered() + ", silent: " + names.silent());
 * }</pre>
 */
public final class HostnameCheck {
    private static final Pattern ANSWER = Pattern.compile("clusterwright-host (\\S+) (\\S+)((?: [0-9a-f.:]+)*) *");
    /** Under srun, PMIx gives ranks no variable with the size of their world, and without any PMI each is alone. */
    private static final String SCRIPT =
            "size=${PMI_SIZE:-${OMPI_COMM_WORLD_SIZE:-${MV2_COMM_WORLD_SIZE:-${PMIX_NAMESPACE:+${SLURM_STEP_NUM_TASKS:-}}}}};"
                    + " if [ -z \"$size\" ] && [ -n \"${SLURM_PROCID:-}\" ]; then size=1; fi;"
                    + " echo \"clusterwright-host $(hostname) ${size:-unknown}";
    /** A scheduler may call its nodes by other names than they have themselves. */
    private static final String ADDRESSES = " $(hostname -I 2>/dev/null)";

    private final JobTarget target;
    private final MpiJob job;
    private final Consumer<String> listener;

    private HostnameCheck(JobTarget target, MpiJob job, Consumer<String> listener) {
        this.target = target;
        this.job = job;
        this.listener = listener;
    }

    /** The check of these nodes. */
    public static HostnameCheck on(JobTarget target) {
        boolean sessions = target instanceof NodeTarget;
        MpiJob job = MpiJob.of("/bin/sh", "-c", sessions ? SCRIPT + "\"" : SCRIPT + ADDRESSES + "\"")
                .ranksPerNode(1);
        return new HostnameCheck(target, sessions ? job.launchOverSsh() : job, line -> {});
    }

    /** Sets the MPI installation. */
    public HostnameCheck installation(MpiInstallation mpi) {
        return new HostnameCheck(target, job.installation(mpi), listener);
    }

    /** Passes each host name to this listener when it arrives. */
    public HostnameCheck onHostname(Consumer<String> names) {
        return new HostnameCheck(target, job, names);
    }

    /**
     * Runs the check, at most this long. A launcher that ends and says nothing at all is started once more, which is reported
     * ({@code CW-MPI-024}): Hydra 4.0 can die of SIGPIPE before its first word.
     *
     * @throws MpiNotFoundException when there is no MPI on the first node
     * @throws JobInterruptedException when this thread was interrupted
     */
    public Report run(Duration limit) {
        Answers answers = new Answers(LaunchTarget.of(target).nodes(), listener);
        List<Finding> findings = new ArrayList<>();
        JobResult result = ask(answers, limit);
        Duration left = limit.minus(result.duration());
        if (printedNothing(result) && !left.isNegative() && !left.isZero()) {
            JobResult first = result;
            result = ask(answers, left);
            findings.addAll(first.findings());
            findings.removeAll(result.findings());
            findings.add(MpiFinding.launcherPrintedNothing(first));
        }
        Set<NodeName> heard = Set.copyOf(answers.answered);
        List<NodeName> silent = target.nodeNames().stream()
                .filter(node -> !heard.contains(node))
                .toList();
        findings.addAll(findings(result, silent, answers));
        return new Report(result.with(findings), answers.answered, silent);
    }

    private JobResult ask(Answers answers, Duration limit) {
        return job.on(target).onOutput(line -> answers.accept(line.text())).run(limit);
    }

    private static boolean printedNothing(JobResult result) {
        return result.outcome() == JobResult.Outcome.ENDED
                && result.outputTail().isEmpty()
                && result.launchFailures().isEmpty();
    }

    private static final class Answers {
        private final RankHosts hosts;
        private final Map<String, NodeName> addresses = new HashMap<>();
        private final Consumer<String> listener;
        private final List<NodeName> answered = new ArrayList<>();
        private final Set<String> strangers = new TreeSet<>();
        private final Set<String> worlds = new LinkedHashSet<>();

        Answers(List<LaunchNode> nodes, Consumer<String> listener) {
            this.hosts = new RankHosts(nodes);
            nodes.forEach(node -> addresses.put(node.address().toString(), node.name()));
            this.listener = listener;
        }

        void accept(String line) {
            Matcher answer = ANSWER.matcher(line);
            if (answer.matches()) {
                hosts.node(answer.group(1))
                        .or(() -> byAddress(answer.group(3)))
                        .ifPresentOrElse(answered::add, () -> strangers.add(answer.group(1)));
                worlds.add(answer.group(2));
                listener.accept(answer.group(1));
            }
        }

        private Optional<NodeName> byAddress(String words) {
            return Stream.of(words.strip().split(" "))
                    .map(addresses::get)
                    .filter(Objects::nonNull)
                    .findFirst();
        }
    }

    private static List<Finding> findings(JobResult result, List<NodeName> silent, Answers answers) {
        List<Finding> findings = new ArrayList<>();
        if (!silent.isEmpty()) {
            findings.add(MpiFinding.silentNodes(silent, result));
        }
        if (!answers.strangers.isEmpty()) {
            findings.add(MpiFinding.STRANGERS.of(String.join(", ", answers.strangers)));
        }
        answers.worlds.remove("unknown");
        if (!answers.worlds.isEmpty() && !answers.worlds.equals(Set.of(Integer.toString(result.ranks())))) {
            findings.add(MpiFinding.WRONG_WORLD.of(result.ranks(), String.join(" or ", answers.worlds)));
        }
        return findings;
    }

    /**
     * The answers of the nodes.
     *
     * @param result the run, with the findings of the check
     * @param answered the nodes that printed their name, in the order of the output
     * @param silent the nodes that did not, in node order
     */
    public record Report(JobResult result, List<NodeName> answered, List<NodeName> silent) {
        /** Copies the lists. */
        public Report {
            answered = List.copyOf(answered);
            silent = List.copyOf(silent);
        }

        /** Whether every node answered exactly once, in a world of the right size, and the launcher ended well. */
        public boolean succeeded() {
            return result.succeeded() && silent.isEmpty() && answered.size() == result.ranks();
        }
    }
}
