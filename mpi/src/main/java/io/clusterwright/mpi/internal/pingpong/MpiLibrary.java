package io.clusterwright.mpi.internal.pingpong;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import jnr.ffi.LibraryLoader;
import jnr.ffi.Memory;
import jnr.ffi.Pointer;
import jnr.ffi.Runtime;

/**
 * An MPI library that is loaded into this process. Its ABI is recognised by its symbols: the handles of Open MPI are
 * addresses of its objects ({@code ompi_mpi_comm_world}), libraries of MPICH and what follows its ABI (Intel MPI,
 * MVAPICH2) are the numbers of its {@code mpi.h}.
 */
final class MpiLibrary {
    private static final int RTLD_NOW = 2;
    private static final int RTLD_GLOBAL = 0x100;
    private static final int PAGE = 4096;
    private static final int LONGEST_VERSION = 8192;

    private final MpiFunctions functions;
    private final long world;
    private final long bytes;
    private final long ignoreStatus;

    private MpiLibrary(MpiFunctions functions, long world, long bytes, long ignoreStatus) {
        this.functions = functions;
        this.world = world;
        this.bytes = bytes;
        this.ignoreStatus = ignoreStatus;
    }

    /**
     * The names to try, for a process with these variables: a launcher of Open MPI sets {@code OMPI_COMM_WORLD_SIZE}.
     */
    static List<String> candidates(Map<String, String> environment) {
        return environment.containsKey("OMPI_COMM_WORLD_SIZE")
                ? List.of("libmpi.so.40", "libmpi.so.80", "libmpi.so.20", "libmpi.so")
                : List.of("libmpich.so.12", "libmpi.so.12", "libmpi.so");
    }

    /** Loads the first of these names that can be loaded. */
    static MpiLibrary load(List<String> names) {
        DynamicLinker linker = LibraryLoader.create(DynamicLinker.class)
                .library("dl")
                .library("c")
                .load();
        quietSignalHandlers();
        for (String name : names) {
            long handle = linker.dlopen(name, RTLD_NOW | RTLD_GLOBAL);
            if (handle != 0) {
                return bind(name, handle, linker);
            }
        }
        throw new MpiUnavailableException(
                "no MPI library could be loaded; tried " + String.join(", ", names)
                        + ": install MPI on this node, name its library with --library FILE, or run 'ldd FILE' to find missing libraries");
    }

    /** UCX reads this when it is loaded; its own handlers take the signals that a JVM lives by, and end it. */
    private static void quietSignalHandlers() {
        LibraryLoader.create(Environment.class).load("c").setenv("UCX_ERROR_SIGNALS", "", 0);
    }

    private static MpiLibrary bind(String name, long handle, DynamicLinker linker) {
        if (linker.dlsym(handle, "MPI_Get_library_version") == 0) {
            throw new MpiUnavailableException(
                    name + " is not a library of MPI 3 or later: it has no MPI_Get_library_version;"
                            + " name the MPI library with --library FILE, such as /usr/lib/x86_64-linux-gnu/libmpich.so.12");
        }
        MpiFunctions functions = LibraryLoader.create(MpiFunctions.class).load(name);
        long openMpiWorld = linker.dlsym(handle, "ompi_mpi_comm_world");
        return openMpiWorld == 0
                ? new MpiLibrary(functions, 0x44000000L, 0x4c00010dL, 1)
                : new MpiLibrary(functions, openMpiWorld, linker.dlsym(handle, "ompi_mpi_byte"), 0);
    }

    /** The first line of the library's own description, such as {@code MPICH Version: 4.0.2}; usable before MPI begins. */
    String version() {
        Pointer text = Memory.allocateDirect(Runtime.getRuntime(functions), LONGEST_VERSION);
        Pointer length = Memory.allocateDirect(Runtime.getRuntime(functions), Integer.BYTES);
        check("MPI_Get_library_version", functions.MPI_Get_library_version(text.address(), length.address()));
        byte[] raw = new byte[length.getInt(0)];
        text.get(0, raw, 0, raw.length);
        return new String(raw, StandardCharsets.UTF_8)
                .lines()
                .findFirst()
                .orElse("")
                .replace('\0', ' ')
                .replaceAll("\\s+", " ")
                .strip();
    }

    void begin() {
        check("MPI_Init", functions.MPI_Init(0, 0));
    }

    int rank() {
        Pointer answer = Memory.allocateDirect(Runtime.getRuntime(functions), Integer.BYTES);
        check("MPI_Comm_rank", functions.MPI_Comm_rank(world, answer.address()));
        return answer.getInt(0);
    }

    int size() {
        Pointer answer = Memory.allocateDirect(Runtime.getRuntime(functions), Integer.BYTES);
        check("MPI_Comm_size", functions.MPI_Comm_size(world, answer.address()));
        return answer.getInt(0);
    }

    /** A buffer outside of the Java heap, which begins at a page. */
    Buffer buffer(int size) {
        ByteBuffer all =
                ByteBuffer.allocateDirect(size + 2 * PAGE).alignedSlice(PAGE).order(ByteOrder.nativeOrder());
        return new Buffer(all, Pointer.wrap(Runtime.getRuntime(functions), all).address());
    }

    /** A message of the first bytes of a buffer that is sent to a rank whenever it is transferred. */
    Transfer sending(Buffer buffer, int count, int destination) {
        Pointer request = Memory.allocateDirect(Runtime.getRuntime(functions), Long.BYTES);
        check(
                "MPI_Send_init",
                functions.MPI_Send_init(buffer.address(), count, bytes, destination, 0, world, request.address()));
        return new Transfer(request);
    }

    /** A message from a rank that arrives in the first bytes of a buffer whenever it is transferred. */
    Transfer receiving(Buffer buffer, int count, int source) {
        Pointer request = Memory.allocateDirect(Runtime.getRuntime(functions), Long.BYTES);
        check(
                "MPI_Recv_init",
                functions.MPI_Recv_init(buffer.address(), count, bytes, source, 0, world, request.address()));
        return new Transfer(request);
    }

    void abort(int code) {
        functions.MPI_Abort(world, code);
    }

    void end() {
        check("MPI_Finalize", functions.MPI_Finalize());
    }

    private static void check(String function, int status) {
        if (status != 0) {
            throw new MpiUnavailableException(function + " failed with status " + status);
        }
    }

    /**
     * The functions of an MPI library in use, with every address as a number. A handle is as wide as a register: in the
     * ABI of MPICH it is an {@code int}, which is the register's lower half, and in Open MPI an address. Public because the
     * binding is made outside of this package.
     *
     * <p>The stubs that jnr-ffi 2.3.4 writes for x86-64 hand on wrong values where a function has exactly six arguments, all of
     * them numbers, as {@code MPI_Send} has. Prepared transfers need no such function, and start through the fastest stubs.
     */
    public interface MpiFunctions {
        /** Begins MPI; both arguments may be 0. */
        int MPI_Init(long argc, long argv);

        /** Writes this process's number to an {@code int}. */
        int MPI_Comm_rank(long communicator, long rank);

        /** Writes the number of processes to an {@code int}. */
        int MPI_Comm_size(long communicator, long size);

        /** Writes the library's name of at most 8,192 characters, and its length to an {@code int}. */
        int MPI_Get_library_version(long text, long length);

        /** Prepares a message to be sent again and again. */
        int MPI_Send_init(long buffer, int count, long type, int destination, int tag, long communicator, long request);

        /** Prepares a message to be received again and again. */
        int MPI_Recv_init(long buffer, int count, long type, int source, int tag, long communicator, long request);

        /** Begins a prepared transfer. */
        int MPI_Start(long request);

        /** Waits for the end of a transfer. */
        int MPI_Wait(long request, long status);

        /** Gives up a prepared transfer. */
        int MPI_Request_free(long request);

        /** Ends all processes. */
        int MPI_Abort(long communicator, int code);

        /** Ends MPI. */
        int MPI_Finalize();
    }

    /** Memory that MPI reads and writes. */
    record Buffer(ByteBuffer content, long address) {}

    /** A prepared message. */
    final class Transfer implements AutoCloseable {
        private final Pointer request;
        private final long address;

        private Transfer(Pointer request) {
            this.request = request;
            this.address = request.address();
        }

        /** Sends or receives it, and returns when the buffer may be used again. */
        void run() {
            check("MPI_Start", functions.MPI_Start(address));
            check("MPI_Wait", functions.MPI_Wait(address, ignoreStatus));
        }

        @Override
        public void close() {
            check("MPI_Request_free", functions.MPI_Request_free(request.address()));
        }
    }

    /** Loads libraries, dlopen(3); an MPI library must be visible to its own plug-ins, which the binding's loader does not do. */
    public interface DynamicLinker {
        /** Loads a library; 0 when it cannot. */
        long dlopen(String name, int flags);

        /** The address of a symbol; 0 when there is none. */
        long dlsym(long library, String name);
    }

    /** The environment that native code sees. */
    public interface Environment {
        /** Sets a variable, setenv(3); without {@code overwrite} only one that is not set. */
        int setenv(String name, String value, int overwrite);
    }

    /** The MPI library cannot be used; the message says why and what to do. */
    static final class MpiUnavailableException extends RuntimeException {
        private static final long serialVersionUID = 1L;

        MpiUnavailableException(String message) {
            super(message);
        }
    }
}
