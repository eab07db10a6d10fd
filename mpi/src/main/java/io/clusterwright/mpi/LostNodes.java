package io.clusterwright.mpi;

import io.clusterwright.core.ClusterwrightException;
import io.clusterwright.core.cluster.Command;
import io.clusterwright.core.type.NodeName;
import io.clusterwright.mpi.internal.Pools;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Finds the nodes that a job cannot be started on again: all are asked at once, and each must answer in time. */
final class LostNodes {
    private static final Duration ANSWER = Duration.ofSeconds(15);
    private static final Command ASK = Command.of("true").timeout(Duration.ofSeconds(10));
    private static final int AT_ONCE = 32;

    private LostNodes() {}

    static List<NodeName> after(LaunchTarget target, MpiResult result) {
        ExecutorService pool = Pools.of("ask", Math.min(AT_ONCE, target.nodes().size()));
        try {
            Map<LaunchNode, Future<Boolean>> answers = new LinkedHashMap<>();
            target.nodes().forEach(node -> answers.put(node, pool.submit(() -> answers(target, node))));
            long deadline = System.nanoTime() + ANSWER.toNanos();
            return answers.entrySet().stream()
                    .filter(entry -> refused(entry.getKey(), result) || !got(entry.getValue(), deadline))
                    .map(entry -> entry.getKey().name())
                    .toList();
        } finally {
            pool.shutdownNow();
        }
    }

    /** The launch node could not start anything there; a connection that broke may be another's fault. */
    private static boolean refused(LaunchNode node, MpiResult result) {
        return result.launchFailures().stream()
                .anyMatch(failure -> !failure.lostConnection()
                        && (failure.host().equals(node.address().toString())
                                || failure.host().equals(node.name().value())));
    }

    private static boolean answers(LaunchTarget target, LaunchNode node) {
        try {
            return target.session(node.name()).run(ASK).exitStatus() == 0;
        } catch (ClusterwrightException e) {
            return false;
        }
    }

    private static boolean got(Future<Boolean> answer, long deadline) {
        try {
            return answer.get(Math.max(0, deadline - System.nanoTime()), TimeUnit.NANOSECONDS);
        } catch (TimeoutException | ExecutionException e) {
            return false;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }
}
