package io.clusterwright.core;

import io.clusterwright.core.type.ClusterwrightException;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A cluster for the length of a try block: its end destroys the cluster, also when the block throws. Use it for the
 * length of one job or one test; {@link ClusterManager#create} makes a cluster that stays.
 *
 * <pre>{@code
 * try (TemporaryCluster temporary = clusters.createTemporary(spec)) {
 *     MpiJob.of("hostname").on(temporary.cluster()).run().orThrow();
 * }
 * }</pre>
 *
 * <p>The end of the program destroys the cluster, too: Ctrl-C (SIGINT), SIGTERM and {@link System#exit} run a shutdown hook of the JVM. It
 * interrupts the creation or the change of a temporary cluster, which then rolls back, destroys the open temporary clusters at the same
 * time, waits at most 30 min for each of the two, and logs at WARN what could not be deleted. A listener must not call {@code System.exit},
 * because the hook would wait for the listener's operation.
 *
 * <p>Money: SIGKILL, {@link Runtime#halt} and the loss of the machine destroy nothing, and machines of a cloud stay billed. Give the spec a
 * {@linkplain io.clusterwright.core.spec.ClusterSpec#timeToLive() time to live}: the plan warns with CW-COST-001 where billed machines have
 * no time to live. {@link ClusterManager#list()} shows the cluster that was left;
 * {@link ClusterManager#destroy(io.clusterwright.core.type.ClusterName)} and {@code clusterwright destroy NAME} delete it, and
 * {@code clusterwright destroy --expired} deletes each cluster past its time.
 *
 * <p>The cluster is destroyed by its id: with the nodes that {@code resize} added, and without an error when someone else has destroyed it.
 * Another cluster that has its name by then stays as it is.
 *
 * <p>Safe for use by several threads.
 */
public final class TemporaryCluster implements AutoCloseable {
    private final Cluster cluster;
    private final Supplier<DestroyReport> destruction;
    private final Consumer<TemporaryCluster> forget;
    private @Nullable DestroyReport last;
    private boolean closed;

    TemporaryCluster(Cluster cluster, Supplier<DestroyReport> destruction, Consumer<TemporaryCluster> forget) {
        this.cluster = cluster;
        this.destruction = destruction;
        this.forget = forget;
    }

    /** The cluster, which {@link #destroy()} and {@link #close()} close. */
    public Cluster cluster() {
        return cluster;
    }

    /**
     * Destroys the cluster now. An interrupt does not cut it short; the flag is set when it returns. Another call tries again when something
     * was left, and else returns the same report.
     *
     * @return the deleted resources, and those left, which may be billed
     * @throws ClusterwrightException when the destruction did not begin, such as while another process changes the cluster, or did not end
     * @throws IllegalStateException when the manager has been closed
     */
    public synchronized DestroyReport destroy() {
        DestroyReport report = last;
        if (report != null && report.left().isEmpty()) {
            return report;
        }
        try {
            cluster.close();
        } finally {
            report = destruction.get();
            last = report;
        }
        if (report.left().isEmpty()) {
            forget.accept(this);
        }
        return report;
    }

    /**
     * {@linkplain #destroy() Destroys} the cluster, and throws when it could not be deleted completely. When the try block threw as well, Java
     * keeps the exception of the block and adds this one as {@linkplain Throwable#getSuppressed() suppressed}. A second call does nothing;
     * {@link #destroy()} tries again.
     *
     * @throws ClusterwrightException when something is left, which may be billed; the message names it, and the command that tries again. Also
     *     when the manager was closed before, which leaves the whole cluster: close the manager last
     */
    @Override
    public synchronized void close() {
        if (closed) {
            return;
        }
        closed = true;
        try {
            destroyCompletely();
        } finally {
            forget.accept(this);
        }
    }

    /** Destroys the cluster, and throws as {@link #close()} does, each time that it is called. */
    synchronized void destroyCompletely() {
        DestroyReport report;
        try {
            report = destroy();
        } catch (RuntimeException e) {
            throw last != null && last.left().isEmpty() ? e : left("reason: " + e.getMessage(), e);
        }
        if (!report.left().isEmpty()) {
            throw left(
                    report.left().entrySet().stream()
                            .map(each -> each.getKey() + ": " + each.getValue())
                            .collect(Collectors.joining("; ", "left: ", "")),
                    null);
        }
    }

    private ClusterwrightException left(String why, @Nullable Throwable cause) {
        return new ClusterwrightException(
                this + " was not destroyed completely and may be billed; " + why + "; try again: clusterwright destroy "
                        + cluster.name() + " (ClusterManager.destroy)",
                cause);
    }

    /** The words {@code temporary cluster} and the cluster's name. */
    @Override
    public String toString() {
        return "temporary cluster " + cluster.name();
    }
}
