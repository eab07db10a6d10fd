package io.clusterwright.windows.internal.quoting;

import io.clusterwright.core.type.InvalidValueException;
import java.util.List;
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

    private PowerShellQuoting() {}

    /**
     * A text as a literal in single quotes, such as {@code 'it''s'}.
     *
     * @throws InvalidValueException when it holds a NUL character or half a surrogate pair, which no script can
     */
    public static String literal(String text) {
        WindowsArguments.checked(text, "text for PowerShell");
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
}
