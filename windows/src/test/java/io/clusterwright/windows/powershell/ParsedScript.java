package io.clusterwright.windows.powershell;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What the grammar sees in a script.
 *
 * @param errors what is not PowerShell, with line and column
 * @param literals the texts in single quotes, as they stand
 * @param functions the functions it defines
 * @param commands the commands it calls
 */
public record ParsedScript(List<String> errors, List<String> literals, List<String> functions, List<Command> commands) {

    /** A call: its name, line and column, and its parameters. */
    public record Command(String name, String at, List<Parameter> parameters) {}

    /** A parameter with its dash, and the value that follows where one does, as they stand. */
    public record Parameter(String name, @Nullable String value) {}

    /** The text that PowerShell makes of a literal in single quotes: of two of its quotes in a row, of any of their shapes, the first. */
    public static String value(String literal) {
        return literal.substring(1, literal.length() - 1).replaceAll("(['\u2018-\u201B])['\u2018-\u201B]", "$1");
    }
}
