package io.clusterwright.windows.internal.probe;

import io.clusterwright.core.type.ClusterwrightException;
import jnr.ffi.LibraryLoader;
import jnr.ffi.Pointer;
import jnr.ffi.Runtime;
import jnr.ffi.byref.IntByReference;

/**
 * Bindings of Windows libraries, for Windows on x86-64 only. The offsets in Windows' structures are held against its headers by a program that
 * the tests run under wine.
 */
final class Windows {
    private Windows() {}

    static void require(String what) {
        String system = System.getProperty("os.name", "");
        String processor = System.getProperty("os.arch", "");
        if (!system.startsWith("Windows")) {
            throw new ClusterwrightException("cannot " + what + " on " + system
                    + ": it needs Windows; run it on the node, through a task of HPC Pack or a Run Command");
        }
        if (!processor.equals("amd64")) {
            throw new ClusterwrightException(
                    "cannot " + what + " on " + processor + ": the structures are known for x86-64 (amd64) only");
        }
    }

    static Sockets sockets() {
        return SocketsHolder.CALLS;
    }

    static Adapters adapters() {
        return AdaptersHolder.CALLS;
    }

    static Runtime runtime(Object library) {
        return Runtime.getRuntime(library);
    }

    static ClusterwrightException failed(String what, String call, int error) {
        String advice = error == 5 ? ": access is denied; run as an administrator" : "";
        return new ClusterwrightException("cannot " + what + ": " + call + " failed with error " + error + advice);
    }

    /** A view of this process's own memory. */
    static View memory(Runtime runtime) {
        return new View() {
            @Override
            public byte getByte(long address) {
                return Pointer.wrap(runtime, address).getByte(0);
            }

            @Override
            public short getShort(long address) {
                return Pointer.wrap(runtime, address).getShort(0);
            }

            @Override
            public int getInt(long address) {
                return Pointer.wrap(runtime, address).getInt(0);
            }

            @Override
            public long getLong(long address) {
                return Pointer.wrap(runtime, address).getLong(0);
            }
        };
    }

    private static final class SocketsHolder {
        static final Sockets CALLS = LibraryLoader.create(Sockets.class).load("ws2_32");
    }

    private static final class AdaptersHolder {
        static final Adapters CALLS = LibraryLoader.create(Adapters.class).load("iphlpapi");
    }

    /** Of ws2_32; public, as the other, because the binding is made outside of this package. */
    public interface Sockets {
        /** Lists all providers, the hidden ones, too. */
        int WSCEnumProtocols(Pointer protocols, Pointer buffer, IntByReference length, IntByReference error);
    }

    /** Of iphlpapi. */
    public interface Adapters {
        /** Lists adapters and their addresses. */
        int GetAdaptersAddresses(int family, int flags, Pointer reserved, Pointer buffer, IntByReference length);
    }

    /** Memory that Windows has filled, by address. */
    interface View {
        byte getByte(long address);

        short getShort(long address);

        int getInt(long address);

        long getLong(long address);

        /** The text in UTF-16 at an address, up to its end or this many characters; empty for address 0. */
        default String getText(long address, int most) {
            StringBuilder text = new StringBuilder();
            for (int i = 0; address != 0 && i < most; i++) {
                char c = (char) getShort(address + 2L * i);
                if (c == 0) {
                    break;
                }
                text.append(c);
            }
            return text.toString();
        }
    }
}
