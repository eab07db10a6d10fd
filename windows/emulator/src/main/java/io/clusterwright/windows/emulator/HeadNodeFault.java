package io.clusterwright.windows.emulator;

/** What can go wrong at the head node. */
public sealed interface HeadNodeFault {

    /** A fault of the next requests, whatever they ask. */
    sealed interface OfRequests extends HeadNodeFault {
        /** How many requests it meets, 1 or more. */
        int requests();
    }

    /** The password that the head node holds has expired: jobs are refused unless they bring one. */
    record ExpiredCredentials() implements HeadNodeFault {}

    /** Jobs handed in from now on stay queued, though nodes are free. */
    record QueuedForEver() implements HeadNodeFault {}

    /**
     * Tasks that start from now on fail.
     *
     * @param exitCode what they end with
     * @param output what they write before
     */
    record TaskFails(int exitCode, String output) implements HeadNodeFault {}

    /**
     * A node is not reachable any more: its health is {@code Error}, tasks on it fail, and no more start there.
     *
     * @param node its name
     */
    record NodeUnreachable(String node) implements HeadNodeFault {}

    /**
     * The next requests are answered 503.
     *
     * @param requests how many
     * @param retryAfterSeconds what {@code Retry-After} says; negative for no such header
     */
    record Busy(int requests, int retryAfterSeconds) implements OfRequests {}

    /**
     * The next requests are carried out, and the connection breaks before the answer.
     *
     * @param requests how many
     */
    record ConnectionBreaks(int requests) implements OfRequests {}

    /**
     * The next requests are answered with a redirect.
     *
     * @param requests how many
     * @param status such as 307
     * @param location where to; the path and query of the request are appended
     */
    record Redirects(int requests, int status, String location) implements OfRequests {}

    /**
     * The next requests are answered late.
     *
     * @param requests how many
     * @param millis by how much
     */
    record Slow(int requests, long millis) implements OfRequests {}
}
