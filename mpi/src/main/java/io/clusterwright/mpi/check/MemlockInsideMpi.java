package io.clusterwright.mpi.check;

import io.clusterwright.core.type.InvalidValueException;
import io.clusterwright.core.type.MemlockLimit;
import io.clusterwright.core.type.NodeName;
import io.clusterwright.mpi.MpiJob;
import io.clusterwright.mpi.job.JobInterruptedException;
import io.clusterwright.mpi.job.JobResult;
import io.clusterwright.mpi.job.JobTarget;
import io.clusterwright.mpi.job.MpiInstallation;
import io.clusterwright.mpi.job.MpiNotFoundException;
import io.clusterwright.mpi.spi.LaunchNode;
import io.clusterwright.mpi.spi.LaunchTarget;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The limit of locked memory in force inside {@code mpirun} on each node, as the job's user and, through {@code sudo -n},
 * as root. A limit that is right in a login shell can be wrong there: the launcher decides how ranks are started.
 */
final class MemlockInsideMpi {
    private static final Pattern ANSWER = Pattern.compile("clusterwright-memlock (\\S+) (\\S+) (\\S+)");
    private static final String SCRIPT = "user=$(ulimit -l); root=$(sudo -n sh -c 'ulimit -l' 2>/dev/null);"
            + " echo \"clusterwright-memlock $(hostname) $user ${root:-unknown}\"";

    private final JobTarget target;
    private final MpiJob job;

    private MemlockInsideMpi(JobTarget target, MpiJob job) {
        this.target = target;
        this.job = job;
    }

    /** The question to these nodes. */
    static MemlockInsideMpi on(JobTarget target) {
        // A rank over a session held here would have the limits of that session's login, which may be old.
        MpiJob job = MpiJob.of("/bin/sh", "-c", SCRIPT).ranksPerNode(1).launchOverSsh();
        return new MemlockInsideMpi(target, job);
    }

    /** Sets the MPI installation. */
    MemlockInsideMpi installation(MpiInstallation mpi) {
        return new MemlockInsideMpi(target, job.installation(mpi));
    }

    /**
     * Asks all nodes, at most this long.
     *
     * @throws MpiNotFoundException when there is no MPI on the first node
     * @throws JobInterruptedException when this thread was interrupted
     */
    Report run(Duration limit) {
        RankHosts hosts = new RankHosts(LaunchTarget.of(target).nodes());
        Map<NodeName, Limits> limits = new TreeMap<>();
        JobResult result = job.on(target)
                .onOutput(line -> {
                    Matcher answer = ANSWER.matcher(line.text());
                    if (answer.matches()) {
                        hosts.node(answer.group(1))
                                .ifPresent(node ->
                                        limits.put(node, new Limits(limit(answer.group(2)), limit(answer.group(3)))));
                    }
                })
                .run(limit);
        return new Report(result, limits);
    }

    /** A limit as a shell prints it; absent when it is none. */
    static Optional<MemlockLimit> limit(String text) {
        try {
            return Optional.of(MemlockLimit.of(text.strip()));
        } catch (InvalidValueException e) {
            return Optional.empty();
        }
    }

    /**
     * The answers of the nodes.
     *
     * @param result the run
     * @param limits the limits by node, of the nodes that answered
     */
    record Report(JobResult result, Map<NodeName, Limits> limits) {
        /** Copies the map. */
        public Report {
            limits = Map.copyOf(limits);
        }
    }

    /**
     * The limits in force in a rank of one node.
     *
     * @param user the limit of the job's user; absent when the rank's shell could not tell
     * @param root the limit of root; absent where the job's user may not use {@code sudo} without a password
     */
    record Limits(Optional<MemlockLimit> user, Optional<MemlockLimit> root) {}

    /** The nodes of a job by the host names that its ranks print. */
    static final class RankHosts {
        private final Map<String, NodeName> nodes = new LinkedHashMap<>();

        RankHosts(List<LaunchNode> nodes) {
            nodes.forEach(node -> this.nodes.put(plain(node.name().value()), node.name()));
        }

        Optional<NodeName> node(String hostName) {
            return Optional.ofNullable(nodes.get(plain(hostName)));
        }

        private static String plain(String name) {
            int dot = name.indexOf('.');
            return (dot < 0 ? name : name.substring(0, dot)).toLowerCase(Locale.ROOT);
        }
    }
}
