package io.clusterwright.core.spi;

import io.clusterwright.core.type.Ipv4Address;
import io.clusterwright.core.type.NodeName;
import io.clusterwright.core.type.VmSize;

/**
 * One machine to make.
 *
 * @param name its node name
 * @param address its private address; a wish where {@link MachineProvider#choosesAddresses} is true
 * @param size the size asked for; a provider that has no sizes ignores it and says so in {@link MachineProvider#inspect}
 * @param image the image that it boots from
 * @param bootstrap its identity and login keys
 */
public record MachineRequest(NodeName name, Ipv4Address address, VmSize size, ImageSource image, Bootstrap bootstrap) {}
