package io.clusterwright.core.internal.text;

import java.util.Locale;

/** Text that stays on one line of a terminal, a YAML file and a message. */
public final class PrintableText {
    /**
     * Characters that such a text does not have, for a class of characters in a regular expression: besides the controls of ASCII, the C1 controls
     * and what YAML, JavaScript and terminals take for the end of a line.
     */
    public static final String CONTROL = "\\p{Cntrl}\\u0080-\\u009f\\u2028\\u2029";

    private PrintableText() {}

    /** A constant as specs and programs write it: {@code keep-user} for {@code KEEP_USER}. */
    public static String word(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** The text with a question mark for each control character, cut to at most this many characters. */
    public static String of(String text, int longest) {
        String cut = text.length() <= longest ? text : text.substring(0, longest - 3) + "...";
        return cut.replaceAll("[" + CONTROL + "]", "?");
    }
}
