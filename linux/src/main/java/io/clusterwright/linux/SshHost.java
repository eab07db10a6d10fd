package io.clusterwright.linux;

import io.clusterwright.core.type.InvalidValueException;
import io.clusterwright.core.type.NodeName;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * A node as an SSH client reaches it. Use it to write a configuration for hosts that this library did not create.
 *
 * <pre>{@code
 * SshClientConfig config = SshClientConfig.builder()
 *         .addHost(SshHost.of(NodeName.of("demo1"), "10.32.0.4"))
 *         .user(UserName.of("mpiuser"))
 *         .knownHostsFile("~/.ssh/known_hosts.demo")
 *         .build();
 * }</pre>
 *
 * @param name what people and MPI call it; its host key is looked up under this name
 * @param address the address or host name to dial
 * @param port 1 to 65535
 */
public record SshHost(NodeName name, String address, int port) {
    private static final Pattern HOST = Pattern.compile("[A-Za-z0-9]([A-Za-z0-9._:-]{0,252}[A-Za-z0-9])?");

    /**
     * Checks the address and the port.
     *
     * @throws InvalidValueException when one is out of its range
     */
    public SshHost {
        requireHost(address);
        requirePort(port);
    }

    /** A node that listens on port 22. */
    public static SshHost of(NodeName name, String address) {
        return new SshHost(name, address, 22);
    }

    static String requireHost(String host) {
        if (!HOST.matcher(host).matches()) {
            throw new InvalidValueException("host", host, "a host name or an address, without patterns", "10.32.0.11");
        }
        return host;
    }

    static int requirePort(int port) {
        if (port < 1 || port > 65535) {
            throw new InvalidValueException("port", port, "1 to 65535", "22");
        }
        return port;
    }

    /** Dialled by name or by address, the host key is the one known under the name. */
    SshClientConfig.Block block() {
        Map<String, String> options = new LinkedHashMap<>();
        options.put("HostName", address);
        options.put("Port", Integer.toString(port));
        options.put("HostKeyAlias", name.value());
        return new SshClientConfig.Block("Host", patterns(), "    ", options);
    }

    /** The names that users may type for the host. */
    List<String> patterns() {
        return address.equals(name.value()) ? List.of(address) : List.of(name.value(), address);
    }
}
