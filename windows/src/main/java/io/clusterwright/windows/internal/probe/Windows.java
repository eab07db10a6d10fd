package io.clusterwright.windows.internal.probe;

import io.clusterwright.core.type.ClusterwrightException;
import jnr.ffi.LibraryLoader;
import jnr.ffi.Pointer;
import jnr.ffi.Runtime;
import jnr.ffi.byref.IntByReference;

/** Bindings of Windows libraries. */
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
        String advice = switch (error) {
            case 5 -> ": access is denied; run as the user who owns it, or as an administrator";
            case 87 -> ": there is no such process, or it has ended";
            default -> "";
        };
        return new ClusterwrightException("cannot " + what + ": " + call + " failed with error " + error + advice);
    }

    /** A view of this process's own memory. */
    static NativeView memory(Runtime runtime) {
        return new NativeView() {
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
}
