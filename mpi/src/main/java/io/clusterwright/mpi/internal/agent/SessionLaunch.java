package io.clusterwright.mpi.internal.agent;

import io.clusterwright.core.NodeUnreachableException;
import io.clusterwright.core.internal.concurrent.Deadline;
import io.clusterwright.core.type.ClusterwrightException;
import io.clusterwright.core.type.NodeName;
import io.clusterwright.mpi.LaunchFailure;
import io.clusterwright.mpi.Leftovers;
import io.clusterwright.mpi.internal.agent.NodeAgent.RankListener;
import io.clusterwright.mpi.internal.output.JobOutput;
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
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Starts Hydra's proxies over the sessions that the target holds, as soon as Hydra has said their commands. */
public final class SessionLaunch implements ProxyStarter {
    private static final Logger LOG = LoggerFactory.getLogger(SessionLaunch.class);
    private static final Duration ANSWER = Duration.ofSeconds(5);
    private static final Duration BREAK = Duration.ofSeconds(1);
    /** The time a launcher may take to end after one of its proxies did. */
    private static final Duration ALONE = Duration.ofSeconds(2);

    private final LaunchRequest request;
    private final JobOutput output;
    private final JobAgents agents;
    private final HydraProxies hydra = new HydraProxies();
    private final Map<NodeName, Long> endedNanos = new ConcurrentHashMap<>();
    private final Set<NodeName> reported = ConcurrentHashMap.newKeySet();

    public SessionLaunch(NodeTarget target, LaunchRequest request, JobOutput output) {
        this.request = request;
        this.output = output;
        this.agents = new JobAgents(target, "proxy", request.nodes().size());
    }

    @Override
    public void onOutput(Stream stream, byte[] bytes, int length) {
        if (stream == Stream.STDERR || hydra.complete()) {
            output.onOutput(stream, bytes, length);
            return;
        }
        byte[] job = hydra.feed(bytes, length);
        if (hydra.complete()) {
            startAll(hydra.commands());
        }
        output.onOutput(stream, job, job.length);
    }

    private void startAll(List<List<String>> commands) {
        if (hydra.problem().isPresent() || commands.size() > request.nodes().size()) {
            output.refuse(hydra.problem()
                    .orElse(commands.size() + " proxies for " + request.nodes().size() + " nodes"));
            return;
        }
        for (int i = 0; i < commands.size(); i++) {
            LaunchNode node = request.nodes().get(i);
            List<String> proxy = commands.get(i);
            agents.submit(() -> start(node, proxy));
        }
    }

    /** The launch node is counted on when Hydra itself has ended, too. */
    private void start(LaunchNode node, List<String> proxy) {
        try {
            NodeAgent agent = agents.take(node.name());
            RankListener ranks = (rank, status) -> output.rankEnds().ended(node.name(), rank, status);
            if (node.equals(request.nodes().get(0))) {
                agent.run(request.folder(), proxy, this::complain, ranks);
            } else {
                agent.prove(request.folder(), proxy, this::complain, ranks);
            }
        } catch (NodeUnreachableException e) {
            LOG.debug("no proxy of job {} on {}", request.folder().token(), node.name(), e);
            fail(node, LaunchFailure.SSH_FAILED, false);
        } catch (ClusterwrightException e) {
            complain(String.valueOf(e.getMessage()));
            fail(node, LaunchFailure.SSH_FAILED, true);
        }
    }

    private void complain(String line) {
        byte[] bytes = (line + "\n").getBytes(StandardCharsets.UTF_8);
        output.onOutput(Stream.STDERR, bytes, bytes.length);
    }

    @Override
    public void look() {
        request.nodes().forEach(node -> look(node, Duration.ZERO));
    }

    private void look(LaunchNode node, Duration limit) {
        NodeAgent agent = agents.on(node.name()).orElse(null);
        if (agent == null || reported.contains(node.name())) {
            return;
        }
        try {
            OptionalInt status = agent.status(limit);
            if (status.isPresent() && status.getAsInt() != 0) {
                ended(node, status.getAsInt());
            }
        } catch (NodeUnreachableException e) {
            fail(node, LaunchFailure.SSH_FAILED, true);
        }
    }

    private void ended(LaunchNode node, int status) {
        long now = System.nanoTime();
        Long before = endedNanos.putIfAbsent(node.name(), now);
        if (LaunchFailure.NOT_STARTED.contains(status) || before != null && now - before > ALONE.toNanos()) {
            fail(node, status, true);
        }
    }

    @Override
    public boolean lostOne() {
        Deadline deadline = Deadline.in("wait for broken connections", BREAK);
        request.nodes().forEach(node -> look(node, deadline.remaining()));
        return output.failures().stream().anyMatch(LaunchFailure::lostConnection);
    }

    private void fail(LaunchNode node, int status, boolean connected) {
        if (reported.add(node.name())) {
            output.failed(new LaunchFailure(node.address().toString(), status, connected));
        }
    }

    @Override
    public Map<NodeName, Leftovers> proven() {
        agents.finish(ANSWER);
        agents.on(request.nodes().get(0).name()).ifPresent(agent -> {
            if (agent.status(ANSWER).isPresent()) {
                agent.count(request.folder());
            }
        });
        return agents.answers(ANSWER);
    }

    @Override
    public void close() {
        agents.close();
    }
}
