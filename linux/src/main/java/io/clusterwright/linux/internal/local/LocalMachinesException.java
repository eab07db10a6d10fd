package io.clusterwright.linux.internal.local;

import com.fasterxml.jackson.core.JsonProcessingException;
import io.clusterwright.core.internal.text.Reason;
import io.clusterwright.core.type.ClusterwrightException;
import io.clusterwright.core.type.NodeName;
import java.nio.file.FileSystemException;
import java.nio.file.Path;
import java.util.List;

/**
 * Something on this machine could not be made, used or removed for a local cluster.
 *
 * <p>The message names the step, the node where there is one, and what the program that did the step said last.
 */
final class LocalMachinesException extends ClusterwrightException {
    private static final long serialVersionUID = 1L;
    private static final String FULL = "No space left on device";

    private LocalMachinesException(String message, List<String> lastLines, String title) {
        super(lastLines.isEmpty() ? message : message + title + String.join(" | ", lastLines));
    }

    /** A step that failed for this reason. */
    static LocalMachinesException of(String step, String reason) {
        return of(step, reason, List.of());
    }

    /** A step that failed for this reason, with the last lines of the program that did it. */
    static LocalMachinesException of(String step, String reason, List<String> lastLines) {
        return new LocalMachinesException("could not " + step + ": " + reason, lastLines, "; last output: ");
    }

    /** A step that failed with this exception. */
    static LocalMachinesException of(String step, Exception cause) {
        LocalMachinesException failure = of(step, reason(cause));
        failure.initCause(cause);
        return failure;
    }

    /** A record that cannot be understood. */
    static LocalMachinesException damaged(Path record, Exception cause, String remedy) {
        // The whole message of the JSON reader has its settings in it.
        String reason = cause instanceof JsonProcessingException json ? json.getOriginalMessage() : Reason.of(cause);
        LocalMachinesException failure = of("read the record " + record, "it is damaged (" + reason + "); " + remedy);
        failure.initCause(cause);
        return failure;
    }

    private static String reason(Exception cause) {
        boolean readable = cause instanceof ClusterwrightException
                || (cause instanceof FileSystemException file && file.getReason() != null);
        String reason = readable ? String.valueOf(cause.getMessage()) : Reason.of(cause);
        return reason.endsWith(FULL) ? reason + "; delete files there and try again" : reason;
    }

    /** Returns the failure as a failure of this node, with the end of the node's log. */
    static LocalMachinesException onNode(NodeName node, LocalMachinesException cause, List<String> log) {
        LocalMachinesException failure =
                new LocalMachinesException("node " + node + ": " + cause.getMessage(), log, "; its log ends: ");
        failure.initCause(cause);
        return failure;
    }
}
