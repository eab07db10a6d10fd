package io.clusterwright.windows.internal.quoting;

import io.clusterwright.core.type.InvalidValueException;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Writes command lines for {@code cmd.exe}, so that the program gets its arguments unchanged.
 *
 * <p>There are two ways to write one, because {@code %} differs: in a batch file it is doubled, at the prompt and after {@code cmd /c}
 * nothing escapes it and the name of the variable is broken instead. Both hold with delayed expansion off, as it is by
 * default. No line of cmd can hold a line break or another control character.
 */
public final class CmdShell {
    private static final Pattern CONTROL = Pattern.compile("[\\x00-\\x08\\x0A-\\x1F]");
    private static final Pattern PLAIN_PROGRAM = Pattern.compile("[A-Za-z0-9_.:\\\\/-]+");
    private static final String LIVE = "&|<>()^!";

    private CmdShell() {}

    /**
     * A line of a batch file.
     *
     * @param program the name or path of the program
     * @param arguments its arguments
     * @throws InvalidValueException when one holds a control character other than a tab or is not ASCII, or the program holds a quote
     */
    public static String batchLine(String program, List<String> arguments) {
        String line = line(program(program).replace("%", "%%"), arguments, true);
        if (!line.chars().allMatch(c -> c < 128)) {
            throw new InvalidValueException("batch file line", line, "ASCII characters only", "mpiexec app.exe");
        }
        return line;
    }

    /**
     * A line to type at the prompt, or to hand to {@code cmd /c}.
     *
     * @param program the name or path of the program
     * @param arguments its arguments
     * @throws InvalidValueException when one holds a control character other than a tab, or the program a quote or a {@code %}
     */
    public static String promptLine(String program, List<String> arguments) {
        if (program.indexOf('%') >= 0) {
            throw new InvalidValueException(
                    "program for a prompt", program, "a name or path without %", "C:\\Program Files\\app.exe");
        }
        return line(program(program), arguments, false);
    }

    private static String line(String program, List<String> arguments, boolean batch) {
        return Stream.concat(
                        Stream.of(program),
                        checked(arguments).stream()
                                .map(argument -> batch
                                        ? escape(WindowsArguments.quote(argument))
                                                .replace("%", "%%")
                                        : escape(withoutVariables(argument))))
                .collect(Collectors.joining(" "));
    }

    private static String program(String program) {
        String checked = WindowsArguments.program(program);
        return PLAIN_PROGRAM.matcher(program).matches() || checked.startsWith("\"") ? checked : "\"" + checked + "\"";
    }

    private static List<String> checked(List<String> arguments) {
        for (String argument : arguments) {
            WindowsArguments.checked(argument, "argument for cmd.exe");
            if (CONTROL.matcher(argument).find()) {
                throw new InvalidValueException(
                        "argument for cmd.exe",
                        argument,
                        "text without control characters other than a tab, or put the text into a file",
                        "C:\\data\\run 1");
            }
        }
        return arguments;
    }

    /**
     * Between quotes nothing but % is live for cmd. A quote that is escaped for the program switches cmd's state too, so an argument
     * with more quotes than the two around it has them all hidden by carets, and whatever follows starts outside quotes.
     */
    private static String escape(String argument) {
        boolean hide = argument.chars().filter(c -> c == '"').count() > 2;
        StringBuilder line = new StringBuilder(argument.length() + 16);
        boolean quoted = false;
        for (char c : argument.toCharArray()) {
            if (hide && c == '"' || !quoted && LIVE.indexOf(c) >= 0) {
                line.append('^');
            }
            line.append(c);
            quoted ^= c == '"' && !hide;
        }
        return line.toString();
    }

    /**
     * An argument in quotes that step aside for the first letter after each %: cmd then looks for a variable with a quote in its name,
     * finds none, and leaves the text as it is.
     */
    private static String withoutVariables(String argument) {
        if (argument.indexOf('%') < 0) {
            return WindowsArguments.quote(argument);
        }
        StringBuilder word = new StringBuilder(argument.length() + 16);
        int from = 0;
        boolean afterPercent = false;
        for (int i = 0; i < argument.length(); i++) {
            char c = argument.charAt(i);
            if (afterPercent && (Character.isLetterOrDigit(c) || c == '_')) {
                word.append(WindowsArguments.inQuotes(argument.substring(from, i)))
                        .append(c);
                from = i + 1;
                afterPercent = false;
            }
            afterPercent |= c == '%';
        }
        return from == argument.length()
                ? word.toString()
                : word.append(WindowsArguments.inQuotes(argument.substring(from)))
                        .toString();
    }
}
