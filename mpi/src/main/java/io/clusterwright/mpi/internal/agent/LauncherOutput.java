package io.clusterwright.mpi.internal.agent;

import io.clusterwright.core.RunningCommand.OutputListener;
import io.clusterwright.core.RunningCommand.OutputListener.Stream;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.Map;
import java.util.function.IntConsumer;

/**
 * The output of a launcher, which may hold any bytes, up to the line with which its agent ends it on both streams: a secret word that the
 * launcher and its ranks do not know, and the exit status. The word without a status is output as any other.
 */
final class LauncherOutput {
    private static final byte[] NONE = {};
    private static final int MOST_DIGITS = 9;

    private final byte[] mark;
    private final OutputListener output;
    private final IntConsumer end;
    private final Map<Stream, ByteArrayOutputStream> held = new EnumMap<>(Stream.class);
    private int open = Stream.values().length;

    LauncherOutput(String secret, OutputListener output, IntConsumer end) {
        this.mark = ("\u0001" + secret + " ").getBytes(StandardCharsets.US_ASCII);
        this.output = output;
        this.end = end;
        for (Stream stream : Stream.values()) {
            held.put(stream, new ByteArrayOutputStream());
        }
    }

    /** Takes output; gives back what came behind its end, which is the agent's. */
    synchronized byte[] feed(Stream stream, byte[] bytes, int length) {
        ByteArrayOutputStream before = held.get(stream);
        if (before == null) {
            return Arrays.copyOf(bytes, length);
        }
        byte[] all = bytes;
        int size = length;
        if (before.size() > 0) {
            before.write(bytes, 0, length);
            all = before.toByteArray();
            size = all.length;
            before.reset();
        }
        int at = -1;
        int lineEnd;
        do {
            at = markIn(all, at + 1, size);
            lineEnd = lineEnd(all, at + mark.length, size);
        } while (lineEnd < 0);
        if (at > 0) {
            output.onOutput(stream, all, at);
        }
        if (lineEnd == size) {
            before.write(all, at, size - at);
            return NONE;
        }
        held.remove(stream);
        open--;
        if (open == 0) {
            int digits = at + mark.length;
            end.accept(Integer.parseInt(new String(all, digits, lineEnd - digits, StandardCharsets.US_ASCII)));
        }
        return Arrays.copyOfRange(all, lineEnd + 1, size);
    }

    /** The end of the line of a status that begins here; the size where it may still come, -1 where none is. */
    private static int lineEnd(byte[] all, int from, int size) {
        for (int i = from; i < size; i++) {
            if (all[i] == '\n' && i > from) {
                return i;
            }
            if (all[i] < '0' || all[i] > '9' || i - from == MOST_DIGITS) {
                return -1;
            }
        }
        return size;
    }

    /** The place of the mark from here on, or of what may become it when more has come; the end where there is neither. */
    private int markIn(byte[] all, int from, int size) {
        for (int i = from; i < size; i++) {
            if (all[i] != mark[0]) {
                continue;
            }
            int length = Math.min(mark.length, size - i);
            if (Arrays.equals(all, i, i + length, mark, 0, length)) {
                return i;
            }
        }
        return size;
    }
}
