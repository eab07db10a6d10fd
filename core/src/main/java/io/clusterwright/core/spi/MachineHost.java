package io.clusterwright.core.spi;

import io.clusterwright.core.MachineState;
import io.clusterwright.core.spi.MachineProvider.MachineRequest;
import io.clusterwright.core.type.AddressRange;
import io.clusterwright.core.type.ClusterId;
import io.clusterwright.core.type.ClusterName;
import io.clusterwright.core.type.NodeName;
import io.clusterwright.core.type.SshPublicKey;
import java.util.Optional;

/**
 * Runs single machines: the base of the {@link MachineProvider} of this machine, and of the virtual machines of an
 * emulated cloud. Implement it to run the machines of an emulated cloud somewhere else.
 *
 * <p>Machines live in the network of a cluster, which is made first. A machine keeps its disk while it is stopped. Nothing
 * is journalled here; the caller announces what it makes. Implementations are safe for use by several threads; methods
 * block and can be interrupted, and throw {@link io.clusterwright.core.type.ClusterwrightException} when they cannot do what
 * they say.
 */
public interface MachineHost extends AutoCloseable {

    /**
     * Makes the network of a cluster; completes one that is half there. On one host a cluster is known by its name alone.
     *
     * @param cluster whose id is kept with the network
     * @param addressSpace the addresses that belong to the cluster alone on this host
     * @param subnet the part of it in which machines get their addresses
     */
    void createNetwork(ClusterId cluster, AddressRange addressSpace, AddressRange subnet);

    /** Makes a machine's disk and identity; it does not run yet. */
    Machine create(ClusterName cluster, MachineRequest request);

    /** Starts a machine that does not run, and returns when it starts its services. */
    void boot(ClusterName cluster, NodeName machine);

    /** Stops a machine at once; does nothing when it does not run. */
    void stop(ClusterName cluster, NodeName machine);

    /** Keeps a machine's disk as an image, replacing one of that name as a whole or not at all; the machine may run. */
    void capture(ClusterName cluster, NodeName machine, String imageName);

    /** Deletes a captured image; does nothing when there is no such image, and harms no machine that was made from it. */
    void deleteImage(String imageName);

    /** The state of a machine now. */
    MachineState state(ClusterName cluster, NodeName machine);

    /**
     * The host key on a machine's disk now: the one it was created with, unless the machine was given another.
     *
     * @throws io.clusterwright.core.type.ClusterwrightException when there is no such machine
     */
    SshPublicKey hostKey(ClusterName cluster, NodeName machine);

    /**
     * The address to connect to a machine now.
     *
     * @throws io.clusterwright.core.type.ClusterwrightException when the way there is not safe
     */
    Endpoint endpoint(ClusterName cluster, NodeName machine);

    /** The end of what a machine has written to its console; empty where there is nothing, which is the default. */
    default Optional<String> console(ClusterName cluster, NodeName machine) {
        return Optional.empty();
    }

    /** Deletes a machine, finished or not, running or not; does nothing when there is no such machine. */
    void delete(ClusterName cluster, NodeName machine);

    /** Deletes a cluster's network and every machine that is still in it; does nothing when there is no network. */
    void deleteNetwork(ClusterName cluster);

    /** Frees what this object holds; machines stay. */
    @Override
    void close();
}
