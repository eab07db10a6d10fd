package io.clusterwright.windows.powershell;

import java.util.List;

/**
 * What the grammar sees in a script.
 *
 * @param errors what is not PowerShell, with line and column
 * @param literals the texts in single quotes, as they stand
 * @param functions the functions it defines
 * @param commands the commands it calls
 */
public record ParsedScript(List<String> errors, List<String> literals, List<String> functions, List<Command> commands) {

    /** A call: its name, its line and column, what follows the name, and whether a pipeline hands it something. */
    public record Command(String name, String at, List<Element> elements, boolean piped) {}

    /** A parameter with its dash, or a value, as it stands; a joined value follows its parameter after a colon. */
    public record Element(String text, boolean parameter, boolean joined) {}

    /** The text that PowerShell makes of a literal in single quotes: of two of its quotes in a row, of any of their shapes, the first. */
    public static String value(String literal) {
        return literal.substring(1, literal.length() - 1).replaceAll("(['\u2018-\u201B])['\u2018-\u201B]", "$1");
    }
}
