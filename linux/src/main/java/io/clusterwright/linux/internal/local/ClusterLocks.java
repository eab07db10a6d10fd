package io.clusterwright.linux.internal.local;

import io.clusterwright.core.type.ClusterName;
import io.clusterwright.core.type.NodeName;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Keeps the threads of this process apart: nodes of a cluster are worked on side by side, its network alone. */
final class ClusterLocks {
    private final ConcurrentMap<ClusterName, ReentrantReadWriteLock> clusters = new ConcurrentHashMap<>();
    private final ConcurrentMap<String, Object> monitors = new ConcurrentHashMap<>();

    void alone(ClusterName cluster, Runnable work) {
        Lock lock = of(cluster).writeLock();
        lock.lock();
        try {
            work.run();
        } finally {
            lock.unlock();
        }
    }

    <T extends @Nullable Object> T onNode(ClusterName cluster, NodeName node, Supplier<T> work) {
        Lock lock = of(cluster).readLock();
        lock.lock();
        try {
            synchronized (monitor(cluster + "/" + node)) {
                return work.get();
            }
        } finally {
            lock.unlock();
        }
    }

    /** The monitor under which a cluster's shared layers are made. */
    Object layers(ClusterName cluster) {
        return monitor(cluster + "/");
    }

    private Object monitor(String name) {
        return monitors.computeIfAbsent(name, unused -> new Object());
    }

    private ReentrantReadWriteLock of(ClusterName cluster) {
        return clusters.computeIfAbsent(cluster, unused -> new ReentrantReadWriteLock());
    }
}
