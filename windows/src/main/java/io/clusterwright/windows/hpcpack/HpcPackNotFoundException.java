package io.clusterwright.windows.hpcpack;

/** The head node has no such job, task, node or group. */
public final class HpcPackNotFoundException extends HpcPackException {
    private static final long serialVersionUID = 1L;

    /** Creates the exception with a complete message. */
    public HpcPackNotFoundException(String message) {
        super(message, null);
    }
}
