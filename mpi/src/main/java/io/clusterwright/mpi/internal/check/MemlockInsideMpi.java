package io.clusterwright.mpi.internal.check;

import io.clusterwright.core.type.InvalidValueException;
import io.clusterwright.core.type.MemlockLimit;
import io.clusterwright.core.type.NodeName;
import io.clusterwright.mpi.JobFailedException;
import io.clusterwright.mpi.JobResult;
import io.clusterwright.mpi.JobTarget;
import io.clusterwright.mpi.MpiInstallation;
import io.clusterwright.mpi.MpiJob;
import io.clusterwright.mpi.MpiNotFoundException;
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
import org.jspecify.annotations.Nullable;

/**
 * The limit of locked memory in force inside {@code mpirun} on each node, as the job's user and, through {@code sudo -n},
 * as root. A limit that is right in a login shell can be wrong there: the launcher decides how ranks are started.
 */
public final class MemlockInsideMpi {
    private static final Pattern ANSWER = Pattern.compile("clusterwright-memlock (\\S+) (\\S+) (\\S+) ([0-9a-f]+)");
    private static final int CAP_SYS_RESOURCE = 24;
    private static final String SCRIPT = "user=$(ulimit -l); root=$(sudo -n sh -c 'ulimit -l' 2>/dev/null);"
            + " caps=$(sed -n 's/^CapBnd:[[:space:]]*//p' /proc/self/status);"
            + " echo \"clusterwright-memlock $(hostname) $user ${root:-unknown} ${caps:-0}\"";

    private final JobTarget target;
    private final MpiJob job;

    private MemlockInsideMpi(JobTarget target, MpiJob job) {
        this.target = target;
        this.job = job;
    }

    /** The question to these nodes. */
    public static MemlockInsideMpi on(JobTarget target) {
        // A rank over a session held here would have the limits of that session's login, which may be old.
        MpiJob job = MpiJob.of("/bin/sh", "-c", SCRIPT).ranksPerNode(1).launchOverSsh();
        return new MemlockInsideMpi(target, job);
    }

    /** The same question through this installation. */
    public MemlockInsideMpi installation(MpiInstallation mpi) {
        return new MemlockInsideMpi(target, job.installation(mpi));
    }

    /**
     * Asks all nodes, at most this long.
     *
     * @throws MpiNotFoundException when there is no MPI on the first node
     * @throws JobFailedException when this thread was interrupted
     */
    public Report run(Duration limit) {
        RankHosts hosts = new RankHosts(LaunchTarget.of(target).nodes());
        Map<NodeName, Limits> limits = new TreeMap<>();
        JobResult result = job.on(target)
                .onOutput(line -> {
                    Matcher answer = ANSWER.matcher(line.text());
                    if (answer.matches()) {
                        hosts.node(answer.group(1)).ifPresent(node -> limits.put(node, limits(answer)));
                    }
                })
                .run(limit);
        return new Report(result, limits);
    }

    private static Limits limits(Matcher answer) {
        long capabilities = Long.parseUnsignedLong(answer.group(4), 16);
        return new Limits(limit(answer.group(2)), limit(answer.group(3)), (capabilities >> CAP_SYS_RESOURCE & 1) == 1);
    }

    private static @Nullable MemlockLimit limit(String text) {
        try {
            return MemlockLimit.parse(text);
        } catch (InvalidValueException e) {
            return null;
        }
    }

    /**
     * The answers of the nodes.
     *
     * @param result the run
     * @param limits the limits by node, of the nodes that answered
     */
    public record Report(JobResult result, Map<NodeName, Limits> limits) {
        /** Copies the map. */
        public Report {
            limits = Map.copyOf(limits);
        }
    }

    /** The limits in force in a rank of one node. */
    public static final class Limits {
        private final @Nullable MemlockLimit user;
        private final @Nullable MemlockLimit root;
        private final boolean canBeRaised;

        Limits(@Nullable MemlockLimit user, @Nullable MemlockLimit root, boolean canBeRaised) {
            this.user = user;
            this.root = root;
            this.canBeRaised = canBeRaised;
        }

        /** The limit of the job's user; absent when the rank's shell could not tell. */
        public Optional<MemlockLimit> user() {
            return Optional.ofNullable(user);
        }

        /** The limit of root; absent where the job's user may not use {@code sudo} without a password. */
        public Optional<MemlockLimit> root() {
            return Optional.ofNullable(root);
        }

        /** Whether the node's kernel lets anybody raise a limit (CAP_SYS_RESOURCE is in the bounding set). */
        public boolean canBeRaised() {
            return canBeRaised;
        }

        @Override
        public String toString() {
            return "user " + (user == null ? "unknown" : user) + ", root " + (root == null ? "unknown" : root);
        }
    }

    /** Tells which node a rank speaks of when it prints its host name. */
    public static final class RankHosts {
        private final Map<String, NodeName> nodes = new LinkedHashMap<>();

        public RankHosts(List<LaunchNode> nodes) {
            nodes.forEach(node -> this.nodes.put(plain(node.name().value()), node.name()));
        }

        public Optional<NodeName> node(String hostName) {
            return Optional.ofNullable(nodes.get(plain(hostName)));
        }

        private static String plain(String name) {
            int dot = name.indexOf('.');
            return (dot < 0 ? name : name.substring(0, dot)).toLowerCase(Locale.ROOT);
        }
    }
}
