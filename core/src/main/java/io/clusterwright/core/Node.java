package io.clusterwright.core;

import io.clusterwright.core.internal.json.JsonFields;
import io.clusterwright.core.internal.text.PrintableText;
import io.clusterwright.core.type.HasJson;
import io.clusterwright.core.type.Interconnect;
import io.clusterwright.core.type.InvalidValueException;
import io.clusterwright.core.type.Ipv4Address;
import io.clusterwright.core.type.NodeName;
import io.clusterwright.core.type.SshPublicKey;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalInt;

/**
 * A node of a cluster. Use it for the address, the host key and the slots of a node.
 *
 * @param name its name
 * @param address its private address
 * @param hostKey its pinned host key; a Windows node shows no key, and this is the key in its record
 * @param interconnect the fast network it really has
 * @param slots the number of ranks it takes; empty where the size or the number of its cores decides
 * @see Cluster
 */
public record Node(
        NodeName name, Ipv4Address address, SshPublicKey hostKey, Interconnect interconnect, OptionalInt slots)
        implements HasJson {
    /**
     * Checks the number of slots.
     *
     * @throws InvalidValueException when it is below 1
     */
    public Node {
        Objects.requireNonNull(name, "name");
        Objects.requireNonNull(address, "address");
        Objects.requireNonNull(hostKey, "hostKey");
        Objects.requireNonNull(interconnect, "interconnect");
        if (slots.orElse(1) < 1) {
            throw new InvalidValueException("number of slots", slots.orElse(1), "1 or more", "16");
        }
    }

    /** A node without a number of slots. */
    public Node(NodeName name, Ipv4Address address, SshPublicKey hostKey, Interconnect interconnect) {
        this(name, address, hostKey, interconnect, OptionalInt.empty());
    }

    /** Sets the number of slots, as in a machine file. */
    public Node withSlots(int number) {
        return new Node(name, address, hostKey, interconnect, OptionalInt.of(number));
    }

    @Override
    public Map<String, Object> toMap() {
        return JsonFields.of("name", name)
                .and("address", address)
                .and("interconnect", PrintableText.word(interconnect))
                .and("hostKey", hostKey.fingerprint());
    }
}
