package io.clusterwright.examples.cli;

import java.time.Duration;
import java.util.Locale;

/** Marks and colours: on a terminal only; plain words in a pipe. */
public final class Style {
    private static final boolean TERMINAL = Boolean.getBoolean("clusterwright.terminal");
    private static final char ESCAPE = 27;

    private Style() {}

    /** Whether progress goes to a terminal. */
    static boolean terminal() {
        return TERMINAL;
    }

    /** Text about a success. */
    public static String good(String text) {
        return paint(32, text);
    }

    /** Text about a failure. */
    public static String bad(String text) {
        return paint(31, text);
    }

    /** Text that deserves attention. */
    public static String warn(String text) {
        return paint(33, text);
    }

    /** Less important text. */
    public static String dim(String text) {
        return paint(2, text);
    }

    /** A time in seconds, such as {@code 1.2 s}. */
    public static String seconds(Duration time) {
        return String.format(Locale.ROOT, "%.1f s", time.toMillis() / 1000.0);
    }

    private static String paint(int code, String text) {
        return TERMINAL ? ESCAPE + "[" + code + "m" + text + ESCAPE + "[0m" : text;
    }
}
