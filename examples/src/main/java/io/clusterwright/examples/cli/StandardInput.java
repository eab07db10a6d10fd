package io.clusterwright.examples.cli;

import io.clusterwright.core.internal.text.Reason;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The input of a command that runs a program elsewhere: a named file, or what is piped to this one. A pipe that is open and silent is not
 * waited for, since a program that started this one may keep it so; what comes later is reported by {@link #reached}.
 */
final class StandardInput {
    private static final Path DESCRIPTOR = Path.of("/proc/self/fd/0");
    private static final Duration FIRST_BYTE = Duration.ofMillis(500);
    private static final String PIPE = "pipe:";

    private final @Nullable Path file;
    private final byte[] content;

    private StandardInput(@Nullable Path file, byte[] content) {
        this.file = file;
        this.content = content;
    }

    /**
     * The input that a command line asks for.
     *
     * @param option a file, {@code -} for all of standard input, or null for what is piped
     */
    static StandardInput of(@Nullable String option) {
        try {
            if (option == null) {
                return piped();
            }
            if (option.equals("-")) {
                return new StandardInput(null, System.in.readAllBytes());
            }
        } catch (IOException e) {
            throw new RefusedException("cannot read standard input: " + Reason.of(e));
        }
        Path path = Path.of(option);
        if (!Files.isReadable(path) || Files.isDirectory(path)) {
            throw new RefusedException("cannot read --stdin " + option + "; - reads standard input");
        }
        return new StandardInput(path, new byte[0]);
    }

    private static StandardInput piped() throws IOException {
        if (isReplaced()) {
            return new StandardInput(null, System.in.readAllBytes());
        }
        String source = source();
        if (source.startsWith("/") && Files.isRegularFile(Path.of(source))) {
            return new StandardInput(null, System.in.readAllBytes());
        }
        return new StandardInput(null, isStream(source) && begins(System.in) ? System.in.readAllBytes() : new byte[0]);
    }

    private static boolean begins(InputStream in) throws IOException {
        long end = System.nanoTime() + FIRST_BYTE.toNanos();
        while (in.available() == 0 && System.nanoTime() < end) {
            try {
                Thread.sleep(10);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return false;
            }
        }
        return in.available() > 0;
    }

    /** Whether there is none. */
    boolean isEmpty() {
        return file == null && content.length == 0;
    }

    /** The named file; null where the input is {@link #bytes()}. */
    @Nullable
    Path file() {
        return file;
    }

    /** The input in memory. */
    byte[] bytes() {
        try {
            return file == null ? content.clone() : Files.readAllBytes(file);
        } catch (IOException e) {
            throw new RefusedException("cannot read " + file + ": " + Reason.of(e));
        }
    }

    /**
     * Whether all that was piped reached the program; says so where some came after its start.
     *
     * @param option as in {@link #of}
     * @param started the program's name for what was started, such as {@code job}
     */
    static boolean reached(@Nullable String option, String started, ProgressPrinter notes) {
        boolean late = option == null && unread();
        if (late) {
            notes.line("standard input came after the start of the " + started
                    + " and did not reach it; --stdin - waits for it");
        }
        return !late;
    }

    private static boolean unread() {
        try {
            return !isReplaced() && isStream(source()) && System.in.available() > 0;
        } catch (IOException e) {
            return false;
        }
    }

    /** Whether code in this JVM has set the input, of which the descriptor knows nothing. */
    private static boolean isReplaced() {
        return !(System.in instanceof BufferedInputStream);
    }

    private static boolean isStream(String source) {
        return source.startsWith(PIPE) || source.startsWith("socket:");
    }

    /** The target of the descriptor, such as {@code pipe:[4711]} or {@code /dev/null}; {@code pipe:} where the system does not say. */
    private static String source() {
        try {
            return Files.readSymbolicLink(DESCRIPTOR).toString();
        } catch (IOException e) {
            return PIPE;
        }
    }
}
