package io.clusterwright.windows.internal.probe;

import java.util.ArrayList;
import java.util.List;
import jnr.ffi.Memory;
import jnr.ffi.Pointer;
import jnr.ffi.Runtime;
import jnr.ffi.byref.IntByReference;

/**
 * A provider of NetworkDirect, by which MS-MPI reaches an RDMA adapter. {@code WSAEnumProtocols} does not list them, since they are hidden.
 *
 * @param name its name, such as {@code OpenFabrics Network Direct Provider}
 * @param version the version of NetworkDirect it tells of
 * @param id its identifier, as 32 hexadecimal digits in the order of memory
 */
public record NetworkDirectProvider(String name, int version, String id) {
    /** The size of {@code WSAPROTOCOL_INFOW}. */
    static final int SIZE = 628;

    /** Where {@code dwProviderFlags} are. */
    static final int FLAGS = 16;

    /** Where the {@code ProviderId} is. */
    static final int ID = 20;

    /** Where {@code iVersion} is. */
    static final int VERSION = 72;

    /** Where {@code szProtocol} is. */
    static final int NAME = 116;

    /** The length of {@code szProtocol} in characters. */
    static final int NAME_LENGTH = 256;

    /** {@code PFL_NETWORKDIRECT_PROVIDER}. */
    static final int NETWORK_DIRECT = 0x10;

    private static final int NO_BUFFER_SPACE = 10055;
    private static final int FAILED = -1;
    private static final int FIRST_ROOM = 32 * SIZE;
    private static final int TRIES = 4;
    private static final int ID_LENGTH = 16;

    /**
     * The providers of this machine; empty when no driver brought one.
     *
     * @throws NativeCallException when this is not Windows, or Windows refuses
     */
    public static List<NetworkDirectProvider> list() {
        String what = "list the providers of NetworkDirect";
        Windows.require(what);
        Windows.Sockets sockets = Windows.sockets();
        Runtime runtime = Windows.runtime(sockets);
        IntByReference room = new IntByReference(FIRST_ROOM);
        IntByReference error = new IntByReference();
        for (int i = 0; i < TRIES; i++) {
            Pointer buffer = Memory.allocateDirect(runtime, room.intValue(), true);
            int count = sockets.WSCEnumProtocols(Pointer.wrap(runtime, 0), buffer, room, error);
            if (count != FAILED) {
                return read(Windows.memory(runtime), buffer.address(), count);
            }
            if (error.intValue() != NO_BUFFER_SPACE) {
                break;
            }
        }
        throw Windows.failed(what, "WSCEnumProtocols", error.intValue());
    }

    static List<NetworkDirectProvider> read(NativeView memory, long first, int count) {
        List<NetworkDirectProvider> all = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            long at = first + (long) i * SIZE;
            if ((memory.getInt(at + FLAGS) & NETWORK_DIRECT) != 0) {
                all.add(new NetworkDirectProvider(
                        memory.getText(at + NAME, NAME_LENGTH), memory.getInt(at + VERSION), id(memory, at + ID)));
            }
        }
        return List.copyOf(all);
    }

    private static String id(NativeView memory, long at) {
        StringBuilder digits = new StringBuilder();
        for (int i = 0; i < ID_LENGTH; i++) {
            digits.append(Character.forDigit(memory.getByte(at + i) >> 4 & 0xF, 16))
                    .append(Character.forDigit(memory.getByte(at + i) & 0xF, 16));
        }
        return digits.toString();
    }
}
