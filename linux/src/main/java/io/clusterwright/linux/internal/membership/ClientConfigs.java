package io.clusterwright.linux.internal.membership;

import io.clusterwright.core.spec.SshTrust;
import io.clusterwright.core.type.Ipv4Address;
import io.clusterwright.linux.SshClientConfig;
import io.clusterwright.linux.SshHost;
import java.util.List;

/** The SSH client's configuration that a description asks for. */
public final class ClientConfigs {
    private ClientConfigs() {}

    /**
     * The configuration.
     *
     * @param hosts the nodes as a client reaches them
     * @param addresses their private addresses
     */
    public static SshClientConfig of(SshTrust policy, List<SshHost> hosts, List<Ipv4Address> addresses) {
        return switch (policy.hostKeys()) {
            case ACCEPT_IN_RANGE -> SshClientConfig.acceptInRange(policy.acceptRange());
            case ACCEPT_PER_NODE -> SshClientConfig.acceptPerNode(addresses);
            case PINNED -> {
                SshClientConfig.Builder builder = SshClientConfig.builder();
                hosts.forEach(builder::addHost);
                yield builder.build();
            }
        };
    }
}
