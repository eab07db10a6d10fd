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
 * launcher and its ranks do not know, and the exit status.
 */
final class LauncherOutput {
    private static final byte[] NONE = {};

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
        int at = markIn(all, size);
        if (at > 0) {
            output.onOutput(stream, all, at);
        }
        int status = 0;
        for (int i = at + mark.length; i < size; i++) {
            if (all[i] == '\n') {
                held.remove(stream);
                open--;
                if (open == 0) {
                    end.accept(status);
                }
                return Arrays.copyOfRange(all, i + 1, size);
            }
            status = 10 * status + all[i] - '0';
        }
        before.write(all, at, size - at);
        return NONE;
    }

    /** The place of the mark, or of what may become it when more has come; the end where there is neither. */
    private int markIn(byte[] all, int size) {
        for (int i = 0; i < size; i++) {
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
