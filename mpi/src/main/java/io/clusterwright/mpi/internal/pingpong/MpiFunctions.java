package io.clusterwright.mpi.internal.pingpong;

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
