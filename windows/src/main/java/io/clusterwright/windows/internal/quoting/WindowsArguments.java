package io.clusterwright.windows.internal.quoting;

import io.clusterwright.core.type.InvalidValueException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Joins the arguments of a program into the one text that Windows starts it with, so that {@code CommandLineToArgvW} and the C run-time
 * give them back.
 *
 * <p>A run of backslashes counts only before a quote: it is doubled there, and a quote in an argument takes one more. Two quotes in a
 * row mean different things to different run-times and are never written inside an argument. The name of the program follows other
 * rules: it has no escapes.
 *
 * <p>Each layer that a command passes has one class here; where it passes several, the innermost is applied first.
 */
public final class WindowsArguments {
    private static final Pattern PLAIN = Pattern.compile("[^ \t\n\u000B\"]+");
    private static final Pattern BEFORE_QUOTE = Pattern.compile("(\\\\*)\"");
    private static final Pattern AT_END = Pattern.compile("(\\\\*)\\z");

    private WindowsArguments() {}

    /**
     * One argument, in quotes where it needs them.
     *
     * @throws InvalidValueException when it holds a NUL character or half a surrogate pair
     */
    public static String quote(String argument) {
        checked(argument, "argument of a Windows program");
        if (PLAIN.matcher(argument).matches()) {
            return argument;
        }
        return inQuotes(argument);
    }

    /** The text in quotes, whether it needs them or not; not empty quotes beside others. */
    static String inQuotes(String text) {
        String escaped = BEFORE_QUOTE.matcher(text).replaceAll("$1$1\\\\\"");
        return "\"" + AT_END.matcher(escaped).replaceFirst("$1$1") + "\"";
    }

    /**
     * The arguments after the program.
     *
     * @throws InvalidValueException when one cannot be an argument
     */
    public static String join(List<String> arguments) {
        return arguments.stream().map(WindowsArguments::quote).collect(Collectors.joining(" "));
    }

    /**
     * A whole command line.
     *
     * @param program the name or path of the program, first of all
     * @param arguments its arguments
     * @throws InvalidValueException when one cannot be an argument, or the program holds a quote or nothing
     */
    public static String commandLine(String program, List<String> arguments) {
        String first = program(program);
        return arguments.isEmpty() ? first : first + " " + join(arguments);
    }

    static String program(String program) {
        checked(program, "Windows program");
        if (program.isEmpty() || program.chars().anyMatch(c -> c == '"' || c < ' ')) {
            throw new InvalidValueException(
                    "Windows program",
                    program,
                    "a name or path without quotes or control characters",
                    "C:\\a b\\app.exe");
        }
        return program.indexOf(' ') < 0 ? program : "\"" + program + "\"";
    }

    /** Refuses characters that no text on Windows can hold. */
    static void checked(String text, String what) {
        if (text.indexOf('\0') >= 0 || !StandardCharsets.UTF_16LE.newEncoder().canEncode(text)) {
            throw new InvalidValueException(
                    what, text, "text without a NUL character or half a surrogate pair", "C:\\data\\run 1");
        }
    }
}
