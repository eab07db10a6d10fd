package io.clusterwright.mpi.check;

import io.clusterwright.core.plan.Finding;
import io.clusterwright.core.type.NodeName;
import io.clusterwright.mpi.JobFailedException;
import io.clusterwright.mpi.JobResult;
import io.clusterwright.mpi.JobTarget;
import io.clusterwright.mpi.MpiInstallation;
import io.clusterwright.mpi.MpiJob;
import io.clusterwright.mpi.MpiNotFoundException;
import io.clusterwright.mpi.internal.check.MemlockInsideMpi.RankHosts;
import io.clusterwright.mpi.internal.finding.MpiFindings;
import io.clusterwright.mpi.spi.LaunchTarget;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Runs one rank on each node that prints its host name. It passes when every node answered once and the world had the
 * size asked for: an exit status of 0 alone proves nothing.
 */
public final class HostnameCheck {
    private static final Pattern ANSWER = Pattern.compile("clusterwright-host (\\S+) (\\S+)");
    /** Under srun, PMIx gives ranks no variable with the size of their world, and without any PMI each is alone. */
    private static final String SCRIPT =
            "size=${PMI_SIZE:-${OMPI_COMM_WORLD_SIZE:-${MV2_COMM_WORLD_SIZE:-${PMIX_NAMESPACE:+${SLURM_STEP_NUM_TASKS:-}}}}};"
                    + " if [ -z \"$size\" ] && [ -n \"${SLURM_PROCID:-}\" ]; then size=1; fi;"
                    + " echo \"clusterwright-host $(hostname) ${size:-unknown}\"";

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
        MpiJob job = MpiJob.of("/bin/sh", "-c", SCRIPT).ranksPerNode(1).launchOverSsh();
        return new HostnameCheck(target, job, line -> {});
    }

    /** The same check by this installation. */
    public HostnameCheck installation(MpiInstallation mpi) {
        return new HostnameCheck(target, job.installation(mpi), listener);
    }

    /** The same check with each host name handed to this listener as it comes. */
    public HostnameCheck onHostname(Consumer<String> names) {
        return new HostnameCheck(target, job, names);
    }

    /**
     * Runs the check, at most this long. A launcher that ends and says nothing at all is started once more, which is reported
     * ({@code CW-MPI-024}): Hydra 4.0 can die of SIGPIPE before its first word.
     *
     * @throws MpiNotFoundException when there is no MPI on the first node
     * @throws JobFailedException when this thread was interrupted
     */
    public Report run(Duration limit) {
        Answers answers = new Answers(new RankHosts(LaunchTarget.of(target).nodes()), listener);
        List<Finding> findings = new ArrayList<>();
        JobResult result = ask(answers, limit);
        Duration left = limit.minus(result.duration());
        if (saidNothing(result) && !left.isNegative() && !left.isZero()) {
            JobResult first = result;
            result = ask(answers, left);
            findings.addAll(first.findings());
            findings.removeAll(result.findings());
            findings.add(MpiFindings.launcherSaidNothing(first));
        }
        List<NodeName> silent = target.nodeNames().stream()
                .filter(node -> !answers.answered.contains(node))
                .toList();
        findings.addAll(findings(result, silent, answers));
        return new Report(result.with(findings), answers.answered, silent);
    }

    private JobResult ask(Answers answers, Duration limit) {
        return job.on(target).onOutput(line -> answers.accept(line.text())).run(limit);
    }

    private static boolean saidNothing(JobResult result) {
        return result.outcome() == JobResult.Outcome.ENDED
                && result.outputTail().isEmpty()
                && result.launchFailures().isEmpty();
    }

    private static final class Answers {
        private final RankHosts hosts;
        private final Consumer<String> listener;
        private final List<NodeName> answered = new ArrayList<>();
        private final Set<String> strangers = new TreeSet<>();
        private final Set<String> worlds = new LinkedHashSet<>();

        Answers(RankHosts hosts, Consumer<String> listener) {
            this.hosts = hosts;
            this.listener = listener;
        }

        void accept(String line) {
            Matcher answer = ANSWER.matcher(line);
            if (answer.matches()) {
                hosts.node(answer.group(1)).ifPresentOrElse(answered::add, () -> strangers.add(answer.group(1)));
                worlds.add(answer.group(2));
                listener.accept(answer.group(1));
            }
        }
    }

    private static List<Finding> findings(JobResult result, List<NodeName> silent, Answers answers) {
        List<Finding> findings = new ArrayList<>();
        if (!silent.isEmpty()) {
            findings.add(MpiFindings.silentNodes(silent, result));
        }
        if (!answers.strangers.isEmpty()) {
            findings.add(MpiFindings.strangers(answers.strangers));
        }
        answers.worlds.remove("unknown");
        if (!answers.worlds.isEmpty() && !answers.worlds.equals(Set.of(Integer.toString(result.ranks())))) {
            findings.add(MpiFindings.wrongWorld(result.ranks(), answers.worlds));
        }
        return findings;
    }

    /**
     * The answers of the nodes.
     *
     * @param result the run, with what the check has to say about it
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
        public boolean passed() {
            return result.succeeded() && silent.isEmpty() && answered.size() == result.ranks();
        }
    }
}
