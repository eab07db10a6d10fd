package io.clusterwright.windows.internal.quoting;

import io.clusterwright.core.type.InvalidValueException;
import java.util.List;

/**
 * The command of a task as the one text that HPC Pack keeps for the shell of a compute node: {@code %},
 * {@code &} and their like are live there, after whatever shell submitted it.
 */
public final class HpcPackCommandLine {
    /** The longest command before HPC Pack 2016 Update 3, in characters. */
    public static final int SHORT_LIMIT = 480;
    /** The longest command from HPC Pack 2016 Update 3 on, in characters. */
    public static final int LIMIT = 1024;

    private HpcPackCommandLine() {}

    /**
     * The text that HPC Pack is to keep, for a job file or the REST interface.
     *
     * @param command the name or path of the program and its arguments
     * @throws InvalidValueException when an argument cannot pass a shell, or the text is longer than {@link #LIMIT}
     */
    public static String stored(List<String> command) {
        if (command.isEmpty()) {
            throw new InvalidValueException("task command", "", "a program and its arguments", "mpiexec app.exe");
        }
        String text = CmdShell.promptLine(command.get(0), command.subList(1, command.size()));
        if (text.length() > LIMIT) {
            throw new InvalidValueException(
                    "task command",
                    text,
                    "at most " + LIMIT + " characters (" + SHORT_LIMIT
                            + " before 2016 Update 3), or put the command into a script",
                    "mpiexec app.exe");
        }
        return text;
    }

    /**
     * A text of {@link #stored(List)} as words that follow the options of {@code job submit}.
     *
     * <p>It is not documented how {@code job} joins its words to one text, so words that need quotes are refused.
     *
     * @throws InvalidValueException when an argument is empty or holds a blank or a quote
     */
    public static List<String> words(String text) {
        if (text.indexOf('"') >= 0 || text.startsWith("/")) {
            throw new InvalidValueException(
                    "command after job submit",
                    text,
                    "words without quotes or blanks, the first without '/'; otherwise use a job file or REST",
                    "mpiexec app.exe");
        }
        return List.of(text.split(" "));
    }
}
