package io.clusterwright.core.internal.lifecycle;

import io.clusterwright.core.spi.Machine;
import io.clusterwright.core.type.ClusterwrightException;
import io.clusterwright.core.type.NodeName;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.Future;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Boots of nodes, side by side. Where the others are reached through one of them, they begin when that one says so. */
final class BootQueue {
    private final Executor pool;
    private final Map<NodeName, CompletableFuture<Machine>> boots = new LinkedHashMap<>();
    private final List<Runnable> held = new ArrayList<>();
    private @Nullable NodeName first;
    private @Nullable ClusterwrightException blocked;

    /** A queue in which all wait for this node; for none where it is empty. */
    BootQueue(Executor pool, Optional<NodeName> first) {
        this.pool = pool;
        this.first = first.orElse(null);
    }

    /** Boots a node, as soon as its turn has come. */
    synchronized void add(NodeName node, Supplier<Machine> boot) {
        CompletableFuture<Machine> future = new CompletableFuture<>();
        boots.put(node, future);
        boolean isFirst = node.equals(first);
        Runnable run = () -> {
            try {
                future.complete(boot.get());
            } catch (RuntimeException | Error e) {
                future.completeExceptionally(e);
                if (isFirst) {
                    block(node, e);
                }
            }
        };
        if (first == null || isFirst) {
            pool.execute(run);
        } else {
            held.add(() -> {
                ClusterwrightException reason = blocked;
                if (reason == null) {
                    pool.execute(run);
                } else {
                    future.completeExceptionally(
                            new ClusterwrightException(node + " cannot be reached: " + reason.getMessage(), reason));
                }
            });
            if (blocked != null) {
                release();
            }
        }
    }

    /** The others may begin, if this is the node that they wait for. */
    synchronized void pass(NodeName node) {
        if (node.equals(first)) {
            first = null;
            release();
        }
    }

    /** The node cannot be reached: if the others wait for it, they fail. */
    synchronized void block(NodeName node, Throwable cause) {
        if (node.equals(first)) {
            blocked = new ClusterwrightException("the gateway " + node + " failed: " + cause.getMessage());
            release();
        }
    }

    private void release() {
        held.forEach(Runnable::run);
        held.clear();
    }

    synchronized Map<NodeName, Future<Machine>> boots() {
        return new LinkedHashMap<>(boots);
    }
}
