package io.clusterwright.windows.hpcpack;

/** The head node holds no valid password of the account a job is to run as: submit with {@link RunAs}, or cache it there. */
public final class HpcPackCredentialsException extends HpcPackException {
    private static final long serialVersionUID = 1L;

    /** Creates the exception with a complete message. */
    public HpcPackCredentialsException(String message) {
        super(message, null);
    }
}
