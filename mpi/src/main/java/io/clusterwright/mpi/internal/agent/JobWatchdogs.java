package io.clusterwright.mpi.internal.agent;

import io.clusterwright.core.NodeUnreachableException;
import io.clusterwright.core.internal.concurrent.Deadline;
import io.clusterwright.core.internal.concurrent.WaitTime;
import io.clusterwright.core.type.ClusterwrightException;
import io.clusterwright.core.type.NodeName;
import io.clusterwright.mpi.internal.explain.JobOutput;
import io.clusterwright.mpi.job.LaunchFailure;
import io.clusterwright.mpi.job.Leftovers;
import io.clusterwright.mpi.spi.LaunchNode;
import io.clusterwright.mpi.spi.LaunchRequest;
import io.clusterwright.mpi.spi.NodeTarget;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Beside a launcher that starts its helpers by ssh: a watchdog on every node, which ends the job's processes there when this
 * JVM is gone, passes on how ranks ended, and counts what runs in the end.
 */
public final class JobWatchdogs implements LaunchHelpers {
    private static final Logger LOG = LoggerFactory.getLogger(JobWatchdogs.class);
    private static final Duration ANSWER = Duration.ofSeconds(5);
    /** The time a launch waits for watchdogs that are still starting, as the watchdogs of a first job are. */
    private static final Duration STANDING = Duration.ofSeconds(2);

    private final LaunchRequest request;
    private final List<NodeName> nodes;
    private final JobOutput output;
    private final JobAgents watchdogs;
    private final CountDownLatch asked;
    private final Set<NodeName> before = new HashSet<>();
    private final Set<NodeName> lost = new HashSet<>();

    public JobWatchdogs(NodeTarget target, LaunchRequest request, JobOutput output) {
        this.request = request;
        this.nodes = request.nodes().stream().map(LaunchNode::name).toList();
        this.asked = new CountDownLatch(nodes.size());
        this.output = output;
        this.watchdogs = new JobAgents(target, request, "watchdog");
    }

    @Override
    public void onOutput(Stream stream, byte[] bytes, int length) {
        output.onOutput(stream, bytes, length);
    }

    @Override
    public void prepare() {
        nodes.forEach(node -> watchdogs.submit(() -> start(node)));
    }

    @Override
    public void ready() {
        Deadline deadline = Deadline.in("start of the watchdogs", STANDING);
        try {
            WaitTime.await(STANDING, nanos -> asked.await(nanos, TimeUnit.NANOSECONDS));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        watchdogs.all().forEach((node, watchdog) -> {
            if (watchdog.isWatching(deadline.remaining())) {
                before.add(node);
            }
        });
    }

    private void start(NodeName node) {
        try {
            watchdogs.take(node).watch(request.folder(), NodeAgent.reporting(output, node));
        } catch (ClusterwrightException e) {
            LOG.debug("no watchdog of job {} on {}", request.folder().token(), node, e);
        } finally {
            asked.countDown();
        }
    }

    /** A watchdog whose connection broke ends what the job has on its node, so the node is lost to the job. */
    @Override
    public void checkNodes() {
        for (LaunchNode node : request.nodes()) {
            // The question opens a broken connection again, also to the launch node, of whose loss the launcher's agent
            // tells.
            boolean isLost = !lost.contains(node.name()) && isLost(node.name());
            if (isLost && !node.equals(request.nodes().get(0))) {
                lose(node);
            }
        }
    }

    private void lose(LaunchNode node) {
        String address = node.address().toString();
        lost.add(node.name());
        if (output.failures().stream().noneMatch(failure -> failure.host().equals(address))) {
            output.failed(new LaunchFailure(address, LaunchFailure.SSH_FAILED, true));
        }
    }

    private boolean isLost(NodeName node) {
        try {
            watchdogs.status(node, Duration.ZERO);
            return false;
        } catch (NodeUnreachableException e) {
            LOG.debug("job {} lost its watchdog on {}", request.folder().token(), node, e);
            return true;
        }
    }

    /** A node may be lost before its watchdog stands: then the launcher's connection to it broke, as it also does after a rank failed. */
    @Override
    public boolean lostNode() {
        checkNodes();
        boolean noRankFailed =
                output.rankFailedNanos().isEmpty() && output.rankFailures().isEmpty();
        return !lost.isEmpty() || noRankFailed && output.failures().stream().anyMatch(LaunchFailure::lostConnection);
    }

    @Override
    public boolean seeNoServer() {
        return watchdogs.seeNoServer(request.nodes().get(0));
    }

    @Override
    public Map<NodeName, Leftovers> leftovers() {
        watchdogs.finish(ANSWER);
        watchdogs.all().forEach((node, watchdog) -> watchdog.countWatched(before.contains(node)));
        return watchdogs.answers(ANSWER);
    }

    @Override
    public void close() {
        watchdogs.close();
    }
}
