package io.clusterwright.core.internal.text;

import io.clusterwright.core.type.InvalidValueException;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Quotes words for a POSIX shell, so that they reach a program exactly as they are. */
public final class PosixShell {
    private static final Pattern PLAIN = Pattern.compile("[A-Za-z0-9_./-][A-Za-z0-9_./:@%+,-]*");
    private static final Set<String> RESERVED = Set.of(
            "case",
            "coproc",
            "do",
            "done",
            "elif",
            "else",
            "esac",
            "fi",
            "for",
            "function",
            "if",
            "in",
            "select",
            "then",
            "time",
            "until",
            "while");

    private static final Pattern VARIABLE = Pattern.compile("[A-Za-z_][A-Za-z0-9_]*");

    private PosixShell() {}

    /**
     * One word, quoted where it needs to be.
     *
     * @throws InvalidValueException when it holds a NUL character, which no argument can
     */
    public static String quote(String word) {
        if (word.indexOf('\0') >= 0) {
            // The word may be a secret.
            throw InvalidValueException.of(
                    "an argument has a NUL character, which no shell can pass on", "remove the NUL character");
        }
        boolean plain = PLAIN.matcher(word).matches() && !RESERVED.contains(word);
        return plain ? word : "'" + word.replace("'", "'\\''") + "'";
    }

    /** A command line of these words. */
    public static String quote(List<String> words) {
        return words.stream().map(PosixShell::quote).collect(Collectors.joining(" "));
    }

    /** A path below {@code ~}, as sessions and launchers take it: relative to the home folder, in which they start. */
    public static String fromHome(String path) {
        return path.equals("~") || path.equals("~/") ? "." : path.startsWith("~/") ? path.substring(2) : path;
    }

    /** A path in which {@code *} stands for anything and everything else for itself. */
    public static String pattern(String path) {
        return Stream.of(path.split("(?<=\\*)|(?=\\*)"))
                .map(part -> part.equals("*") ? part : quote(part))
                .collect(Collectors.joining());
    }

    /** Whether this is the name of a variable. */
    public static boolean isVariable(String name) {
        return VARIABLE.matcher(name).matches();
    }

    /** Lines that export these variables, whose names need no quotes. */
    public static String exports(Map<String, String> variables) {
        return variables.entrySet().stream()
                .map(variable -> "export " + variable.getKey() + "=" + quote(variable.getValue()) + "\n")
                .collect(Collectors.joining());
    }
}
