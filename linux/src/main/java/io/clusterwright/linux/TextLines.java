package io.clusterwright.linux;

import java.util.ArrayList;
import java.util.List;

/** A text as lines that keep their ends, so that what is not edited stays as it was to the byte. */
final class TextLines {
    private TextLines() {}

    /** The lines with their ends; joined they are the text again. */
    static List<String> split(String text) {
        List<String> lines = new ArrayList<>();
        int start = 0;
        while (start < text.length()) {
            int newline = text.indexOf('\n', start);
            int end = newline < 0 ? text.length() : newline + 1;
            lines.add(text.substring(start, end));
            start = end;
        }
        return lines;
    }

    /** A line without its end. */
    static String body(String line) {
        return line.substring(0, line.length() - end(line).length());
    }

    /** A line's end: LF, CR LF, or nothing on a last line without one. */
    static String end(String line) {
        return line.endsWith("\r\n") ? "\r\n" : line.endsWith("\n") ? "\n" : "";
    }

    /** The line end a text uses: the end of its first line. */
    static String newline(String text) {
        int newline = text.indexOf('\n');
        return newline > 0 && text.charAt(newline - 1) == '\r' ? "\r\n" : "\n";
    }

    /** The text with lines put after its last one; each is given without its end. */
    static String append(String text, List<String> bodies) {
        if (bodies.isEmpty()) {
            return text;
        }
        String newline = newline(text);
        return finished(text) + String.join(newline, bodies) + newline;
    }

    /** The text with an end on its last line. */
    static String finished(String text) {
        if (text.isEmpty() || text.endsWith("\n")) {
            return text;
        }
        return text + (text.endsWith("\r") ? "\n" : newline(text));
    }

    static boolean isBlankOrComment(String line) {
        String stripped = line.strip();
        return stripped.isEmpty() || stripped.startsWith("#");
    }
}
