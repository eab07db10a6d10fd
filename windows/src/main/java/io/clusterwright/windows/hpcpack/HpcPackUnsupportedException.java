package io.clusterwright.windows.hpcpack;

/** This generation of the interface cannot do that. */
public final class HpcPackUnsupportedException extends HpcPackException {
    private static final long serialVersionUID = 1L;

    /** Creates the exception with a complete message. */
    public HpcPackUnsupportedException(String message) {
        super(message, null);
    }
}
