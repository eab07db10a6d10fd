package io.clusterwright.mpi.job;

import io.clusterwright.core.RunningCommand.OutputListener;
import io.clusterwright.core.internal.text.LineSplitter.Line;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Objects;
import java.util.OptionalInt;

/**
 * A line of a job's output. Use it to follow the output of a job rank by rank. Immutable.
 *
 * <p>{@link #text} is for people; {@link #writeTo} writes what the rank wrote. The lines of a rank, written in order, are its output to
 * the byte. A line longer than 64 KiB comes in pieces, of which only the last ends with a line feed.
 *
 * @see io.clusterwright.mpi.PlacedMpiJob
 */
public final class OutputLine {
    private final OutputListener.Stream stream;
    private final OptionalInt rank;
    private final byte[] bytes;

    /**
     * A line of bytes.
     *
     * @param stream the stream it was written to
     * @param rank the rank that wrote it; empty when the launcher wrote it or did not label it
     * @param bytes the line with its line feed; without line feed for a piece, or where the output does not end with a line feed
     */
    public OutputLine(OutputListener.Stream stream, OptionalInt rank, byte[] bytes) {
        this.stream = Objects.requireNonNull(stream, "stream");
        this.rank = Objects.requireNonNull(rank, "rank");
        this.bytes = bytes.clone();
    }

    /** A line of text, without its line feed. */
    public OutputLine(OutputListener.Stream stream, OptionalInt rank, String text) {
        this(stream, rank, (text + "\n").getBytes(StandardCharsets.UTF_8));
    }

    /** The stream it was written to. */
    public OutputListener.Stream stream() {
        return stream;
    }

    /** The rank that wrote it; empty when the launcher wrote it or did not label it. */
    public OptionalInt rank() {
        return rank;
    }

    /** The line decoded as UTF-8, without its line break; U+FFFD stands for bytes that are not UTF-8. */
    public String text() {
        return Line.text(bytes);
    }

    /** The bytes that were written, with the line feed. */
    public byte[] bytes() {
        return bytes.clone();
    }

    /** The number of bytes, with the line feed. */
    public int length() {
        return bytes.length;
    }

    /** Whether a line feed ended it; false for a piece of a long line, and at the end of an output without one. */
    public boolean ended() {
        return bytes.length > 0 && bytes[bytes.length - 1] == '\n';
    }

    /** Writes the bytes that were written, with the line feed. */
    public void writeTo(OutputStream out) throws IOException {
        out.write(bytes, 0, bytes.length);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof OutputLine line
                && stream == line.stream
                && rank.equals(line.rank)
                && Arrays.equals(bytes, line.bytes);
    }

    @Override
    public int hashCode() {
        return Objects.hash(stream, rank, Arrays.hashCode(bytes));
    }

    /** The rank, where it is known, and the text. */
    @Override
    public String toString() {
        return (rank.isPresent() ? "[" + rank.getAsInt() + "] " : "") + text();
    }
}
