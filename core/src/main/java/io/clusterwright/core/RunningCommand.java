package io.clusterwright.core;

import io.clusterwright.core.type.OperationInterruptedException;
import java.time.Duration;
import java.util.OptionalInt;

/**
 * A command that was started on a node. Use it for a command that runs long or reads input. The caller that started
 * it closes it, which ends the command if it still runs.
 *
 * <pre>{@code
 * Command command = Command.of("cat").openInput();
 * try (RunningCommand running =
 *         session.start(command, (stream, bytes, length) -> System.out.println(new String(bytes, 0, length)))) {
 *     running.send("one line\n".getBytes());
 *     running.endInput();
 *     OptionalInt status = running.await(Duration.ofSeconds(20)); // empty when it still runs
 *     System.out.println(status);
 * }
 * }</pre>
 */
public interface RunningCommand extends AutoCloseable {

    /**
     * Waits for the command to end, at most this long.
     *
     * @return the exit status, or empty when it still runs
     * @throws OperationInterruptedException when this thread is interrupted; the command has been ended
     * @throws NodeUnreachableException when the connection broke and the exit status will never be known
     */
    OptionalInt await(Duration limit);

    /**
     * Whether the connection to the command is in order, as far as is known here. It is not while the broken connection of a command that
     * {@linkplain Command#outliveConnection() outlives it} is being opened again.
     */
    default boolean isConnected() {
        return true;
    }

    /**
     * Adds to the command's standard input. Returns when the bytes are on their way; a command that has ended takes none.
     *
     * @throws IllegalStateException when the command was not started with {@link Command#openInput()}, or its input has ended
     */
    void send(byte[] bytes);

    /** Ends the command's standard input; twice is harmless, and so is a command that never had any. */
    void endInput();

    /**
     * Ends the command and the processes of its session on the node: first asked (SIGTERM), after the grace forced
     * (SIGKILL). Calling it twice is harmless.
     */
    void cancel(Duration grace);

    /** Ends the command at once if it still runs. */
    @Override
    void close();

    /** Receives the output of a running command. */
    @FunctionalInterface
    interface OutputListener {

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
}
