package io.clusterwright.linux.internal.ssh;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CompletableFuture;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Takes the mark of a command's session leader out of one of its two outputs and hands on everything else. Not safe for use by several
 * threads.
 */
final class LeaderMark {
    /** For printf: the nonce, the process id, its start time in clock ticks since boot. */
    static final String FORMAT = "clusterwright-leader %s %s %s\\n";

    private static final int MAX_BEFORE = 64 * 1024;

    /** A process that leads a session: known by both numbers, so that it is never taken for a later one. */
    record Leader(long pid, long startTicks) {}

    /** Receives what is not the mark. */
    interface Rest {
        void accept(byte[] bytes, int offset, int length);
    }

    private final Pattern mark;
    private final boolean keepsBefore;
    private final CompletableFuture<Leader> leader = new CompletableFuture<>();
    private final Rest rest;
    private final ByteArrayOutputStream held = new ByteArrayOutputStream();
    private boolean searching = true;

    /**
     * The mark of a command.
     *
     * @param keepsBefore whether what a start-up file of the login shell prints before the mark is handed on, too
     */
    LeaderMark(String nonce, boolean keepsBefore, Rest rest) {
        this.keepsBefore = keepsBefore;
        this.mark = Pattern.compile("clusterwright-leader " + Pattern.quote(nonce) + " ([0-9]{1,18}) ([0-9]{0,18})\n");
        this.rest = rest;
    }

    /** The leader, once its mark came; completes exceptionally when the stream ended without. */
    CompletableFuture<Leader> leader() {
        return leader;
    }

    void accept(byte[] bytes, int offset, int length) {
        if (!searching) {
            rest.accept(bytes, offset, length);
            return;
        }
        held.write(bytes, offset, length);
        Matcher found = mark.matcher(held.toString(StandardCharsets.ISO_8859_1));
        if (found.find()) {
            byte[] all = held.toByteArray();
            release(all, 0, keepsBefore ? found.start() : 0);
            release(all, found.end(), all.length);
            if (found.group(2).isEmpty()) {
                end();
            } else {
                leader.complete(new Leader(Long.parseLong(found.group(1)), Long.parseLong(found.group(2))));
            }
        } else if (held.size() > MAX_BEFORE) {
            end();
        }
    }

    /** The stream ended, or will not be searched any longer. */
    void end() {
        if (searching) {
            byte[] all = held.toByteArray();
            release(all, 0, all.length);
        }
        leader.completeExceptionally(new IllegalStateException("the command never printed its process id"));
    }

    private void release(byte[] all, int from, int to) {
        searching = false;
        held.reset();
        if (to > from) {
            rest.accept(all, from, to - from);
        }
    }
}
