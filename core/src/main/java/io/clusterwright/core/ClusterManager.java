package io.clusterwright.core;

import io.clusterwright.core.internal.concurrent.Threads;
import io.clusterwright.core.internal.concurrent.WaitTime;
import io.clusterwright.core.internal.lifecycle.Lifecycle;
import io.clusterwright.core.internal.lifecycle.TemporaryClusters;
import io.clusterwright.core.internal.session.Sessions;
import io.clusterwright.core.internal.state.ClusterRecords;
import io.clusterwright.core.plan.Plan;
import io.clusterwright.core.plan.PriceTable;
import io.clusterwright.core.spec.ClusterSpec;
import io.clusterwright.core.type.ClusterId;
import io.clusterwright.core.type.ClusterName;
import io.clusterwright.core.type.ClusterwrightException;
import io.clusterwright.core.type.InvalidValueException;
import io.clusterwright.core.type.NodeName;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Creates, finds and destroys clusters on one provider. Use it as the first object of a program: it plans, creates,
 * opens and destroys clusters.
 *
 * <pre>{@code
 * try (ClusterManager clusters = ClusterManager.on(LocalMachines.create());
 *         TemporaryCluster temporary =
 *                 clusters.createTemporary(spec)) { // destroyed at the end, also after a failure
 *     MpiJob.of("hostname").on(temporary.cluster()).run().orThrow();
 * }
 * }</pre>
 *
 * <p>Safe for use by several threads; one process changes a given cluster at a time. Methods block; interrupting one stops
 * the work, cleans up as after a failure, sets the interrupt flag and throws
 * {@link io.clusterwright.core.type.OperationInterruptedException}. Each method whose name ends with
 * {@code Async} starts the same work as the method without that end and returns at once. Where the provider bills
 * machines, {@link #create(ClusterSpec)} costs money until {@link #destroy(ClusterName)}.
 * {@link Cluster#close()} and {@link #close()} delete nothing.
 */
public final class ClusterManager implements AutoCloseable {
    private final Lifecycle lifecycle;
    private final @Nullable ExecutorService own;
    private final Executor executor;

    private ClusterManager(Lifecycle lifecycle, @Nullable Executor supplied) {
        this.lifecycle = lifecycle;
        this.own = supplied == null ? Threads.unbounded("operation") : null;
        this.executor = supplied == null ? Objects.requireNonNull(own) : supplied;
    }

    /** A manager of these machines with the {@linkplain StateStore#standard() standard} state store. */
    public static ClusterManager on(Machines machines) {
        return builder(machines).build();
    }

    /** Starts a manager of these machines. */
    public static Builder builder(Machines machines) {
        return new Builder(machines);
    }

    /** The clusters of every provider in a state store, by name. */
    public static List<ClusterSummary> list(StateStore store) {
        return List.copyOf(ClusterRecords.all(store));
    }

    /** Says what creating this cluster would do and which findings prevent it. Changes nothing and costs nothing. */
    public Plan plan(ClusterSpec spec) {
        return lifecycle.plan(spec, null);
    }

    /** As {@link #plan(ClusterSpec)}, with the price of the machines and the findings about the spec's cost cap. */
    public Plan plan(ClusterSpec spec, PriceTable prices) {
        return lifecycle.plan(spec, Objects.requireNonNull(prices, "prices"));
    }

    /** As {@link #create(ClusterSpec, CreateOptions)} with the {@linkplain CreateOptions#standard() standard options}. */
    public Cluster create(ClusterSpec spec) {
        return create(spec, CreateOptions.standard());
    }

    /**
     * Creates a cluster, or makes an existing one of that name agree with the spec: nodes that the provider reports as absent or failed are
     * made, stopped ones are started, surplus nodes are deleted, all others stay unchanged. A node that exists and does not answer is
     * replaced only where the {@linkplain CreateOptions#replaceUnreachable() options} say so; otherwise this fails before it deletes or
     * makes anything, naming the node.
     *
     * <p>Failed checks do not fail the creation; they are reported to the listener.
     *
     * @return the cluster; the caller closes it
     * @throws SpecRefusedException when the plan has errors; nothing was made
     * @throws CreateFailedException when it did not work; what this call made has been deleted unless the options say
     * otherwise. Its cause is
     *     a {@link NodesFailedException} where nodes did not become ready
     * @throws ClusterException.InUse when another process changes it
     */
    public Cluster create(ClusterSpec spec, CreateOptions options) {
        return create(plan(spec), options);
    }

    /** As {@link #create(Plan, CreateOptions)} with the {@linkplain CreateOptions#standard() standard options}. */
    public Cluster create(Plan plan) {
        return create(plan, CreateOptions.standard());
    }

    /**
     * Carries out a plan of this manager, as {@link #create(ClusterSpec, CreateOptions)} does.
     *
     * @return the cluster; the caller closes it
     * @throws SpecRefusedException when the plan has errors; nothing was made
     * @throws io.clusterwright.core.type.InvalidValueException when the plan was made offline
     * @throws CreateFailedException when it did not work
     */
    public Cluster create(Plan plan, CreateOptions options) {
        return TemporaryClusters.change(lifecycle, plan.spec().name(), () -> lifecycle.create(plan, options));
    }

    /** As {@link #createTemporary(Plan, CreateOptions)}, of a spec, with the {@linkplain CreateOptions#standard() standard options}. */
    public TemporaryCluster createTemporary(ClusterSpec spec) {
        return createTemporary(spec, CreateOptions.standard());
    }

    /** As {@link #createTemporary(Plan, CreateOptions)}, of a spec. */
    public TemporaryCluster createTemporary(ClusterSpec spec, CreateOptions options) {
        return createTemporary(plan(spec), options);
    }

    /**
     * Creates a cluster as {@link #create(Plan, CreateOptions)} does, for the length of a try block, whose end {@linkplain
     * TemporaryCluster#close() destroys} it. Refuses the name of a cluster that exists, so that nothing that was there before is deleted.
     *
     * @param options the listener gets the events of the destruction, too
     * @return the cluster; the caller closes it before this manager
     * @throws ClusterwrightException when the state store has a cluster of this name, of any provider, or this
     * program is ending; nothing was
     *     made or changed
     */
    public TemporaryCluster createTemporary(Plan plan, CreateOptions options) {
        return TemporaryClusters.create(
                lifecycle,
                plan,
                options,
                (id, cluster) -> new TemporaryCluster(
                        cluster, () -> lifecycle.destroy(id, options.listener()), TemporaryClusters::forget),
                TemporaryCluster::destroyCompletely);
    }

    /** Starts {@link #create(ClusterSpec, CreateOptions)}. */
    public Operation<Cluster> createAsync(ClusterSpec spec, CreateOptions options) {
        return operation("creation of cluster " + spec.name(), () -> create(spec, options));
    }

    /** As {@link #buildImage(ClusterSpec, CreateOptions)} with the {@linkplain CreateOptions#standard() standard options}. */
    public StoredImage buildImage(ClusterSpec spec) {
        return buildImage(spec, CreateOptions.standard());
    }

    /**
     * Builds the image that the nodes of this spec boot from, without a cluster: everything else that it needs is deleted before the call
     * returns. An image of an unchanged recipe is returned as it is, unless the options ask for a fresh one.
     *
     * @throws SpecRefusedException when the plan has errors; nothing was made
     * @throws io.clusterwright.core.type.InvalidValueException when the spec captures no image
     * @throws CreateFailedException when it did not work, or a cluster of the spec's name exists
     */
    public StoredImage buildImage(ClusterSpec spec, CreateOptions options) {
        return lifecycle.buildImage(spec, options);
    }

    /** Starts {@link #buildImage(ClusterSpec, CreateOptions)}. */
    public Operation<StoredImage> buildImageAsync(ClusterSpec spec, CreateOptions options) {
        return operation("image of " + spec.name(), () -> buildImage(spec, options));
    }

    /**
     * Builds only the slow first part of the image, the base with the distribution's updates, which the images of many specs share.
     * Everything else that it needs is deleted before the call returns.
     *
     * @return the updated base; empty when the spec installs no updates, the provider does not keep them apart, or a cluster of the spec's
     *     name exists, whose creation builds it
     * @throws SpecRefusedException when the plan has errors; nothing was made
     * @throws CreateFailedException when it did not work
     */
    public Optional<StoredImage> buildUpdatedBase(ClusterSpec spec, CreateOptions options) {
        return lifecycle.buildUpdatedBase(spec, options);
    }

    /** As {@link #resize(ClusterName, int, CreateOptions)} with the {@linkplain CreateOptions#standard() standard options}. */
    public Cluster resize(ClusterName name, int count) {
        return resize(name, count, CreateOptions.standard());
    }

    /**
     * Changes the number of nodes: missing ones are made from the cluster's image and join, those with the highest numbers are deleted with
     * their disks. The others stay unchanged; their host lists are updated. Checks run as for {@link #create(ClusterSpec)}. Where the
     * provider bills machines, each new one costs money from now on, and a deleted one no more.
     *
     * @param count 1 or more; a quorum in the spec is lowered with it
     * @return the cluster; the caller closes it
     * @throws io.clusterwright.core.type.InvalidValueException when no cluster can have this number of nodes
     * @throws SpecRefusedException when the plan has errors, such as a quota; nothing was changed
     * @throws CreateFailedException when it did not work; new nodes have been deleted, surplus nodes may be gone
     * @throws ClusterException.NotFound when there is no such cluster
     * @throws ClusterException.Stopped when it is stopped
     * @throws ClusterException.InUse when another process changes it
     */
    public Cluster resize(ClusterName name, int count, CreateOptions options) {
        return TemporaryClusters.change(lifecycle, name, () -> lifecycle.resize(name, count, options));
    }

    /** Starts {@link #resize(ClusterName, int, CreateOptions)}. */
    public Operation<Cluster> resizeAsync(ClusterName name, int count, CreateOptions options) {
        return operation("resizing of cluster " + name, () -> resize(name, count, options));
    }

    /** As {@link #stop(ClusterName, ClusterListener)} without a listener. */
    public ClusterSummary stop(ClusterName name) {
        return stop(name, event -> {});
    }

    /**
     * Stops all machines of a cluster in parallel; programs that run on them end. Disks, addresses, host keys and the
     * cluster's record stay,
     * and {@link #start(ClusterName)} brings the same nodes back. Stopping a stopped cluster does nothing.
     *
     * <p>Money: where the provider bills machines, their hardware is given back (on Azure they are deallocated), so that only disks,
     * public addresses, load balancers and images are billed until it is started or destroyed. A time to live goes on.
     *
     * @return the cluster's record afterwards
     * @throws ClusterException.NotFound when there is no such cluster
     * @throws ClusterException.InUse when another process changes it
     * @throws ClusterwrightException when some machine did not stop; calling it again goes on
     */
    public ClusterSummary stop(ClusterName name, ClusterListener listener) {
        return TemporaryClusters.change(lifecycle, name, () -> lifecycle.stop(name, listener));
    }

    /** Starts {@link #stop(ClusterName, ClusterListener)}. */
    public Operation<ClusterSummary> stopAsync(ClusterName name, ClusterListener listener) {
        return operation("shutdown of cluster " + name, () -> stop(name, listener));
    }

    /** As {@link #start(ClusterName, ClusterListener)} without a listener. */
    public Cluster start(ClusterName name) {
        return start(name, event -> {});
    }

    /**
     * Brings the nodes of a stopped cluster back. Returns when each was proven with its former host key, knows the
     * others, and the checks of
     * {@link #create(ClusterSpec)} ran, whose reports go to the listener. Starting a running cluster proves it again.
     *
     * <p>Money: where the provider bills machines, they are billed from now on, also when this fails: {@link #stop(ClusterName)} or
     * {@link #destroy(ClusterName)} ends that. A cloud that gave the hardware to someone else may have no hardware left.
     *
     * @return the cluster; the caller closes it
     * @throws ClusterException.NotFound when there is no such cluster
     * @throws ClusterException.InUse when another process changes it
     * @throws NodesFailedException when some nodes did not become ready; the others run
     */
    public Cluster start(ClusterName name, ClusterListener listener) {
        return TemporaryClusters.change(lifecycle, name, () -> lifecycle.start(name, listener));
    }

    /** Starts {@link #start(ClusterName, ClusterListener)}. */
    public Operation<Cluster> startAsync(ClusterName name, ClusterListener listener) {
        return operation("boot of cluster " + name, () -> start(name, listener));
    }

    /** Runs all checks that the cluster's spec asks for. */
    public List<CheckReport> verify(Cluster cluster) {
        return verify(cluster, event -> {});
    }

    /**
     * Runs all checks that the cluster's spec asks for; a check that does not pass is a report, not an exception.
     *
     * @param listener takes the progress and the end of each check
     */
    public List<CheckReport> verify(Cluster cluster, ClusterListener listener) {
        return lifecycle.verify(cluster, listener);
    }

    /** As {@link #verify(Cluster, ClusterListener)}, but only the checks that take seconds: the checks that creating a cluster runs as well. */
    public List<CheckReport> verifyQuickly(Cluster cluster, ClusterListener listener) {
        return lifecycle.verifyQuickly(cluster, listener);
    }

    /** Starts {@link #verify(Cluster, ClusterListener)}. */
    public Operation<List<CheckReport>> verifyAsync(Cluster cluster, ClusterListener listener) {
        return operation("verification of cluster " + cluster.name(), () -> verify(cluster, listener));
    }

    /**
     * Prepares this process, on a thread in the background, for its first session to a node, such as by loading
     * classes: it then opens about
     * 0.2 s sooner. {@link #open} does so itself; a program that will open a cluster may begin earlier. Touches no network and no file.
     */
    public static void warmUp() {
        Sessions.warmUp();
    }

    /**
     * A cluster that was created before, by this process or another.
     *
     * @return the cluster; the caller closes it
     * @throws ClusterException.NotFound when there is no such cluster; the message lists the existing ones
     * @throws ClusterException.Stopped when it is stopped
     */
    public Cluster open(ClusterName name) {
        warmUp();
        return lifecycle.open(name);
    }

    /**
     * A cluster as it is now: the states of its machines, the last result of each check, and the last lines of the logs of some nodes, such
     * as the console and the log of cloud-init. Also works for a stopped cluster. Changes nothing.
     *
     * @param withLogs the nodes whose logs are read; may be empty
     * @param lines the most lines of each log, at least 1
     * @throws ClusterException.NotFound when there is no such cluster
     * @throws ClusterwrightException when there is no such node, or the provider does not answer for the state of a node
     */
    public ClusterDescription describe(ClusterName name, Collection<NodeName> withLogs, int lines) {
        if (lines < 1) {
            throw new InvalidValueException("number of lines", lines, "1 or more", "20");
        }
        return lifecycle.describe(name, withLogs, lines);
    }

    /**
     * The way of an SSH client from this machine to the nodes of a cluster, as its login user and with its pinned host keys.
     *
     * @throws ClusterException.NotFound when there is no such cluster
     * @throws ClusterException.Stopped when it is stopped
     * @throws ClusterwrightException when its nodes are not reached by SSH, or the state store does not keep its keys in files
     */
    public SshAccess sshAccess(ClusterName name) {
        return lifecycle.sshAccess(name);
    }

    /** The clusters of this provider in the state store, by name. */
    public List<ClusterSummary> list() {
        return List.copyOf(lifecycle.records().ofProvider());
    }

    /** The states of a cluster's machines as the provider reports them now, by node; empty when there is no such cluster. */
    public Map<NodeName, MachineState> states(ClusterName name) {
        return lifecycle.states(name);
    }

    /** As {@link #destroy(ClusterName, ClusterListener)} without a listener. */
    public DestroyReport destroy(ClusterName name) {
        return destroy(name, event -> {});
    }

    /**
     * Deletes a cluster: the resources in its journal, the latest first, and then all that carry its mark, which is the only evidence
     * when the journal cannot be read. Captured images stay. Destroying an absent cluster does nothing. What others put into its resources
     * stays, and so do the resources that hold it, which the report lists as left. An interrupt does not cut it short; the flag is set when
     * it returns.
     *
     * @throws ClusterwrightException when the provider has a cluster of this name of which the state store has no
     * record, or the record is of
     *     another provider; nothing was deleted
     */
    public DestroyReport destroy(ClusterName name, ClusterListener listener) {
        return TemporaryClusters.change(lifecycle, name, () -> lifecycle.destroy(name, false, listener));
    }

    /** As {@link #destroy(ClusterName, ClusterListener)}, with what others put into its resources, such as into its resource group. */
    public DestroyReport destroyWithContents(ClusterName name, ClusterListener listener) {
        return TemporaryClusters.change(lifecycle, name, () -> lifecycle.destroy(name, true, listener));
    }

    /**
     * The clusters, and parts of clusters, that exist at the provider and of which the state store has no record:
     * found by the marks on their
     * resources. They may belong to another state folder, whose clusters nothing here changes. Clusters that a running program of this machine
     * uses are not among them.
     */
    public List<MarkedCluster> untracked() {
        return lifecycle.adoption().untracked();
    }

    /**
     * Deletes one of the {@linkplain #untracked() clusters without a record}: all that carries its id.
     *
     * @throws ClusterwrightException when it is not one of them; nothing was deleted
     */
    public DestroyReport destroyUntracked(ClusterId id, ClusterListener listener) {
        return lifecycle.reporting(listener, events -> lifecycle.adoption().destroy(id, events));
    }

    /** The clusters of this name at the provider that can be {@linkplain #adopt adopted}: without a record, or with a damaged one. */
    public List<MarkedCluster> adoptable(ClusterName name) {
        return lifecycle.adoption().adoptable(name);
    }

    /**
     * Writes the record of a cluster whose record is absent or damaged, from what the provider reports. Its secrets
     * stay, where there are any;
     * without its login keys it can be listed, stopped and destroyed, and its nodes cannot be reached, which the listener learns. Nothing
     * at the provider changes.
     *
     * @param spec the spec that it was made from, which names its nodes
     * @throws ClusterwrightException when the provider has no such cluster, or its record is whole
     */
    public ClusterSummary adopt(ClusterId id, ClusterSpec spec, ClusterListener listener) {
        Objects.requireNonNull(spec, "spec");
        return lifecycle.reporting(listener, events -> lifecycle.adoption().adopt(id, spec, events));
    }

    /**
     * As {@link #adopt(ClusterId, ClusterSpec, ClusterListener)}, by the spec in a damaged record. Where the record has no spec, the nodes stay
     * unknown, and the cluster can be listed and destroyed.
     */
    public ClusterSummary adopt(ClusterId id, ClusterListener listener) {
        return lifecycle.reporting(listener, events -> lifecycle.adoption().adopt(id, null, events));
    }

    /** Starts {@link #destroy(ClusterName, ClusterListener)}, which {@link Operation#cancel()} does not cut short. */
    public Operation<DestroyReport> destroyAsync(ClusterName name, ClusterListener listener) {
        return operation("destruction of cluster " + name, () -> destroy(name, listener));
    }

    /** The images captured on this provider, newest first. */
    public List<StoredImage> images() {
        return lifecycle.images().all();
    }

    /**
     * Deletes one image captured on this provider; clusters that were created from it go on. An image that this
     * library did not make is never
     * deleted.
     *
     * @return what was deleted
     * @throws io.clusterwright.core.type.InvalidValueException when no captured image has this name
     */
    public StoredImage deleteImage(String name) {
        return lifecycle.images().delete(name);
    }

    /**
     * Whether this manager's state store captured an image, so that {@link #pruneImages} deletes it. Images of other
     * stores with the recipe of a
     * cluster are used as well, and stay theirs; those without a mark, of earlier versions, are no store's.
     */
    public boolean owns(StoredImage image) {
        return lifecycle.images().owns(image);
    }

    /**
     * The clusters with machines that were made from captured images, of every state store, by the name of the image. An image that no
     * cluster uses is absent.
     */
    public Map<String, List<ClusterId>> imageUsers() {
        return lifecycle.images().users();
    }

    /** As {@link #pruneImages(ImageRetention)} with {@link ImageRetention#none()}. */
    public List<StoredImage> pruneImages() {
        return pruneImages(ImageRetention.none());
    }

    /**
     * Deletes the images on this provider that this manager's state store {@linkplain #owns captured}, apart from images that are kept and
     * images that clusters {@linkplain #imageUsers() use}. Images of other stores stay, and images that an operation of this store is making
     * in any process. An image whose making broke off is deleted when its cluster is created again or destroyed.
     *
     * @return what was deleted
     * @see #deleteImage
     */
    public List<StoredImage> pruneImages(ImageRetention retention) {
        return lifecycle.images().prune(retention);
    }

    /**
     * Deletes all images on this provider, also those of other users that they use or make now, whose creation then fails. Clusters that
     * were created from them go on.
     *
     * @return what was deleted
     */
    public List<StoredImage> pruneImagesOfEveryone() {
        return lifecycle.images().pruneOfEveryone();
    }

    /** Closes what this manager opened: the provider's connection and its own threads, whose operations are cancelled. Clusters run on. */
    @Override
    public void close() {
        if (own != null) {
            Threads.end(own, Lifecycle.LONGEST_END);
        }
        lifecycle.close();
    }

    /** The provider whose clusters this manager creates, such as {@code clusters on local}. */
    @Override
    public String toString() {
        return "clusters on " + lifecycle.records().provider();
    }

    private <T> Operation<T> operation(String name, Supplier<T> work) {
        return Operation.start(name, executor, work);
    }

    /** Collects the parts of a {@link ClusterManager}. */
    public static final class Builder {
        private final Machines machines;
        private @Nullable StateStore store;
        private @Nullable Executor executor;

        private Builder(Machines machines) {
            this.machines = Objects.requireNonNull(machines, "machines");
        }

        /** The records of clusters; default {@link StateStore#standard()}. */
        public Builder stateStore(StateStore value) {
            this.store = Objects.requireNonNull(value, "store");
            return this;
        }

        /** The executor of started operations, one task for each; it stays open. Default: threads of the manager. */
        public Builder executor(Executor value) {
            this.executor = Objects.requireNonNull(value, "executor");
            return this;
        }

        /**
         * The manager.
         *
         * @throws io.clusterwright.core.type.InvalidValueException when the machines are of no provider
         */
        public ClusterManager build() {
            StateStore records = store == null ? StateStore.standard() : store;
            return new ClusterManager(new Lifecycle(machines, records, WaitTime.CLOCK), executor);
        }
    }
}
