package io.clusterwright.mpi.internal.pingpong;

/** The MPI library cannot be used; the message says why and what to do. */
final class MpiUnavailableException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    MpiUnavailableException(String message) {
        super(message);
    }
}
