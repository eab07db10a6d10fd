package io.clusterwright.windows.hpcpack;

/** The head node refused a request, or answered what cannot be understood. */
public final class HpcPackRefusedException extends HpcPackException {
    private static final long serialVersionUID = 1L;

    private final int status;

    /** Creates the exception with a complete message and the HTTP status of the answer. */
    public HpcPackRefusedException(String message, int status) {
        super(message, null);
        this.status = status;
    }

    /** The HTTP status of the answer. */
    public int status() {
        return status;
    }
}
