package io.clusterwright.mpi.internal.agent;

import io.clusterwright.core.NodeUnreachableException;
import io.clusterwright.core.internal.concurrent.Deadline;
import io.clusterwright.core.internal.concurrent.WaitTime;
import io.clusterwright.core.type.ClusterwrightException;
import io.clusterwright.core.type.NodeName;
import io.clusterwright.mpi.internal.agent.HelperCommands.HelperCommand;
import io.clusterwright.mpi.internal.agent.NodeAgent.RankListener;
import io.clusterwright.mpi.internal.explain.JobOutput;
import io.clusterwright.mpi.job.LaunchFailure;
import io.clusterwright.mpi.job.Leftovers;
import io.clusterwright.mpi.spi.LaunchNode;
import io.clusterwright.mpi.spi.LaunchRequest;
import io.clusterwright.mpi.spi.NodeTarget;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Starts a launcher's helpers over the sessions that the target holds, as soon as the launcher has said their commands. On the launch
 * node an agent stands by where the launcher itself is the helper.
 */
public final class SessionHelpers implements LaunchHelpers {
    private static final Logger LOG = LoggerFactory.getLogger(SessionHelpers.class);
    private static final Duration ANSWER = Duration.ofSeconds(5);
    private static final Duration BREAK = Duration.ofSeconds(1);
    /** The time a launch waits for the agent beside the launcher. */
    private static final Duration STANDING = Duration.ofSeconds(2);
    /** The time a launcher may take to end after one of its helpers did. */
    private static final Duration ALONE = Duration.ofSeconds(2);

    private final LaunchRequest request;
    private final JobOutput output;
    private final JobAgents agents;
    private final HelperCommands helpers;
    private final Map<NodeName, Long> endedNanos = new ConcurrentHashMap<>();
    private final Set<NodeName> reported = ConcurrentHashMap.newKeySet();

    private final CountDownLatch asked = new CountDownLatch(1);
    private volatile boolean watchedFromStart;

    public SessionHelpers(NodeTarget target, LaunchRequest request, JobOutput output) {
        this.request = request;
        this.output = output;
        this.helpers = HelperCommands.of(request);
        this.agents = new JobAgents(target, request, "helper");
    }

    @Override
    public void prepare() {
        if (helpers.launcherHelps()) {
            agents.submit(this::watch);
        }
    }

    private void watch() {
        NodeName node = launchNode().name();
        try {
            agents.take(node).watch(request.folder(), ranksOf(node));
        } catch (ClusterwrightException e) {
            LOG.debug("no agent beside the launcher of job {}", request.folder().token(), e);
        } finally {
            asked.countDown();
        }
    }

    @Override
    public void ready() {
        if (helpers.launcherHelps()) {
            Deadline deadline = Deadline.in("start of the agent", STANDING);
            try {
                WaitTime.await(STANDING, nanos -> asked.await(nanos, TimeUnit.NANOSECONDS));
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            watchedFromStart = agents.on(launchNode().name())
                    .map(agent -> agent.isWatching(deadline.remaining()))
                    .orElse(false);
        }
    }

    @Override
    public void onOutput(Stream stream, byte[] bytes, int length) {
        if (stream == Stream.STDERR || helpers.complete()) {
            output.onOutput(stream, bytes, length);
            return;
        }
        byte[] job = helpers.feed(bytes, length);
        if (helpers.problem().isPresent()) {
            output.refuse(helpers.problem().get());
        }
        start(helpers.next());
        output.onOutput(stream, job, job.length);
    }

    private void start(List<HelperCommand> commands) {
        for (HelperCommand helper : commands) {
            LaunchNode node = request.nodes().get(helper.node());
            agents.submit(() -> start(node, helper.words()));
        }
    }

    /** On the launch node the agent of the launcher counts, when that has ended, too. */
    private void start(LaunchNode node, List<String> words) {
        try {
            NodeAgent agent = agents.take(node.name());
            if (node.equals(launchNode())) {
                agent.run(request.folder(), words, this::complain, ranksOf(node.name()));
            } else {
                agent.runAndCount(request.folder(), words, this::complain, ranksOf(node.name()));
            }
        } catch (NodeUnreachableException e) {
            LOG.debug("no helper of job {} on {}", request.folder().token(), node.name(), e);
            fail(node, LaunchFailure.SSH_FAILED, false);
        } catch (ClusterwrightException e) {
            complain(String.valueOf(e.getMessage()));
            fail(node, LaunchFailure.SSH_FAILED, true);
        }
    }

    private RankListener ranksOf(NodeName node) {
        return NodeAgent.reporting(output, node);
    }

    private LaunchNode launchNode() {
        return request.nodes().get(0);
    }

    private void complain(String line) {
        byte[] bytes = (line + "\n").getBytes(StandardCharsets.UTF_8);
        output.onOutput(Stream.STDERR, bytes, bytes.length);
    }

    @Override
    public void checkNodes() {
        request.nodes().forEach(node -> checkNode(node, Duration.ZERO));
    }

    private void checkNode(LaunchNode node, Duration limit) {
        if (reported.contains(node.name())) {
            return;
        }
        try {
            OptionalInt status = agents.status(node.name(), limit);
            if (status.isPresent() && status.getAsInt() != 0) {
                ended(node, status.getAsInt());
            }
        } catch (NodeUnreachableException e) {
            fail(node, LaunchFailure.SSH_FAILED, true);
        }
    }

    private void ended(LaunchNode node, int status) {
        long now = WaitTime.RUNNING.nanos();
        Long before = endedNanos.putIfAbsent(node.name(), now);
        if (LaunchFailure.NOT_STARTED.contains(status)) {
            fail(node, status, true);
        } else if (before != null && now - before > ALONE.toNanos() && reported.add(node.name())) {
            output.helperEnded(node.address().toString(), status);
        }
    }

    @Override
    public boolean lostNode() {
        Deadline deadline = Deadline.in("wait for broken connections", BREAK);
        request.nodes().forEach(node -> checkNode(node, deadline.remaining()));
        return output.failures().stream().anyMatch(LaunchFailure::lostConnection);
    }

    private void fail(LaunchNode node, int status, boolean connected) {
        if (reported.add(node.name())) {
            output.failed(new LaunchFailure(node.address().toString(), status, connected));
        }
    }

    @Override
    public boolean seeNoServer() {
        return agents.seeNoServer(launchNode());
    }

    @Override
    public Map<NodeName, Leftovers> leftovers() {
        agents.finish(ANSWER);
        if (helpers.launcherHelps()) {
            agents.on(launchNode().name()).ifPresent(agent -> agent.countWatched(watchedFromStart));
        }
        return agents.answers(ANSWER);
    }

    @Override
    public void close() {
        agents.close();
    }
}
