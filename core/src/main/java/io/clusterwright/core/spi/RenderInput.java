package io.clusterwright.core.spi;

import io.clusterwright.core.spec.ClusterSpec;
import io.clusterwright.core.type.Ipv4Address;
import io.clusterwright.core.type.NodeName;
import io.clusterwright.core.type.SshPublicKey;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The input of a {@link Renderer}. A renderer reads the spec, the addresses and the keys from it. Immutable. */
public interface RenderInput {

    /** The spec, checked, with the provider's own part laid over the rest, and the MPI of the size where it names none. */
    ClusterSpec spec();

    /** The catalogs, and the provider the files are for. */
    Facts facts();

    /** The compute nodes and their private addresses, in node order. */
    Map<NodeName, Ipv4Address> nodes();

    /** The separate head node and its address; empty where the first node is the head. */
    Map<NodeName, Ipv4Address> heads();

    /**
     * Whether the machines are sure to have these addresses; otherwise they are the ones they get when the subnet hands them out in order.
     */
    boolean fixedAddresses();

    /** The host keys that exist, by node; empty before the cluster was created. */
    Map<NodeName, SshPublicKey> hostKeys();

    /** The public keys that exist and may log in to the accounts of the nodes. */
    List<SshPublicKey> accountKeys();

    /** All machines and their private addresses: a separate head node first, then the compute nodes in their order. */
    default Map<NodeName, Ipv4Address> machines() {
        Map<NodeName, Ipv4Address> all = new LinkedHashMap<>(heads());
        all.putAll(nodes());
        return Collections.unmodifiableMap(all);
    }

    /** The address by which a machine is reached: the private address where that is fixed, the name where it is not. */
    default String reachedAt(NodeName machine) {
        Ipv4Address node = nodes().get(machine);
        Ipv4Address address = node == null ? heads().get(machine) : node;
        return fixedAddresses() && address != null ? address.toString() : machine.value();
    }
}
