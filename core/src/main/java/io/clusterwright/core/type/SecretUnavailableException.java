package io.clusterwright.core.type;

/** A secret could not be had from where its reference points, or was not safe there. */
public final class SecretUnavailableException extends ClusterwrightException {
    private static final long serialVersionUID = 1L;

    private final transient SecretReference reference;

    SecretUnavailableException(SecretReference reference, String message) {
        super("cannot read the secret " + reference + ": " + message);
        this.reference = reference;
    }

    SecretUnavailableException(SecretReference reference, String message, Throwable cause) {
        super("cannot read the secret " + reference + ": " + message, cause);
        this.reference = reference;
    }

    /** Where the secret should have been. */
    public SecretReference reference() {
        return reference;
    }
}
