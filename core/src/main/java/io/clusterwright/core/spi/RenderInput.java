package io.clusterwright.core.spi;

import io.clusterwright.core.spec.ClusterSpec;
import io.clusterwright.core.type.Ipv4Address;
import io.clusterwright.core.type.NodeName;
import io.clusterwright.core.type.SshPublicKey;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * The input of a {@link Renderer}. Immutable.
 *
 * @param spec the description, checked, with the provider's own part laid over the rest, and the MPI of the size where it names none
 * @param facts the catalogs, and the provider the files are for
 * @param nodes the compute nodes and their private addresses, in node order
 * @param heads the separate head node and its address; empty where the first node is the head
 * @param fixedAddresses whether the machines are sure to have these addresses; otherwise they are the ones they get when the
 *     subnet hands them out in order
 * @param hostKeys the host keys that exist, by node; empty before the cluster was created
 * @param accountKeys the public keys that exist and may log in to the accounts of the nodes
 */
public record RenderInput(
        ClusterSpec spec,
        Facts facts,
        Map<NodeName, Ipv4Address> nodes,
        Map<NodeName, Ipv4Address> heads,
        boolean fixedAddresses,
        Map<NodeName, SshPublicKey> hostKeys,
        List<SshPublicKey> accountKeys) {

    /** Copies maps and lists, in their order. */
    public RenderInput {
        Objects.requireNonNull(spec, "spec");
        Objects.requireNonNull(facts, "facts");
        nodes = Collections.unmodifiableMap(new LinkedHashMap<>(nodes));
        heads = Collections.unmodifiableMap(new LinkedHashMap<>(heads));
        hostKeys = Collections.unmodifiableMap(new LinkedHashMap<>(hostKeys));
        accountKeys = List.copyOf(accountKeys);
    }

    /** All machines and their private addresses: a separate head node first, then the compute nodes in their order. */
    public Map<NodeName, Ipv4Address> machines() {
        Map<NodeName, Ipv4Address> all = new LinkedHashMap<>(heads);
        all.putAll(nodes);
        return Collections.unmodifiableMap(all);
    }

    /** The address by which a machine is reached: the private address where that is fixed, the name where it is not. */
    public String reachedAt(NodeName machine) {
        Ipv4Address address = nodes.getOrDefault(machine, heads.get(machine));
        return fixedAddresses && address != null ? address.toString() : machine.value();
    }
}
