package io.clusterwright.core.internal.relay;

import io.clusterwright.core.spi.ScriptChannel;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.zip.GZIPInputStream;

/**
 * Answer of a {@link RelayShell} script about a job.
 *
 * @param status the exit status of an ended job
 * @param out what came of its standard output
 * @param err what came of its standard error
 */
record RelayAnswer(State state, int status, Piece out, Piece err) {
    private static final String NUMBER = " ([0-9]{1,18})";
    private static final String PIECE = NUMBER + " ([0-9]{1,9}) (-|[A-Za-z0-9+/=]+)";
    private static final Pattern LINE = Pattern.compile(
            "clusterwright-relay \\S+ (staged|running|ended|lost) (-?[0-9]{1,10})" + PIECE + PIECE + "\\s*");
    private static final int SHOWN = 600;
    /** The longest piece that relay.sh and relay.ps1 send. */
    private static final int LONGEST_PIECE = 256 * 1024;

    /** The progress of a job. */
    enum State {
        STAGED,
        RUNNING,
        ENDED,
        LOST
    }

    /**
     * A piece of a stream.
     *
     * @param total the bytes written so far
     */
    @SuppressWarnings("ArrayRecordComponent")
    record Piece(long total, byte[] bytes) {}

    /** The answer in what a script printed; empty when its last line is not there, or not whole. */
    static Optional<RelayAnswer> find(String job, ScriptChannel.Answer answer) {
        int begin = answer.output().lastIndexOf("clusterwright-relay " + job + " ");
        if (begin < 0) {
            return Optional.empty();
        }
        // What passes the answer on may have broken a long line.
        Matcher found = LINE.matcher(answer.output().substring(begin).replaceAll("\\R", ""));
        if (!found.matches()) {
            return Optional.empty();
        }
        try {
            return Optional.of(new RelayAnswer(
                    State.valueOf(found.group(1).toUpperCase(java.util.Locale.ROOT)),
                    (int) Long.parseLong(found.group(2)),
                    piece(found, 3),
                    piece(found, 6)));
        } catch (IOException | IllegalArgumentException e) {
            return Optional.empty();
        }
    }

    private static Piece piece(Matcher found, int group) throws IOException {
        long total = Long.parseLong(found.group(group));
        String text = found.group(group + 2);
        if (text.equals("-")) {
            return new Piece(total, new byte[0]);
        }
        int taken = Integer.parseInt(found.group(group + 1));
        if (taken > LONGEST_PIECE) {
            throw new IOException(taken + " bytes instead of at most " + LONGEST_PIECE);
        }
        byte[] packed = Base64.getDecoder().decode(text);
        try (GZIPInputStream in = new GZIPInputStream(new ByteArrayInputStream(packed))) {
            byte[] bytes = in.readNBytes(taken + 1);
            if (bytes.length != taken) {
                throw new IOException(bytes.length + " bytes instead of " + taken);
            }
            return new Piece(total, bytes);
        }
    }

    /** The output of a script without an answer, for a message. */
    static String shown(ScriptChannel.Answer answer) {
        List<String> parts = List.of(answer.errors().strip(), answer.output().strip());
        String text = String.join(
                " | ", parts.stream().filter(part -> !part.isEmpty()).toList());
        String end = text.length() > SHOWN ? "…" + text.substring(text.length() - SHOWN) : text;
        return end.isEmpty() ? "it printed nothing" : "it printed: " + end.replaceAll("\\s*\\R\\s*", " | ");
    }
}
