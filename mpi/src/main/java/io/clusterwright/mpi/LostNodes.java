package io.clusterwright.mpi;

import io.clusterwright.core.Command;
import io.clusterwright.core.NodeSession;
import io.clusterwright.core.internal.concurrent.Tasks;
import io.clusterwright.core.type.ClusterwrightException;
import io.clusterwright.core.type.NodeName;
import io.clusterwright.core.type.OperationInterruptedException;
import io.clusterwright.mpi.job.JobResult;
import io.clusterwright.mpi.job.JobTarget;
import io.clusterwright.mpi.job.LaunchFailure;
import io.clusterwright.mpi.spi.LaunchNode;
import io.clusterwright.mpi.spi.NodeTarget;
import io.clusterwright.mpi.spi.SchedulerTarget;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Finds the nodes that a job cannot be started on again: all are asked at once, and each must answer in time. The scheduler is asked where no
 * session can be opened.
 */
final class LostNodes {
    private static final Logger LOG = LoggerFactory.getLogger(LostNodes.class);
    private static final Duration ANSWER = Duration.ofSeconds(15);
    private static final Command ASK = Command.of("true").timeout(Duration.ofSeconds(10));
    private static final int AT_ONCE = 32;

    private LostNodes() {}

    /** @param leaving asked on the nodes that answer; one that cannot say so in time is not leaving */
    static List<NodeName> after(JobTarget where, JobResult result, Predicate<NodeSession> leaving) {
        if (!(where instanceof NodeTarget target)) {
            return where instanceof SchedulerTarget queue ? reported(queue) : List.of();
        }
        Set<LaunchNode> stay = new LinkedHashSet<>(target.nodes());
        Set<String> refused = refused(result);
        stay.removeIf(node -> refused.contains(node.address().toString())
                || refused.contains(node.name().value()));
        stay.retainAll(yes(stay, node -> answers(target, node)));
        stay.removeAll(yes(stay, node -> leaving.test(target.session(node.name()))));
        return target.nodes().stream()
                .filter(node -> !stay.contains(node))
                .map(LaunchNode::name)
                .toList();
    }

    /** A scheduler that does not answer reports no node; the next attempt shows whether it is gone. */
    private static List<NodeName> reported(SchedulerTarget queue) {
        try {
            return queue.lost();
        } catch (OperationInterruptedException e) {
            throw e;
        } catch (ClusterwrightException e) {
            LOG.debug("the scheduler did not answer about its nodes", e);
            return List.of();
        }
    }

    /** The nodes for which the answer is yes and comes in time; all are asked at once. */
    private static Set<LaunchNode> yes(Set<LaunchNode> nodes, Predicate<LaunchNode> question) {
        return Tasks.<LaunchNode, Optional<LaunchNode>>each(
                        "ask",
                        AT_ONCE,
                        ANSWER,
                        nodes,
                        node -> Optional.of(node).filter(question),
                        (node, cause) -> Optional.empty())
                .stream()
                .flatMap(Optional::stream)
                .collect(Collectors.toSet());
    }

    /** The launch node could not start anything there; a connection that broke may be another's fault. */
    private static Set<String> refused(JobResult result) {
        return result.launchFailures().stream()
                .filter(failure -> !failure.lostConnection())
                .map(LaunchFailure::host)
                .collect(Collectors.toSet());
    }

    private static boolean answers(NodeTarget target, LaunchNode node) {
        try {
            return target.session(node.name()).run(ASK).exitStatus() == 0;
        } catch (ClusterwrightException e) {
            return false;
        }
    }
}
