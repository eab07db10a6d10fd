package io.clusterwright.core.internal.text;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Cuts a stream of bytes into lines as they become complete. The bytes of all lines in order are the bytes of the stream.
 *
 * <p>A line ends with LF. A line longer than 64 KiB is handed on in pieces that share its number. Not safe for several threads.
 */
public final class LineSplitter {
    private static final int LONGEST = 64 * 1024;

    private final Consumer<Line> consumer;
    private final ByteArrayOutputStream pending = new ByteArrayOutputStream();
    private int ended;

    /** Creates a splitter that hands lines to this consumer, on the thread that feeds it. */
    public LineSplitter(Consumer<Line> consumer) {
        this.consumer = consumer;
    }

    /** Takes the first {@code length} bytes of a buffer. */
    public void feed(byte[] bytes, int length) {
        int start = 0;
        for (int i = 0; i < length; i++) {
            if (bytes[i] == '\n') {
                emit(bytes, start, i + 1, true);
                start = i + 1;
                ended++;
            }
        }
        if (pending.size() + length - start > LONGEST) {
            emit(bytes, start, length, true);
        } else {
            pending.write(bytes, start, length - start);
        }
    }

    /** Hands on the last piece when the stream has ended. */
    public void finish() {
        if (pending.size() > 0) {
            emit(new byte[0], 0, 0, false);
        }
    }

    private void emit(byte[] bytes, int from, int to, boolean complete) {
        byte[] line;
        if (pending.size() == 0) {
            line = Arrays.copyOfRange(bytes, from, to);
        } else {
            pending.write(bytes, from, to - from);
            line = pending.toByteArray();
            pending.reset();
        }
        consumer.accept(new Line(ended + 1, line, complete));
    }

    /** A line of output: bytes, which are decoded where text is asked for. */
    public static final class Line {
        private final int number;
        private final byte[] bytes;
        private final boolean complete;
        private @Nullable String text;
        private @Nullable String latin;

        /**
         * A line.
         *
         * @param number counted from 1
         * @param bytes with its line break; not copied
         * @param complete whether a line break ended it or it is a piece of a long line; when not, its end may be missing
         */
        public Line(int number, byte[] bytes, boolean complete) {
            this.number = number;
            this.bytes = bytes;
            this.complete = complete;
        }

        /** A line of this text, without its line break. */
        public Line(int number, String text, boolean complete) {
            this(number, text.getBytes(StandardCharsets.UTF_8), complete);
            this.text = text;
        }

        /** Its number, counted from 1. */
        public int number() {
            return number;
        }

        /** Whether a line break ended it or it is a piece of a long line; when not, its end may be missing. */
        public boolean complete() {
            return complete;
        }

        /** The bytes with the line break. */
        public byte[] bytes() {
            return bytes;
        }

        /** The line decoded as UTF-8, with U+FFFD for other bytes, without its line break. */
        public String text() {
            String known = text;
            if (known == null) {
                known = text(bytes);
                text = known;
            }
            return known;
        }

        /** The bytes as characters of the same number, with the line break: quick to search for ASCII text in, whatever the bytes are. */
        public String latin() {
            String known = latin;
            if (known == null) {
                known = new String(bytes, StandardCharsets.ISO_8859_1);
                latin = known;
            }
            return known;
        }

        /** The text of a line that may end with a line break, decoded as UTF-8 without LF or CR LF. */
        public static String text(byte[] bytes) {
            int length = bytes.length;
            if (length > 0 && bytes[length - 1] == '\n') {
                length--;
            }
            if (length > 0 && bytes[length - 1] == '\r') {
                length--;
            }
            return new String(bytes, 0, length, StandardCharsets.UTF_8);
        }
    }
}
