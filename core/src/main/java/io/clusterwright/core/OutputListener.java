package io.clusterwright.core;

/** Receives the output of a running command. */
@FunctionalInterface
public interface OutputListener {

    /**
     * Takes a piece of output; it may end in the middle of a line or of a character.
     *
     * @param stream which stream it came from
     * @param bytes the buffer, only valid during the call
     * @param length how many bytes of the buffer count
     */
    void onOutput(Stream stream, byte[] bytes, int length);

    /** The two output streams of a command. */
    enum Stream {
        /** Standard output. */
        STDOUT,
        /** Standard error. */
        STDERR
    }
}
