package io.clusterwright.core.spi;

import io.clusterwright.core.MachineState;
import io.clusterwright.core.MarkedCluster;
import io.clusterwright.core.NodeSession;
import io.clusterwright.core.ResourceId;
import io.clusterwright.core.StoredImage;
import io.clusterwright.core.catalog.QuotaUse;
import io.clusterwright.core.plan.Finding;
import io.clusterwright.core.spec.ClusterSpec;
import io.clusterwright.core.spec.ExtensionSpec;
import io.clusterwright.core.spi.NodeBackend.PackageFeed;
import io.clusterwright.core.type.ClusterId;
import io.clusterwright.core.type.ClusterName;
import io.clusterwright.core.type.ClusterwrightException;
import io.clusterwright.core.type.Ipv4Address;
import io.clusterwright.core.type.NodeName;
import io.clusterwright.core.type.VmSize;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Makes and removes the machines of a whole cluster, and the network they live in. Implement it to create clusters on
 * a new cloud, and give it to users as {@link ProviderMachines#of}; {@link MachineHost} is for single machines.
 *
 * <pre>{@code
 * @Override
 * public void createNetwork(ClusterSpec spec, ResourceLog log) {
 *     ids.add(log.cluster());
 *     ResourceId network = new ResourceId("network", spec.name().value());
 *     if (!existing.contains(network)) {
 *         log.creating(network);
 *         existing.add(network);
 *         log.created(network);
 *     }
 * }
 * }</pre>
 *
 * <p>A provider announces each resource to the {@link ResourceLog} before it makes it, under a name that is fixed by the
 * cluster's name and the request, and it deletes by that name alone: {@link #delete} is asked for resources that were
 * never finished, and answers quietly when there is nothing. Everything that it makes carries the {@linkplain ResourceLog#cluster() id} of
 * the cluster; what carries another id, or none, is neither changed nor deleted. Implementations are safe for use by several threads; all
 * methods block and can be interrupted.
 */
public interface MachineProvider extends AutoCloseable {

    /** The provider's short name, as in the spec's {@code on}: {@code "local"}, {@code "azure"}. */
    String name();

    /**
     * Replaces the recipient of findings about what delays an operation that is under way, such as an outage that it
     * waits for. It is called
     * on any thread and must return soon. Default: no notices.
     */
    default void onNotice(Consumer<Finding> recipient) {}

    /** Inspects the existing resources and reports what prevents this spec. Changes nothing. */
    Inspection inspect(ClusterSpec spec);

    /**
     * Makes what the machines of this cluster share. Calling it again when it is there does nothing.
     *
     * @throws ClusterwrightException when something that is not this cluster's has one of the names, which is left alone
     */
    void createNetwork(ClusterSpec spec, ResourceLog log);

    /**
     * Makes machines, all at once as far as the provider can.
     *
     * @param cluster whose machines they are
     * @param outcome receives each machine's outcome as soon as it is known, on any thread; every request gets
     * exactly one, unless this throws
     *     before it has begun with any
     */
    void createMachines(
            ClusterSpec cluster, List<MachineRequest> requests, ResourceLog log, Consumer<MachineOutcome> outcome);

    /**
     * Installs the spec's extensions on one of its nodes, which is ready, one after the other, each waited for, through the restart it may
     * cause. A provider that has made them a part of its machines already, or knows none, does nothing, which is the default.
     *
     * @param before called before each extension is sent; what it throws stops the rest and is thrown on
     * @return whether any was installed, so that the machine may have been restarted
     * @throws ClusterwrightException when one could not be installed, with what it reported
     */
    default boolean installExtensions(
            ClusterId cluster, ClusterSpec spec, Machine machine, Consumer<ExtensionSpec> before) {
        return false;
    }

    /**
     * Whether this spec's machines get addresses that are known only when they exist; {@link Machine#address()} then tells, and the
     * address of a {@link MachineRequest} is a wish. Default: false.
     */
    default boolean choosesAddresses(ClusterSpec spec) {
        return false;
    }

    /**
     * The address to connect to this machine now. Called before each connection; refuses an unsafe connection.
     *
     * @throws ClusterwrightException when the machine must not be dialled, saying why
     */
    Endpoint endpoint(ClusterId cluster, Machine machine);

    /**
     * The node from which this one is dialled, at its private address and port 22, because it cannot be dialled from
     * here. That node itself is
     * dialled directly. Default: empty, and every node is dialled directly at its {@link #endpoint}.
     *
     * @param node a node of the spec, or a machine that serves its image
     */
    default Optional<NodeName> gateway(ClusterSpec spec, NodeName node) {
        return Optional.empty();
    }

    /** Whether the nodes of this spec are reached by their {@link #relay} and not dialled. Default: false. */
    default boolean relays(ClusterSpec spec) {
        return false;
    }

    /**
     * The channel that runs scripts on this machine without a network way to it. Costs nothing until it is used. The default refuses.
     *
     * @throws ClusterwrightException when this provider has nothing of the kind
     */
    default ScriptChannel relay(ClusterId cluster, Machine machine) {
        throw new ClusterwrightException(
                name() + " cannot run scripts on a machine without a network connection to it");
    }

    /** The state of a machine now. */
    MachineState state(ClusterId cluster, Machine machine);

    /**
     * Starts the machines that are stopped, all at once, and returns when they run; running machines are left alone. Where machines are
     * billed, these are from now on. A machine comes back with its disk, its address and its host key. The default refuses.
     *
     * @throws ClusterwrightException when some did not start, after all have been tried
     */
    default void start(ClusterId cluster, Collection<Machine> machines) {
        throw new ClusterwrightException("machines on " + name() + " cannot be stopped and started again");
    }

    /**
     * Stops the machines that run, all at once, and gives their hardware back, so that where machines are billed only their disks and
     * addresses still are. The default refuses.
     *
     * @throws ClusterwrightException when some did not stop, after all have been tried
     */
    default void stop(ClusterId cluster, Collection<Machine> machines) {
        throw new ClusterwrightException("machines on " + name() + " cannot be stopped and started again");
    }

    /**
     * The end of what a machine has written to its console since it was made: messages of its kernel, or of what stands in for it. Empty
     * where the provider keeps none, which is the default.
     */
    default Optional<String> console(ClusterId cluster, Machine machine) {
        return Optional.empty();
    }

    /** The package feed of a node that may not reach its repositories. */
    PackageFeed packageFeed(ClusterId cluster, Machine machine);

    /** The images captured by this library, newest first, images that are not {@linkplain StoredImage#proven() proven} as well. */
    List<StoredImage> images();

    /**
     * Whether machines boot the image that a spec names, so that the MPI of the size is installed where it names none. Not so
     * where something else stands in for the image, such as this machine's own system. Default: true.
     */
    default boolean bootsNamedImages() {
        return true;
    }

    /**
     * Whether an image of this provider is a layer over what it was made from, so cheap that the result of a slow step is worth
     * keeping as a separate image.
     */
    boolean layersImages();

    /**
     * Stops the machine and keeps its disk as an image, which then is in {@link #images()}. An image of that name is replaced
     * as a whole or not at all. It is not {@linkplain StoredImage#proven() proven} yet, whatever the one that it replaced was.
     *
     * @param owner a mark that {@link StoredImage#owner} repeats, kept from the same call on and through {@link #proven}; empty for none
     * @param machines how many are to boot from it at a time; at least 1
     */
    void capture(ClusterId cluster, Machine machine, String imageName, String owner, int machines);

    /**
     * Tries to become the only builder of an image, so that creations of one recipe build it once, also in other processes. Another claim of
     * the same cluster is what an ended process left, and is taken over. The default is for providers whose images no other program builds.
     *
     * @param builder the cluster whose creation builds it
     * @param region the region of its machines; empty where it is unknown
     * @return the claim, which the caller closes; it may be {@linkplain ImageClaim#builder() another's}
     */
    default ImageClaim claimImage(ClusterId builder, String imageName, String region) {
        return ImageClaim.OWN;
    }

    /**
     * The clusters with machines that were made from captured images, by image, found by a query; an image that no machine was made from is
     * absent. Default: none.
     */
    default Map<String, List<ClusterId>> imageUsers() {
        return Map.of();
    }

    /**
     * Remembers, where all users of these images see it, that a machine booted from this one passed its test.
     *
     * @throws ClusterwrightException when there is no such image
     */
    void proven(String imageName);

    /** Deletes a captured image; does nothing when there is no such image. */
    void deleteImage(String imageName);

    /**
     * Deletes a resource of this cluster, finished or not; does nothing when there is nothing, or when what is there carries another id.
     *
     * @throws ClusterwrightException when something of it is left, saying what; a resource that holds others which are not the cluster's is
     *     left, and they are named
     */
    void delete(ClusterId cluster, ResourceId resource);

    /**
     * As {@link #delete}, together with what the resource holds that is not the cluster's. The default is for
     * providers whose resources hold
     * nothing of others.
     *
     * @throws ClusterwrightException when something of it is left, saying what
     */
    default void deleteWithContents(ClusterId cluster, ResourceId resource) {
        delete(cluster, resource);
    }

    /** The existing resources that carry this cluster's id: found by a query, not from the journal. */
    List<ResourceId> remaining(ClusterId cluster);

    /** The clusters, and parts of clusters, whose marks are on resources now, of every state folder: found by a query. */
    List<MarkedCluster> marked();

    /** The clusters of {@link #marked()} that have this name. */
    default List<MarkedCluster> marked(ClusterName name) {
        return marked().stream()
                .filter(cluster -> cluster.id().name().equals(name))
                .toList();
    }

    /**
     * The nodes among these of a cluster that exist, found by a query: for a cluster without a record. The default
     * finds them by their resources of kind
     * {@code machine}, whose names end with the node's, and takes the address for granted.
     *
     * @param planned the nodes of the spec as they would be made, with their host keys; where {@link
     * #choosesAddresses} is true, the address is a wish
     */
    default List<Machine> find(ClusterId cluster, ClusterSpec spec, List<Machine> planned) {
        List<ResourceId> there = remaining(cluster).stream()
                .filter(resource -> resource.kind().equals("machine"))
                .toList();
        return planned.stream()
                .flatMap(node -> there.stream()
                        .filter(resource -> resource.name()
                                .substring(resource.name().lastIndexOf('/') + 1)
                                .equals(node.name().value()))
                        .map(resource -> new Machine(
                                node.name(), node.address(), resource, node.hostKey(), node.interconnect())))
                .toList();
    }

    /** Frees what this object holds; machines stay. */
    @Override
    void close();

    /**
     * One machine to make.
     *
     * @param name its node name
     * @param address its private address; a wish where {@link MachineProvider#choosesAddresses} is true
     * @param size the size asked for; a provider that has no sizes ignores it and says so in {@link MachineProvider#inspect}
     * @param image the image that it boots from
     * @param bootstrap its identity and login keys
     */
    record MachineRequest(NodeName name, Ipv4Address address, VmSize size, ImageSource image, Bootstrap bootstrap) {}

    /** An attempt to become the only builder of an image; used by one thread. */
    interface ImageClaim extends AutoCloseable {
        /** The claim of the only user of a store. */
        ImageClaim OWN = () -> {};

        /** The other builder of the image, in words; empty where this claim holds. */
        default Optional<String> builder() {
            return Optional.empty();
        }

        /**
         * Returns when trying again is worth it.
         *
         * @throws io.clusterwright.core.type.OperationInterruptedException when the thread is interrupted
         */
        default void awaitChange() {}

        /** Ends the claim, if it holds. */
        @Override
        void close();
    }

    /** The outcome of creating one machine of a group; one failed machine never hides the others. */
    sealed interface MachineOutcome {

        /** The machine's node name. */
        NodeName name();

        /**
         * The machine exists and is starting.
         *
         * @param machine the machine
         */
        record Made(Machine machine) implements MachineOutcome {
            @Override
            public NodeName name() {
                return machine.name();
            }
        }

        /**
         * The machine could not be made.
         *
         * @param name its node name
         * @param cause the reason
         */
        record Failed(NodeName name, ClusterwrightException cause) implements MachineOutcome {}
    }

    /**
     * The journal of resources, to which a provider announces each one. Only the core keeps it, on disk before the call returns.
     *
     * <p>Safe for use by several threads.
     */
    interface ResourceLog {

        /** The cluster whose resources these are: its id belongs on each of them. */
        ClusterId cluster();

        /** The end of the cluster's time to live, after which nothing of it should be billed. Default: empty, it has no end. */
        default Optional<Instant> expires() {
            return Optional.empty();
        }

        /**
         * About to make this resource: called before anything of it exists, and not for a resource that exists. A creation that fails
         * deletes the resources that it announced, also when an earlier creation made a resource of this name that is gone since.
         */
        void creating(ResourceId resource);

        /** The resource exists. */
        void created(ResourceId resource);

        /** The resource is gone. */
        void deleted(ResourceId resource);

        /**
         * A session to a machine of the cluster as its login user, opened when the machine answers: for a provider that must reach others
         * through it before they are known. The core closes it. The default refuses.
         *
         * @throws io.clusterwright.core.NodeUnreachableException when it does not answer within the deadline of a node
         */
        default NodeSession awaitReady(Machine machine) {
            throw new ClusterwrightException("this provider cannot open a session to " + machine.name());
        }

        /** A machine of the cluster that existed before this work began; empty where no machine has that name. Default: empty. */
        default Optional<Machine> existing(NodeName node) {
            return Optional.empty();
        }
    }

    /**
     * The findings of a provider about a spec; inspecting changes nothing.
     *
     * @param findings the errors, warnings and notes
     * @param notChecked the checks that could not run, each with the reason
     * @param baseFingerprint identifies the base image as it is now; the same text means that a captured image may be used again
     * @param quota the quotas of the subscription as they are now; empty where the provider has no quotas or did not query them
     */
    record Inspection(List<Finding> findings, List<String> notChecked, String baseFingerprint, List<QuotaUse> quota) {
        /** Copies the lists. */
        public Inspection {
            findings = List.copyOf(findings);
            notChecked = List.copyOf(notChecked);
            quota = List.copyOf(quota);
        }

        /** The findings of a provider without quotas. */
        public Inspection(List<Finding> findings, List<String> notChecked, String baseFingerprint) {
            this(findings, notChecked, baseFingerprint, List.of());
        }
    }
}
