package io.clusterwright.examples.cli;

import io.clusterwright.core.CreateFailedException;
import io.clusterwright.core.Planner;
import io.clusterwright.core.SpecRefusedException;
import io.clusterwright.core.internal.json.JsonFields;
import io.clusterwright.core.plan.Finding;
import io.clusterwright.core.spec.InvalidSpecException;
import io.clusterwright.core.type.ClusterwrightException;
import io.clusterwright.core.type.InvalidValueException;
import io.clusterwright.core.type.NodeSet;
import io.clusterwright.core.type.OperationInterruptedException;
import io.clusterwright.mpi.job.JobInterruptedException;
import io.clusterwright.mpi.job.JobResult;
import java.io.PrintWriter;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/** The exit codes, and what maps results and exceptions to them, and exceptions to messages. */
public final class ExitCodes {
    /** Done, and good. */
    public static final int OK = 0;
    /** The work failed. */
    public static final int FAILED = 1;
    /** The input was refused: usage, unreadable file, or an ERROR finding. */
    public static final int REFUSED = 2;
    /** The work was done, and a check or a benchmark did not pass. */
    public static final int BAD_VERDICT = 3;
    /** Interrupted, and cleaned up. */
    public static final int INTERRUPTED = 130;

    private static final AtomicBoolean LEFT = new AtomicBoolean();

    private ExitCodes() {}

    /** The exit code of work that was done: 0 when every check and benchmark passed, 3 when one did not. */
    public static int ofVerdict(boolean passed) {
        return passed ? OK : BAD_VERDICT;
    }

    /** The exit code of work: 0 when it succeeded, 1 when it failed. */
    public static int ofWork(boolean succeeded) {
        return succeeded ? OK : FAILED;
    }

    /** The exit code of deleting: 0 when nothing is left, 1 when something is. */
    public static int ofDeletion(boolean nothingLeft) {
        if (!nothingLeft) {
            LEFT.set(true);
        }
        return ofWork(nothingLeft);
    }

    /** The exit code of a program that was interrupted: 130 when it cleaned up, 1 when it left something. */
    static int ofInterrupt() {
        return LEFT.get() ? FAILED : INTERRUPTED;
    }

    /** The exit code of a spec: 0 when it can be carried out, 2 when an ERROR finding refuses it. */
    public static int ofSpec(boolean valid) {
        return valid ? OK : REFUSED;
    }

    private static String unclean(JobResult result) {
        return NodeSet.fold(result.leftovers().entrySet().stream()
                .filter(node -> !node.getValue().isClean())
                .map(Map.Entry::getKey)
                .toList());
    }

    private static boolean leaves(@Nullable Throwable error) {
        return error instanceof CreateFailedException failed && !failed.left().isEmpty();
    }

    /** Prints an error as a message, with its stack trace where {@code verbose} says so, and returns its exit code. */
    public static int of(String program, Throwable error, PrintWriter out, boolean verbose) {
        boolean interrupted = Thread.currentThread().isInterrupted();
        TerminalOutput.beginLine(false);
        if (verbose) {
            error.printStackTrace(out);
        }
        boolean left = leaves(error) || leaves(error.getCause());
        boolean unclean = left
                || error instanceof JobInterruptedException job && !job.result().isClean();
        if (unclean || !interrupted || !StandardOutput.isLost()) {
            print(program, error, out, verbose, interrupted);
        }
        out.flush();
        boolean refused = error instanceof InvalidSpecException
                || error instanceof InvalidValueException
                || error instanceof SpecRefusedException
                || error instanceof RefusedException;
        if (left) {
            LEFT.set(true);
            return FAILED;
        }
        return interrupted ? INTERRUPTED : refused ? REFUSED : FAILED;
    }

    /** The JSON document of a refusal or failure: findings where the spec is refused, and otherwise the message. */
    static JsonFields document(Throwable error, int status) {
        if (error instanceof InvalidSpecException spec) {
            return JsonFields.of("valid", false)
                    .and("findings", MethodNames.removed(JsonFields.list(Planner.findings(spec), Finding::toMap)));
        }
        if (error instanceof SpecRefusedException spec) {
            return JsonFields.of("valid", false)
                    .and("findings", MethodNames.removed(JsonFields.list(spec.findings(), Finding::toMap)));
        }
        return document(
                error instanceof ClusterwrightException
                        ? MethodNames.removed(String.valueOf(error.getMessage()))
                        : "unexpected " + error,
                status);
    }

    /** The JSON document of a refusal or failure with this message. */
    static JsonFields document(String message, int status) {
        return JsonFields.of("error", message).and("exit", status);
    }

    private static void print(String program, Throwable error, PrintWriter out, boolean verbose, boolean interrupted) {
        if (error instanceof JobInterruptedException job && job.result().isClean()) {
            if (!Interrupts.announced()) {
                out.println(program + ": interrupted; the job was ended");
            }
        } else if (error instanceof JobInterruptedException job) {
            out.println(program + ": interrupted; processes of the job may still run on " + unclean(job.result()));
        } else if (interrupted && !(error instanceof OperationInterruptedException)) {
            out.println(program + ": interrupted");
        } else if (error instanceof ClusterwrightException) {
            String message = MethodNames.removed(String.valueOf(error.getMessage()));
            // Its lines begin with places in a file, as editors read them.
            boolean places = error instanceof InvalidSpecException;
            out.println(program + ": " + (places ? message : ProgressPrinter.indented(message)));
        } else {
            out.println(program + ": unexpected " + error + (verbose ? "" : "; --verbose prints the stack trace"));
        }
    }
}
