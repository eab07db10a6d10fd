package io.clusterwright.core.internal.text;

import java.util.Locale;

/** Text that stays on one line of a terminal, a YAML file and a message. */
public final class PrintableText {
    /**
     * Characters that such a text does not have, for a class of characters in a regular expression: besides the controls of ASCII, the C1 controls
     * and what YAML, JavaScript and terminals take for the end of a line.
     */
    public static final String CONTROL = "\\p{Cntrl}\\u0080-\\u009f\\u2028\\u2029";

    private static final int LONGEST_LINE = 500;
    private static final int LONGEST_OUTPUT = 4000;

    private PrintableText() {}

    /** A constant as specs and programs write it: {@code keep-user} for {@code KEEP_USER}. */
    public static String word(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** A line of a program's output, cut to what a message may show of it. */
    public static String line(String output) {
        return cut(output, LONGEST_LINE);
    }

    /** A program's output without the space around it, cut to what a message may show of it. */
    public static String output(String text) {
        return cut(text.strip(), LONGEST_OUTPUT);
    }

    private static String cut(String text, int longest) {
        if (text.length() <= longest) {
            return text;
        }
        int end = longest - 3;
        return text.substring(0, Character.isHighSurrogate(text.charAt(end - 1)) ? end - 1 : end) + "...";
    }

    /** The text with a question mark for each control character, cut to at most this many characters. */
    public static String of(String text, int longest) {
        return cut(text, longest).replaceAll("[" + CONTROL + "]", "?");
    }
}
