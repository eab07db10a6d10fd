package io.clusterwright.core;

import io.clusterwright.core.type.Interconnect;
import io.clusterwright.core.type.Ipv4Address;
import io.clusterwright.core.type.NodeName;
import io.clusterwright.core.type.SshPublicKey;

/**
 * A node of a cluster.
 *
 * @param name its name
 * @param address its private address
 * @param hostKey its pinned host key; a Windows node has none, and this is the one in its record
 * @param interconnect the fast network it really has
 */
public record Node(NodeName name, Ipv4Address address, SshPublicKey hostKey, Interconnect interconnect) {}
