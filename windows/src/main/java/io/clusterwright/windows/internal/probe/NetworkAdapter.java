package io.clusterwright.windows.internal.probe;

import io.clusterwright.core.type.Ipv4Address;
import java.util.ArrayList;
import java.util.List;
import jnr.ffi.Memory;
import jnr.ffi.Pointer;
import jnr.ffi.Runtime;
import jnr.ffi.byref.IntByReference;

/**
 * A network adapter with its addresses: what a netmask for MPI must match.
 *
 * @param name its name for people, such as {@code Ethernet 2}
 * @param description what it is, such as {@code Mellanox ConnectX-3 IPoIB Adapter}
 * @param up whether it is connected
 * @param mtuBytes the largest packet
 * @param sendBitsPerSecond its speed; 0 when it is not known
 * @param addresses its IPv4 addresses
 */
public record NetworkAdapter(
        String name, String description, boolean up, int mtuBytes, long sendBitsPerSecond, List<Address> addresses) {
    static final int NEXT = 8;
    static final int FIRST_UNICAST = 24;
    static final int DESCRIPTION = 64;
    static final int FRIENDLY_NAME = 72;
    static final int MTU = 96;
    static final int OPER_STATUS = 104;
    static final int TRANSMIT_SPEED = 184;
    static final int UNICAST_NEXT = 8;
    static final int UNICAST_ADDRESS = 16;
    static final int UNICAST_PREFIX = 56;
    static final int SOCKADDR_IN_ADDRESS = 4;
    static final int AF_INET = 2;
    static final int UP = 1;

    private static final int OVERFLOW = 111;
    private static final int NO_DATA = 232;
    private static final int FIRST_ROOM = 32 * 1024;
    private static final int TRIES = 4;
    private static final int MOST = 1000;
    private static final int LONGEST_NAME = 512;

    /** Copies the addresses. */
    public NetworkAdapter {
        addresses = List.copyOf(addresses);
    }

    /**
     * An address and the length of its network's prefix.
     *
     * @param address the address
     * @param prefixBits 0 to 32
     */
    public record Address(Ipv4Address address, int prefixBits) {
        /** The mask of its network as MS-MPI takes it, such as {@code 172.16.0.0/255.255.0.0}. */
        public String netmask() {
            long mask = prefixBits == 0 ? 0 : 0xFFFFFFFFL << (32 - prefixBits) & 0xFFFFFFFFL;
            String[] parts = address.toString().split("\\.");
            long value = 0;
            for (String part : parts) {
                value = value << 8 | Integer.parseInt(part);
            }
            return dotted(value & mask) + "/" + dotted(mask);
        }

        private static String dotted(long value) {
            return (value >> 24 & 0xFF) + "." + (value >> 16 & 0xFF) + "." + (value >> 8 & 0xFF) + "." + (value & 0xFF);
        }
    }

    /**
     * The adapters of this machine.
     *
     * @throws NativeCallException when this is not Windows, or Windows refuses
     */
    public static List<NetworkAdapter> list() {
        String what = "list the network adapters";
        Windows.require(what);
        Windows.Adapters adapters = Windows.adapters();
        Runtime runtime = Windows.runtime(adapters);
        IntByReference room = new IntByReference(FIRST_ROOM);
        int error = OVERFLOW;
        for (int i = 0; i < TRIES && error == OVERFLOW; i++) {
            Pointer buffer = Memory.allocateDirect(runtime, room.intValue(), true);
            error = adapters.GetAdaptersAddresses(AF_INET, 0, Pointer.wrap(runtime, 0), buffer, room);
            if (error == 0) {
                return read(Windows.memory(runtime), buffer.address());
            }
        }
        if (error == NO_DATA) {
            return List.of();
        }
        throw Windows.failed(what, "GetAdaptersAddresses", error);
    }

    static List<NetworkAdapter> read(NativeView memory, long first) {
        List<NetworkAdapter> all = new ArrayList<>();
        for (long at = first; at != 0 && all.size() < MOST; at = memory.getLong(at + NEXT)) {
            all.add(new NetworkAdapter(
                    memory.getText(memory.getLong(at + FRIENDLY_NAME), LONGEST_NAME),
                    memory.getText(memory.getLong(at + DESCRIPTION), LONGEST_NAME),
                    memory.getInt(at + OPER_STATUS) == UP,
                    memory.getInt(at + MTU),
                    speed(memory.getLong(at + TRANSMIT_SPEED)),
                    addresses(memory, memory.getLong(at + FIRST_UNICAST))));
        }
        return List.copyOf(all);
    }

    /** All bits set stand for a speed that is not known. */
    private static long speed(long told) {
        return told == -1 ? 0 : told;
    }

    private static List<Address> addresses(NativeView memory, long first) {
        List<Address> all = new ArrayList<>();
        for (long at = first; at != 0 && all.size() < MOST; at = memory.getLong(at + UNICAST_NEXT)) {
            long socket = memory.getLong(at + UNICAST_ADDRESS);
            if (socket != 0 && memory.getShort(socket) == AF_INET) {
                all.add(new Address(
                        Ipv4Address.parse(dotted(memory, socket + SOCKADDR_IN_ADDRESS)),
                        memory.getByte(at + UNICAST_PREFIX) & 0xFF));
            }
        }
        return all;
    }

    private static String dotted(NativeView memory, long at) {
        return (memory.getByte(at) & 0xFF) + "." + (memory.getByte(at + 1) & 0xFF) + "."
                + (memory.getByte(at + 2) & 0xFF) + "." + (memory.getByte(at + 3) & 0xFF);
    }
}
