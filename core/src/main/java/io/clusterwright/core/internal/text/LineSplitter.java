package io.clusterwright.core.internal.text;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.function.Consumer;

/**
 * Cuts a stream of bytes into lines as they become complete.
 *
 * <p>A line ends with LF or CR LF; a CR alone is left in the text. Bytes are decoded line by line, so that a character
 * split over two chunks stays whole. A line longer than 64 KiB is handed on in pieces
 * that share its number. Not safe for several threads.
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
                pending.write(bytes, start, i - start);
                start = i + 1;
                emit(true);
                ended++;
            }
        }
        pending.write(bytes, start, length - start);
        if (pending.size() > LONGEST) {
            emit(true);
        }
    }

    /** Hands on the last piece when the stream has ended. */
    public void finish() {
        if (pending.size() > 0) {
            emit(false);
        }
    }

    private void emit(boolean complete) {
        String text = pending.toString(StandardCharsets.UTF_8);
        pending.reset();
        if (text.endsWith("\r")) {
            text = text.substring(0, text.length() - 1);
        }
        consumer.accept(new Line(ended + 1, text, complete));
    }

    /**
     * A line of output.
     *
     * @param number counted from 1
     * @param text without its line break
     * @param complete whether a line break ended it; when not, its end may be missing
     */
    public record Line(int number, String text, boolean complete) {}
}
