package io.clusterwright.windows.internal.probe;

import io.clusterwright.core.type.ClusterwrightException;
import io.clusterwright.windows.WindowsProbe.NetworkDirectProvider;
import java.util.ArrayList;
import java.util.List;
import jnr.ffi.Memory;
import jnr.ffi.Pointer;
import jnr.ffi.Runtime;
import jnr.ffi.byref.IntByReference;

/** The table of providers of {@code WSCEnumProtocols}, in which those of NetworkDirect are. */
public final class ProviderTable {
    /** The size of {@code WSAPROTOCOL_INFOW}. */
    static final int SIZE = 628;

    /** The offset of {@code dwProviderFlags}. */
    static final int FLAGS = 16;

    /** The offset of the {@code ProviderId}. */
    static final int ID = 20;

    /** The offset of {@code iVersion}. */
    static final int VERSION = 72;

    /** The offset of {@code szProtocol}. */
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

    private ProviderTable() {}

    /**
     * The providers of this machine; empty when no driver installed one.
     *
     * @throws ClusterwrightException when this is not Windows, or Windows refuses
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

    static List<NetworkDirectProvider> read(Windows.View memory, long first, int count) {
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

    private static String id(Windows.View memory, long at) {
        StringBuilder digits = new StringBuilder();
        for (int i = 0; i < ID_LENGTH; i++) {
            digits.append(Character.forDigit(memory.getByte(at + i) >> 4 & 0xF, 16))
                    .append(Character.forDigit(memory.getByte(at + i) & 0xF, 16));
        }
        return digits.toString();
    }
}
