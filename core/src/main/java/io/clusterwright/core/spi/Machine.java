package io.clusterwright.core.spi;

import io.clusterwright.core.ResourceId;
import io.clusterwright.core.type.Interconnect;
import io.clusterwright.core.type.Ipv4Address;
import io.clusterwright.core.type.NodeName;
import io.clusterwright.core.type.SshPublicKey;

/**
 * A machine that was created. A provider returns it for each machine that it creates.
 *
 * @param name its node name
 * @param address its private address
 * @param resource its id, by which it is deleted
 * @param hostKey the host key it was given; a session accepts no other
 * @param interconnect the fast network the machine really has
 * @see MachineProvider
 */
public record Machine(
        NodeName name, Ipv4Address address, ResourceId resource, SshPublicKey hostKey, Interconnect interconnect) {}
