package io.clusterwright.core.spi;

import io.clusterwright.core.type.InvalidValueException;
import java.time.Duration;
import java.util.Objects;

/**
 * Runs scripts on one machine without any network way to it, as the agent of a cloud inside of the machine does. A
 * provider offers it for machines that no session can reach. Scripts run with the highest rights there are (root,
 * LocalSystem), have no input, and end before the next one begins.
 *
 * <p>Only the end of what a script prints comes back, and perhaps not whether it failed: a script prints itself what is to be known,
 * last. Implementations are safe for use by several threads.
 *
 * @see MachineProvider
 */
public interface ScriptChannel {

    /**
     * Runs a script and waits for its end. Where an answer is lost on the way, the script may be delivered and run
     * again, after the first run
     * has ended: it must know what it did before.
     *
     * @param limit how long the script, and its turn, may take; the machine does not learn of it
     * @return the answer, whether the script failed or not
     * @throws io.clusterwright.core.NodeUnreachableException when the machine does not run, or nothing in it takes scripts yet,
     *     or no answer came within the limit
     * @throws io.clusterwright.core.type.OperationInterruptedException when this thread is interrupted; the script may run on
     * @throws io.clusterwright.core.type.ClusterwrightException when the relay refuses, such as for want of rights
     */
    Answer run(Script script, Duration limit);

    /** The number of last bytes of a script's standard output that come back; at least 1,024. */
    int answerBytes();

    /** The number of bytes that a script may have; at least 16,384. */
    int scriptBytes();

    /** How long a script may wait for news before it answers: as long as a call costs much, and short where one costs little. */
    default Duration longestWait() {
        return Duration.ofSeconds(20);
    }

    /** The language of a script. */
    enum Language {
        /** The shell of POSIX systems. */
        POSIX_SHELL,
        /** Windows PowerShell, 5.1 or later. */
        POWERSHELL
    }

    /**
     * A script.
     *
     * @param text ASCII only, because what a relay makes of anything else is not known
     */
    record Script(Language language, String text) {
        /** Checks that the text is ASCII. */
        public Script {
            Objects.requireNonNull(language, "language");
            if (!text.chars().allMatch(c -> c < 128)) {
                throw InvalidValueException.of(
                        "a script for a relay has a character that is not ASCII", "use ASCII only");
            }
        }

        /** The language alone: the text may hold a secret. */
        @Override
        public String toString() {
            return "Script[" + language + ", " + text.length() + " characters]";
        }
    }

    /**
     * The answer of a script.
     *
     * @param output the end of its standard output
     * @param errors the end of its standard error, or nothing where that is not returned
     */
    record Answer(String output, String errors) {}
}
