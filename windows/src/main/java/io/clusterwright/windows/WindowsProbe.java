package io.clusterwright.windows;

import io.clusterwright.core.type.Ipv4Address;
import io.clusterwright.windows.internal.probe.AdapterTable;
import io.clusterwright.windows.internal.probe.ProviderTable;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;

/**
 * Facts about the Windows machine that this program runs on, for a check on a node before a run.
 *
 * <p>Windows on x86-64 only: elsewhere each call throws {@link io.clusterwright.core.type.ClusterwrightException}.
 */
public final class WindowsProbe {
    private WindowsProbe() {}

    /**
     * The network adapters, whose addresses a netmask for MPI must match.
     *
     * @throws io.clusterwright.core.type.ClusterwrightException when this is not Windows, or Windows refuses
     */
    public static List<NetworkAdapter> networkAdapters() {
        return AdapterTable.list();
    }

    /**
     * The providers of NetworkDirect; empty when no driver installed one.
     *
     * @throws io.clusterwright.core.type.ClusterwrightException when this is not Windows, or Windows refuses
     */
    public static List<NetworkDirectProvider> networkDirectProviders() {
        return ProviderTable.list();
    }

    /**
     * A network adapter.
     *
     * @param name its name for people, such as {@code Ethernet 2}
     * @param description its kind, such as {@code Mellanox ConnectX-3 IPoIB Adapter}
     * @param link its connection
     * @param netmasks its IPv4 addresses, each with the mask of its network as MS-MPI takes it, such as {@code 172.16.0.0/255.255.0.0}
     */
    public record NetworkAdapter(String name, String description, Link link, Map<Ipv4Address, String> netmasks) {
        /** Copies the addresses. */
        public NetworkAdapter {
            netmasks = Collections.unmodifiableMap(new LinkedHashMap<>(netmasks));
        }
    }

    /**
     * The connection of an adapter.
     *
     * @param up whether it is connected
     * @param mtuBytes the largest packet
     * @param bitsPerSecond its speed; absent when Windows does not know it
     */
    public record Link(boolean up, int mtuBytes, OptionalLong bitsPerSecond) {}

    /**
     * A provider of NetworkDirect, through which MS-MPI reaches an RDMA adapter. {@code WSAEnumProtocols} omits them, since they are hidden.
     *
     * @param name its name, such as {@code OpenFabrics Network Direct Provider}
     * @param version its version of NetworkDirect
     * @param id its identifier, as 32 hexadecimal digits in the order of memory
     */
    public record NetworkDirectProvider(String name, int version, String id) {}
}
