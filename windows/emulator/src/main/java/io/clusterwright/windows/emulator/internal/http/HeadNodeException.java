package io.clusterwright.windows.emulator.internal.http;

/** The head node refuses a request. */
public final class HeadNodeException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final int status;

    public HeadNodeException(int status, String message) {
        super(message);
        this.status = status;
    }

    public static HeadNodeException badRequest(String message) {
        return new HeadNodeException(400, message);
    }

    public static HeadNodeException notFound(String message) {
        return new HeadNodeException(404, message);
    }

    public int status() {
        return status;
    }

    @Override
    public String getMessage() {
        return String.valueOf(super.getMessage());
    }
}
