package io.clusterwright.core.internal.text;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.Reader;
import java.io.SequenceInputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.Objects;

/** Texts in UTF-8, and in UTF-16 with a byte order mark, which PowerShell 5 writes for {@code >}. */
public final class EncodedText {
    private static final int LONGEST_MARK = 3;

    private EncodedText() {}

    /**
     * The text of these bytes, without a byte order mark.
     *
     * @throws CharacterCodingException when they are no text in the encoding of their mark, or in UTF-8 without a mark
     */
    public static String decode(byte[] bytes) throws CharacterCodingException {
        Mark mark = Mark.of(bytes, bytes.length);
        return mark.charset()
                .newDecoder()
                .decode(ByteBuffer.wrap(bytes, mark.length(), bytes.length - mark.length()))
                .toString();
    }

    /** The same text in UTF-8, without a byte order mark; bytes without a mark stay as they are. */
    public static InputStream inUtf8(InputStream bytes) throws IOException {
        byte[] start = new byte[LONGEST_MARK];
        int length = bytes.readNBytes(start, 0, LONGEST_MARK);
        Mark mark = Mark.of(start, length);
        InputStream text =
                new SequenceInputStream(new ByteArrayInputStream(start, mark.length(), length - mark.length()), bytes);
        return mark.charset().equals(StandardCharsets.UTF_8)
                ? text
                : new Recoded(new InputStreamReader(text, mark.charset()));
    }

    private record Mark(Charset charset, int length) {
        static Mark of(byte[] start, int length) {
            int first = length < 2 ? 0 : (start[0] & 0xff) << 8 | start[1] & 0xff;
            if (first == 0xfffe) {
                return new Mark(StandardCharsets.UTF_16LE, 2);
            }
            if (first == 0xfeff) {
                return new Mark(StandardCharsets.UTF_16BE, 2);
            }
            boolean utf8 = first == 0xefbb && length >= LONGEST_MARK && (start[2] & 0xff) == 0xbf;
            return new Mark(StandardCharsets.UTF_8, utf8 ? LONGEST_MARK : 0);
        }
    }

    private static final class Recoded extends InputStream {
        private final Reader text;
        private final char[] letters = new char[8 * 1024];
        private byte[] ready = {};
        private int next;

        Recoded(Reader text) {
            this.text = text;
        }

        @Override
        public int read() throws IOException {
            return fill() ? ready[next++] & 0xff : -1;
        }

        @Override
        public int read(byte[] into, int offset, int length) throws IOException {
            Objects.checkFromIndexSize(offset, length, into.length);
            if (length == 0) {
                return 0;
            }
            if (!fill()) {
                return -1;
            }
            int taken = Math.min(length, ready.length - next);
            System.arraycopy(ready, next, into, offset, taken);
            next += taken;
            return taken;
        }

        private boolean fill() throws IOException {
            if (next < ready.length) {
                return true;
            }
            int read = text.read(letters, 0, letters.length - 1);
            if (read <= 0) {
                return false;
            }
            if (Character.isHighSurrogate(letters[read - 1])) {
                int second = text.read();
                if (second >= 0) {
                    letters[read++] = (char) second;
                }
            }
            ready = new String(letters, 0, read).getBytes(StandardCharsets.UTF_8);
            next = 0;
            return true;
        }

        @Override
        public void close() throws IOException {
            text.close();
        }
    }
}
