package io.clusterwright.emulator.internal.http;

/** Refusal of a request by an emulated service. */
public final class HttpRefusalException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final int status;

    /** A refusal with this HTTP status. */
    public HttpRefusalException(int status, String message) {
        super(message, null, false, false);
        this.status = status;
    }

    /** A refusal with status 400. */
    public static HttpRefusalException badRequest(String message) {
        return new HttpRefusalException(400, message);
    }

    /** A refusal with status 404. */
    public static HttpRefusalException notFound(String message) {
        return new HttpRefusalException(404, message);
    }

    /** The HTTP status. */
    public int status() {
        return status;
    }

    @Override
    public String getMessage() {
        return String.valueOf(super.getMessage());
    }
}
