package io.clusterwright.windows.internal.xml;

import javax.xml.stream.Location;

/**
 * A place in a text.
 *
 * @param line from 1
 * @param column from 1
 */
public record TextPlace(int line, int column) {

    /** The place of a character; lines end with a line feed. */
    public static TextPlace of(String text, int offset) {
        int line = 1;
        int lineStart = 0;
        for (int i = text.indexOf('\n'); i >= 0 && i < offset; i = text.indexOf('\n', i + 1)) {
            line++;
            lineStart = i + 1;
        }
        return new TextPlace(line, offset - lineStart + 1);
    }

    /** Where a tag begins that ends at this place of a parser; no attribute can hold the character that begins a tag. */
    static TextPlace startOfTag(String text, Location end) {
        int offset = end.getCharacterOffset();
        int start = offset < 1 || offset > text.length() ? -1 : text.lastIndexOf('<', offset - 1);
        return start < 0
                ? new TextPlace(Math.max(1, end.getLineNumber()), Math.max(1, end.getColumnNumber()))
                : of(text, start);
    }
}
