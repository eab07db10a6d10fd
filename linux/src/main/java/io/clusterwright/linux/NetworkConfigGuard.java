package io.clusterwright.linux;

import java.util.regex.Pattern;

/**
 * Refuses changes to the configuration of {@code eth1}, which the RDMA driver of the A8, A9 and H16r sizes owns. Use
 * it before you write a network configuration to such a node.
 *
 * <pre>{@code
 * NetworkConfigGuard.check("/etc/netplan/60-data.yaml", "network: {ethernets: {eth2: {dhcp4: true}}}");
 * }</pre>
 *
 * <p>The files in question belong to ifupdown, netplan, systemd-networkd, NetworkManager, wicked, the network
 * scripts, DHCP clients and udev's persistent names. {@code RdmaNetworkRule} refuses scripts of a spec that configure {@code eth1}.
 */
public final class NetworkConfigGuard {
    private static final Pattern PLACES = Pattern.compile("(.*/)?etc/(network/interfaces(\\.d/.*)?|netplan/.*"
            + "|systemd/network/.*|NetworkManager/.*|sysconfig/network-scripts/.*|sysconfig/network/.*"
            + "|dhcp/.*|dhcpcd\\.conf|dhclient.*|wicked/.*|udev/rules\\.d/.*net.*)");
    private static final Pattern NAMES_ETH1 = Pattern.compile("(?<![A-Za-z0-9])eth(1(?![0-9])|[*?]|\\[)");

    private NetworkConfigGuard() {}

    /**
     * Checks an edit.
     *
     * @param path the file, absolute
     * @param content what it holds, or is to hold
     * @throws UneditableFileException when the file configures {@code eth1}, or every {@code eth} interface
     */
    public static void check(String path, String content) {
        if (PLACES.matcher(path).matches()
                && (NAMES_ETH1.matcher(path).find()
                        || NAMES_ETH1.matcher(content).find())) {
            throw new UneditableFileException(
                    path + " was not changed: it names eth1, and eth1 is reserved for the RDMA"
                            + " network; leave eth1 as it is, and configure eth0 in a separate file");
        }
    }
}
