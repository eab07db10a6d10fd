package io.clusterwright.mpi;

import io.clusterwright.core.ClusterwrightException;
import io.clusterwright.core.type.NodeName;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Beside a launcher that starts its helpers by ssh: a guard on every other node, which ends the job's processes there when this
 * JVM is gone, and counts them in the end.
 */
final class JobGuards implements LaunchHelpers {
    private static final Logger LOG = LoggerFactory.getLogger(JobGuards.class);
    private static final Duration ANSWER = Duration.ofSeconds(5);

    private final LaunchTarget target;
    private final JobFolder folder;
    private final List<NodeName> nodes;
    private final Duration limit;
    private final JobOutput output;
    private final Map<NodeName, HeldCommand> guards = new ConcurrentHashMap<>();
    private final Workers workers;

    JobGuards(LaunchTarget target, LaunchRequest request, JobOutput output, Duration limit) {
        this.target = target;
        this.folder = request.folder();
        this.nodes = request.nodes().stream().skip(1).map(LaunchNode::name).toList();
        this.output = output;
        this.limit = limit;
        this.workers = new Workers("guard", nodes.size());
    }

    @Override
    public void onOutput(Stream stream, byte[] bytes, int length) {
        output.onOutput(stream, bytes, length);
    }

    @Override
    public void started() {
        nodes.forEach(node -> workers.submit(() -> start(node)));
    }

    private void start(NodeName node) {
        try {
            guards.put(
                    node,
                    HeldCommand.start(
                            target.session(node), GuardScript.alone(folder).timeout(limit), complaint -> {}));
        } catch (ClusterwrightException e) {
            LOG.debug("no guard of job {} on {}", folder.token(), node, e);
        }
    }

    @Override
    public void look() {}

    @Override
    public boolean lostOne() {
        return false;
    }

    @Override
    public Map<NodeName, Leftovers> proven() {
        workers.finish(ANSWER);
        guards.values().forEach(guard -> guard.running().send(GuardScript.COUNT));
        return HeldCommand.answers(guards, ANSWER);
    }

    @Override
    public void close() {
        workers.close();
        guards.values().forEach(guard -> guard.running().endInput());
    }
}
