package io.clusterwright.core.internal.http;

import java.util.concurrent.atomic.AtomicLong;

/** The memory that the requests of one server take at a time; a request beyond the limit is refused. */
final class Memory {
    private static final long MOST_BYTES = 64L * 1024 * 1024;

    private final AtomicLong taken = new AtomicLong();

    /** The part of one request, which is given back when it is closed. */
    Part open() {
        return new Part();
    }

    final class Part implements AutoCloseable {
        private long bytes;

        /**
         * Takes more.
         *
         * @throws HttpRefusalException with status 503 when all requests together would take too much
         */
        void take(int more) {
            bytes += more;
            if (taken.addAndGet(more) > MOST_BYTES) {
                throw new HttpRefusalException(
                        503, "The requests that are served now take all of " + MOST_BYTES + " bytes. Send it later.");
            }
        }

        @Override
        public void close() {
            taken.addAndGet(-bytes);
        }
    }
}
