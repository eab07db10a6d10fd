package io.clusterwright.windows.internal.probe;

import io.clusterwright.core.type.ClusterwrightException;
import io.clusterwright.core.type.Ipv4Address;
import io.clusterwright.windows.WindowsProbe.Link;
import io.clusterwright.windows.WindowsProbe.NetworkAdapter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import jnr.ffi.Memory;
import jnr.ffi.Pointer;
import jnr.ffi.Runtime;
import jnr.ffi.byref.IntByReference;

/** The table of network adapters of {@code GetAdaptersAddresses}. */
public final class AdapterTable {
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

    private AdapterTable() {}

    /**
     * The adapters of this machine.
     *
     * @throws ClusterwrightException when this is not Windows, or Windows refuses
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

    static List<NetworkAdapter> read(Windows.View memory, long first) {
        List<NetworkAdapter> all = new ArrayList<>();
        for (long at = first; at != 0 && all.size() < MOST; at = memory.getLong(at + NEXT)) {
            long speed = memory.getLong(at + TRANSMIT_SPEED);
            // All bits set stand for an unknown speed.
            OptionalLong known = speed == -1 || speed == 0 ? OptionalLong.empty() : OptionalLong.of(speed);
            all.add(new NetworkAdapter(
                    memory.getText(memory.getLong(at + FRIENDLY_NAME), LONGEST_NAME),
                    memory.getText(memory.getLong(at + DESCRIPTION), LONGEST_NAME),
                    new Link(memory.getInt(at + OPER_STATUS) == UP, memory.getInt(at + MTU), known),
                    netmasks(memory, memory.getLong(at + FIRST_UNICAST))));
        }
        return List.copyOf(all);
    }

    private static Map<Ipv4Address, String> netmasks(Windows.View memory, long first) {
        Map<Ipv4Address, String> all = new LinkedHashMap<>();
        int count = 0;
        for (long at = first; at != 0 && count < MOST; at = memory.getLong(at + UNICAST_NEXT)) {
            count++;
            long socket = memory.getLong(at + UNICAST_ADDRESS);
            if (socket != 0 && memory.getShort(socket) == AF_INET) {
                int address = 0;
                for (int i = 0; i < 4; i++) {
                    address = address << 8 | memory.getByte(socket + SOCKADDR_IN_ADDRESS + i) & 0xFF;
                }
                int bits = memory.getByte(at + UNICAST_PREFIX) & 0xFF;
                int mask = bits == 0 ? 0 : -1 << (32 - bits);
                all.put(Ipv4Address.parse(dotted(address)), dotted(address & mask) + "/" + dotted(mask));
            }
        }
        return all;
    }

    private static String dotted(int value) {
        return (value >>> 24) + "." + (value >> 16 & 0xFF) + "." + (value >> 8 & 0xFF) + "." + (value & 0xFF);
    }
}
