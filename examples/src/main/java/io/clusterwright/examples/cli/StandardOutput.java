package io.clusterwright.examples.cli;

import io.clusterwright.core.internal.text.Reason;
import java.io.BufferedOutputStream;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.Charset;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Standard output of the program. {@link PrintStream} forgets what could not be written: here the first such failure ends the work, as Ctrl-C
 * does, and the program with exit status 1, or 2 where the input was refused. Where the reader of a pipe has gone, as in {@code | head}, that needs no message.
 */
final class StandardOutput extends FilterOutputStream {
    private static final int BUFFER = 8192;
    /** Of a file system, or of what this user may keep there. */
    private static final Pattern FULL =
            Pattern.compile("No space left on device|Disk quota exceeded|not enough space on the disk");

    private static volatile @Nullable StandardOutput installed;

    private final boolean silent;
    private final Runnable ending;
    private volatile @Nullable IOException failure;

    StandardOutput(OutputStream out, boolean silent, Runnable ending) {
        super(out);
        this.silent = silent;
        this.ending = ending;
    }

    /** Puts it between the program and its standard output. */
    static void install(Charset charset) {
        StandardOutput output = new StandardOutput(
                new FileOutputStream(FileDescriptor.out),
                TerminalOutput.target(1).startsWith("pipe:"),
                Interrupts::endWork);
        installed = output;
        System.setOut(new PrintStream(new BufferedOutputStream(output, BUFFER), true, charset));
    }

    /** Whether something could not be written. */
    static boolean isLost() {
        return installed != null && installed.failure != null;
    }

    /** The exit status of the program once all its output is written, or could not be written. */
    static int status(int ofWork) {
        System.out.flush();
        StandardOutput output = installed;
        return output == null ? ofWork : output.status(ofWork, System.err);
    }

    int status(int ofWork, PrintStream errors) {
        IOException known = failure;
        if (known == null) {
            return ofWork;
        }
        if (!silent) {
            String reason = Reason.of(known);
            TerminalOutput.beginLine(false);
            errors.println("standard output could not be written: " + reason
                    + (FULL.matcher(reason).find() ? "; make room for it, or" : ";") + " write it to another file");
        }
        return ofWork == ExitCodes.REFUSED ? ofWork : ExitCodes.FAILED;
    }

    @Override
    public void write(byte[] bytes, int offset, int length) throws IOException {
        try {
            out.write(bytes, offset, length);
        } catch (IOException e) {
            if (failure == null) {
                failure = e;
                ending.run();
            }
            throw e;
        }
    }
}
