package io.clusterwright.windows.emulator.internal.task;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/** A command line as a node reads it: first its command shell, then the program's own parser. */
public final class CommandLine {
    private static final String OPERATORS = "&|<>()";

    private CommandLine() {}

    /**
     * The words of a line.
     *
     * @throws IllegalArgumentException when it uses what only a command shell can do, such as a pipe
     */
    public static List<String> words(String line, Map<String, String> environment) {
        return split(shell(line, environment));
    }

    /** Variables and carets, as cmd.exe reads them: inside of quotes a caret is itself, a variable is not. */
    static String shell(String line, Map<String, String> environment) {
        Map<String, String> variables = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
        variables.putAll(environment);
        StringBuilder text = new StringBuilder();
        boolean quoted = false;
        for (int i = 0; i < line.length(); i++) {
            char c = line.charAt(i);
            int end = c == '%' ? line.indexOf('%', i + 1) : -1;
            if (end > i + 1 && variables.containsKey(line.substring(i + 1, end))) {
                text.append(variables.get(line.substring(i + 1, end)));
                i = end;
            } else if (c == '^' && !quoted && i + 1 < line.length()) {
                text.append(line.charAt(++i));
            } else if (!quoted && OPERATORS.indexOf(c) >= 0) {
                throw new IllegalArgumentException("the emulator runs one program and no shell: '" + c + "' in \""
                        + line + "\" is not translated");
            } else {
                quoted ^= c == '"';
                text.append(c);
            }
        }
        return text.toString();
    }

    /** Words as the C run-time library of Windows reads them: backslashes count before a quote only. */
    static List<String> split(String line) {
        List<String> words = new ArrayList<>();
        StringBuilder word = new StringBuilder();
        boolean inWord = false;
        boolean quoted = false;
        int i = 0;
        while (i < line.length()) {
            int slashes = 0;
            while (i + slashes < line.length() && line.charAt(i + slashes) == '\\') {
                slashes++;
            }
            i += slashes;
            char c = i < line.length() ? line.charAt(i) : ' ';
            boolean quote = i < line.length() && c == '"';
            word.append("\\".repeat(quote ? slashes / 2 : slashes));
            inWord |= slashes > 0;
            if (quote && slashes % 2 == 1) {
                word.append('"');
            } else if (quote) {
                quoted = !quoted;
                inWord = true;
            } else if ((c == ' ' || c == '\t') && !quoted) {
                if (inWord) {
                    words.add(word.toString());
                }
                word.setLength(0);
                inWord = false;
            } else if (i < line.length()) {
                word.append(c);
                inWord = true;
            }
            i++;
        }
        if (inWord) {
            words.add(word.toString());
        }
        return words;
    }

    /** The name of a program without folder and {@code .exe}, in lower case. */
    static String program(String word) {
        return word.replaceFirst("^.*[\\\\/]", "").toLowerCase(Locale.ROOT).replaceFirst("\\.exe$", "");
    }
}
