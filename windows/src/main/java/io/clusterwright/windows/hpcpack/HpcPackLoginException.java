package io.clusterwright.windows.hpcpack;

/** The head node does not know this login (401), or does not allow it this (403). */
public final class HpcPackLoginException extends HpcPackException {
    private static final long serialVersionUID = 1L;

    /** Creates the exception with a complete message. */
    public HpcPackLoginException(String message) {
        super(message, null);
    }
}
