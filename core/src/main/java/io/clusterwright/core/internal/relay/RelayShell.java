package io.clusterwright.core.internal.relay;

import io.clusterwright.core.Command;
import io.clusterwright.core.spi.ScriptChannel;
import io.clusterwright.core.type.UserName;
import java.time.Duration;

/**
 * Runs commands on one kind of system by scripts over a {@link ScriptChannel}: started apart from the script that starts them, with
 * their output kept in files until it was fetched. Pure and stateless.
 *
 * <p>Every script prints, as its last line, one line of ten words with a blank between them:
 *
 * <pre>clusterwright-relay JOB STATE STATUS OUT-TOTAL OUT-TAKEN OUT-TEXT ERR-TOTAL ERR-TAKEN ERR-TEXT</pre>
 *
 * <p>where STATE is {@code staged}, {@code running}, {@code ended}, or {@code lost} when there is no such job any more; STATUS is the exit
 * status of an ended one, else 0; the totals are the bytes written so far, TAKEN is how many of them are in TEXT, which is their gzip in
 * Base64, or {@code -} for none.
 *
 * <p>A script may be delivered twice, when the answer to the first delivery was lost: the second gives the same answer and starts nothing.
 * For this a job that has ended stays until the next script of another job; of that one stays, for a day, only that it was there.
 */
public interface RelayShell {
    /** The exit status of {@link #reading} for a file that is too large: {@value}. */
    int TOO_LARGE = 27;

    /** The language of the scripts. */
    ScriptChannel.Language language();

    /**
     * The script that does what is asked.
     *
     * @throws IllegalArgumentException when a command cannot be run in this way, saying why
     */
    String script(Request request);

    /**
     * A command that prints a file's bytes as they are; of one that has more than the most, only their number, on standard error, and
     * the exit status is {@link #TOO_LARGE}.
     */
    Command reading(String path, int most);

    /**
     * A command that makes its standard input a file: written beside it, then renamed over it.
     *
     * @param mode the permissions, where the system has such
     */
    Command writing(String path, int mode);

    /** The requests that a machine answers. */
    sealed interface Request {
        /** Letters and digits by which the job is known. */
        String job();
    }

    /** Adds to what the job will have as its standard input. */
    record Stage(String job, Input input) implements Request {}

    /**
     * A piece of a standard input.
     *
     * @param from the bytes before it; what is there beyond them came with an earlier delivery of the same script
     * @param packed gzip of the bytes
     */
    @SuppressWarnings("ArrayRecordComponent")
    record Input(long from, byte[] packed) {}

    /**
     * Starts a command; delivered once more, only looks how it is getting on.
     *
     * @param user the account that it runs as, where the system can choose; with all rights when the command is elevated
     * @param input the rest of its standard input
     */
    record Launch(String job, Command command, UserName user, Input input, Window window) implements Request {}

    /** Looks how a job is getting on. */
    record Look(String job, Window window) implements Request {}

    /** Asks a job's processes to end, and forces them after the grace; then looks. */
    record End(String job, Duration grace, Window window) implements Request {}

    /**
     * The scope of a progress query.
     *
     * @param patience how long to wait for the job's end; whole seconds
     * @param out the offset in its standard output
     * @param err the offset in its standard error
     * @param characters how many characters of text may come back, both streams together
     */
    record Window(Duration patience, long out, long err, int characters) {}
}
