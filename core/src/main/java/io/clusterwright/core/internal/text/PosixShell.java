package io.clusterwright.core.internal.text;

import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

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

    private PosixShell() {}

    /**
     * One word, quoted where it needs to be.
     *
     * @throws IllegalArgumentException when it holds a NUL character, which no argument can
     */
    public static String quote(String word) {
        if (word.indexOf('\0') >= 0) {
            throw new IllegalArgumentException("a word for a shell holds a NUL character, which no argument can");
        }
        boolean plain = PLAIN.matcher(word).matches() && !RESERVED.contains(word);
        return plain ? word : "'" + word.replace("'", "'\\''") + "'";
    }

    /**
     * A command line of these words.
     *
     * @throws IllegalArgumentException when one holds a NUL character
     */
    public static String quote(List<String> words) {
        return words.stream().map(PosixShell::quote).collect(Collectors.joining(" "));
    }
}
