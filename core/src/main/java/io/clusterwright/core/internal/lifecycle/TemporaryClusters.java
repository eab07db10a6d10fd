package io.clusterwright.core.internal.lifecycle;

import io.clusterwright.core.Cluster;
import io.clusterwright.core.CreateOptions;
import io.clusterwright.core.internal.concurrent.Deadline;
import io.clusterwright.core.internal.concurrent.Tasks;
import io.clusterwright.core.internal.concurrent.Threads;
import io.clusterwright.core.internal.text.Reason;
import io.clusterwright.core.plan.Plan;
import io.clusterwright.core.type.ClusterId;
import io.clusterwright.core.type.ClusterName;
import io.clusterwright.core.type.ClusterwrightException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeoutException;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The temporary clusters of this JVM, which a shutdown hook destroys. */
public final class TemporaryClusters {
    private static final Logger LOG = LoggerFactory.getLogger(TemporaryClusters.class);
    private static final Duration LONGEST_END = Duration.ofMinutes(30);
    private static final List<Work> WORK = new ArrayList<>();
    private static final Map<Object, Open> OPEN = new LinkedHashMap<>();
    private static boolean hooked;
    private static boolean ending;

    private TemporaryClusters() {}

    /**
     * Creates a temporary cluster, which is open until {@link #forget}.
     *
     * @param wrap makes the caller's object of the cluster
     * @param destruction destroys it, or throws a {@link ClusterwrightException} that names the resources that were not deleted
     */
    public static <T> T create(
            Lifecycle lifecycle,
            Plan plan,
            CreateOptions options,
            BiFunction<ClusterId, Cluster, T> wrap,
            Consumer<T> destruction) {
        Work work = begin(lifecycle, plan.spec().name(), true);
        T made = null;
        try {
            made = lifecycle.createNew(plan, options, wrap);
            return made;
        } finally {
            end(work, made, destruction);
        }
    }

    /** Changes a cluster; where it is a temporary one, the shutdown hook interrupts the change and waits for its end. */
    public static <T> T change(Lifecycle lifecycle, ClusterName name, Supplier<T> change) {
        Work work = begin(lifecycle, name, false);
        try {
            return change.get();
        } finally {
            end(work, null, none -> {});
        }
    }

    /** Takes a temporary cluster off the list of the shutdown hook. */
    public static synchronized void forget(Object cluster) {
        OPEN.remove(cluster);
    }

    private static synchronized Work begin(Lifecycle lifecycle, ClusterName name, boolean creates) {
        if (creates && !hooked) {
            hooked = true;
            try {
                Runtime.getRuntime()
                        .addShutdownHook(Threads.daemon("temporary-clusters", TemporaryClusters::endWithJvm));
            } catch (IllegalStateException e) {
                // The hooks are running already.
                ending = true;
            }
        }
        Work work = new Work(lifecycle, name, creates, Thread.currentThread());
        if (ending && work.isOnTemporary()) {
            throw new ClusterwrightException(
                    creates
                            ? "cluster " + name + " was not created: this program is ending"
                            : "temporary cluster " + name + " is being destroyed: this program is ending");
        }
        WORK.add(work);
        return work;
    }

    private static synchronized <T> void end(Work work, @Nullable T made, Consumer<T> destruction) {
        WORK.remove(work);
        if (made != null) {
            OPEN.put(made, new Open(work.lifecycle(), work.name(), () -> destruction.accept(made)));
        }
        TemporaryClusters.class.notifyAll();
    }

    private static void endWithJvm() {
        synchronized (TemporaryClusters.class) {
            ending = true;
        }
        destroyOpen(LONGEST_END).forEach(LOG::warn);
    }

    /**
     * Interrupts the creations and changes of temporary clusters, waits for their end, and destroys the open temporary clusters.
     *
     * @param limit the longest wait for the end of the work, and then again for the destruction
     * @return a message for each cluster that was not destroyed completely
     */
    public static List<String> destroyOpen(Duration limit) {
        String late = "did not end within " + Deadline.text(limit);
        Stream<String> created = endWork(Deadline.in("end of the work on temporary clusters", limit)).stream()
                .filter(Work::creates)
                .map(work -> left(work.name(), "creation", late));
        List<Open> open = open();
        Stream<String> destroyed = Tasks.each(
                        "temporary-cluster",
                        open.size(),
                        limit,
                        open,
                        cluster -> {
                            cluster.destruction().run();
                            return "";
                        },
                        (cluster, cause) -> cause instanceof ClusterwrightException
                                ? Reason.of(cause)
                                : left(
                                        cluster.name(),
                                        "destruction",
                                        cause instanceof TimeoutException ? late : "failed: " + Reason.of(cause)))
                .stream()
                .filter(message -> !message.isEmpty());
        return Stream.concat(created, destroyed).toList();
    }

    private static String left(ClusterName name, String what, String failure) {
        return "temporary cluster " + name + " may exist and be billed: its " + what + " " + failure
                + "; destroy it: clusterwright destroy " + name + " (ClusterManager.destroy)";
    }

    private static synchronized List<Open> open() {
        return List.copyOf(OPEN.values());
    }

    /** Interrupts work on temporary clusters, and returns the work that did not end in time. */
    private static synchronized List<Work> endWork(Deadline deadline) {
        workOnTemporary().forEach(work -> work.thread().interrupt());
        try {
            while (!workOnTemporary().isEmpty() && !deadline.passed()) {
                TemporaryClusters.class.wait(Math.max(1, deadline.remaining().toMillis()));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        return workOnTemporary();
    }

    private static List<Work> workOnTemporary() {
        return WORK.stream().filter(Work::isOnTemporary).toList();
    }

    /** A creation of a temporary cluster, or a change of any cluster, that is under way. */
    private record Work(Lifecycle lifecycle, ClusterName name, boolean creates, Thread thread) {
        boolean isOnTemporary() {
            return creates
                    || OPEN.values().stream()
                            .anyMatch(open ->
                                    open.lifecycle() == lifecycle && open.name().equals(name));
        }
    }

    /** A temporary cluster that has not been destroyed. */
    private record Open(Lifecycle lifecycle, ClusterName name, Runnable destruction) {}
}
