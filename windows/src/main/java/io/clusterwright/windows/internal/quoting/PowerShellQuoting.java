package io.clusterwright.windows.internal.quoting;

import io.clusterwright.core.type.InvalidValueException;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Writes texts as PowerShell literals, in which nothing is expanded.
 *
 * <p>PowerShell takes the typographic quotes U+2018 to U+201B for {@code '} wherever that may stand, so they are doubled too. A script
 * with characters beyond ASCII must be saved with a byte order mark: Windows PowerShell reads any other in the code page of the
 * machine.
 */
public final class PowerShellQuoting {
    private static final Pattern QUOTES = Pattern.compile("['\u2018-\u201B]");
    private static final Map<Character, Character> TYPED = Map.of(
            '\u2013', '-', '\u2014', '-', '\u2015', '-', '\u2018', '\'', '\u2019', '\'', '\u201A', '\'', '\u201B', '\'',
            '\u201C', '"', '\u201D', '"');
    private static final Map<Character, Character> PASTED =
            Map.of('\u201E', '"', '\u00A0', ' ', '\u2007', ' ', '\u202F', ' ');

    private PowerShellQuoting() {}

    /**
     * A text as a literal in single quotes, such as {@code 'it''s'}.
     *
     * @throws InvalidValueException when it holds a NUL character or half a surrogate pair, which no script can
     */
    public static String literal(String text) {
        WindowsText.checked(text, "text for PowerShell");
        return "'" + QUOTES.matcher(text).replaceAll("$0$0") + "'";
    }

    /**
     * Several texts as an array, such as {@code @('A','B')}; the cmdlets of HPC Pack take {@code 'A,B'} for one name.
     *
     * @throws InvalidValueException as for {@link #literal(String)}
     */
    public static String literals(List<String> texts) {
        return texts.stream().map(PowerShellQuoting::literal).collect(Collectors.joining(",", "@(", ")"));
    }

    /** A truth value, {@code $true} or {@code $false}. */
    public static String literal(boolean value) {
        return value ? "$true" : "$false";
    }

    /**
     * A command that starts a program with exactly these arguments and waits for it, in every version of PowerShell.
     *
     * <p>A program that is called by its name loses the quotes inside its arguments in Windows PowerShell 5 and keeps them from 7.3 on;
     * {@code Start-Process} hands its argument list over as it is in all of them.
     *
     * @param program its name or path
     * @param arguments its arguments
     * @return an expression that gives the process, whose {@code ExitCode} is set
     * @throws InvalidValueException when one cannot be an argument
     */
    public static String startProcess(String program, List<String> arguments) {
        String list = arguments.isEmpty() ? "" : " -ArgumentList " + literal(WindowsArguments.join(arguments));
        return "Start-Process -FilePath " + literal(program) + list + " -NoNewWindow -Wait -PassThru";
    }

    /**
     * A command as it was pasted from a document, with the dashes and quotes that a word processor made of the typed ones turned back,
     * and with blanks for its spaces that do not break.
     *
     * <p>PowerShell accepts most of them; other programs do not. Meant for command lines, not for texts in a language.
     */
    public static String typed(String pasted) {
        StringBuilder text = new StringBuilder(pasted.length());
        for (char c : pasted.toCharArray()) {
            text.append(TYPED.getOrDefault(c, PASTED.getOrDefault(c, c)).charValue());
        }
        return text.toString();
    }
}
