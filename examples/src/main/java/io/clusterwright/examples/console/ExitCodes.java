package io.clusterwright.examples.console;

import io.clusterwright.core.SpecRefusedException;
import io.clusterwright.core.catalog.InvalidCatalogException;
import io.clusterwright.core.spec.InvalidSpecException;
import io.clusterwright.core.type.ClusterwrightException;
import io.clusterwright.core.type.InvalidValueException;
import io.clusterwright.core.type.OperationInterruptedException;
import java.io.PrintWriter;

/** Tells a person what went wrong, and a script by which exit status. */
public final class ExitCodes {
    /** Done, and good. */
    public static final int OK = 0;
    /** The work failed. */
    public static final int FAILED = 1;
    /** The input was refused. */
    public static final int REFUSED = 2;
    /** It worked, and the verdict is bad. */
    public static final int BAD_VERDICT = 3;
    /** It was interrupted, and has cleaned up. */
    public static final int INTERRUPTED = 130;

    private ExitCodes() {}

    /** Prints an error for people, with its stack trace only when asked; the exit status is returned. */
    public static int of(String program, Throwable error, PrintWriter out, boolean verbose) {
        boolean interrupted = Thread.currentThread().isInterrupted();
        if (verbose) {
            error.printStackTrace(out);
        }
        if (interrupted && !(error instanceof OperationInterruptedException)) {
            out.println(program + ": interrupted");
        } else if (error instanceof ClusterwrightException) {
            out.println(program + ": " + error.getMessage());
        } else {
            out.println(program + ": unexpected " + error + (verbose ? "" : "; --verbose shows where"));
        }
        out.flush();
        boolean refused = error instanceof InvalidSpecException
                || error instanceof InvalidCatalogException
                || error instanceof InvalidValueException
                || error instanceof SpecRefusedException
                || error instanceof RefusedException;
        return interrupted ? INTERRUPTED : refused ? REFUSED : FAILED;
    }
}
