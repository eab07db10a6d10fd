package io.clusterwright.linux.internal.local.host;

import io.clusterwright.core.type.ClusterwrightException;
import io.clusterwright.core.type.NodeName;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Something on this machine could not be made, used or removed for a local cluster.
 *
 * <p>The message names the step, the node where there is one, and what the program that did the step said last.
 */
public final class LocalMachinesException extends ClusterwrightException {
    private static final long serialVersionUID = 1L;

    private final String step;
    private final transient @Nullable NodeName node;
    private final transient List<String> lastLines;

    public LocalMachinesException(String step, String reason, List<String> lastLines, @Nullable Throwable cause) {
        this(null, step, reason, lastLines, cause);
    }

    private LocalMachinesException(
            @Nullable NodeName node, String step, String reason, List<String> lastLines, @Nullable Throwable cause) {
        super(describe(node, step, reason, lastLines));
        if (cause != null) {
            initCause(cause);
        }
        this.step = step;
        this.node = node;
        this.lastLines = List.copyOf(lastLines);
    }

    public static LocalMachinesException of(String step, String reason) {
        return new LocalMachinesException(step, reason, List.of(), null);
    }

    public static LocalMachinesException of(String step, Exception cause) {
        return new LocalMachinesException(step, String.valueOf(cause), List.of(), cause);
    }

    /** The same failure, known to be about this node, with the end of the node's log. */
    public static LocalMachinesException onNode(NodeName node, LocalMachinesException failure, List<String> log) {
        return new LocalMachinesException(node, failure.step, String.valueOf(failure.getMessage()), log, failure);
    }

    /** What was being done, such as {@code "boot"} or {@code "guard the address space"}. */
    public String step() {
        return step;
    }

    /** The node it was done for. */
    public Optional<NodeName> node() {
        return Optional.ofNullable(node);
    }

    /** The last lines of the node's log or of the program that failed; empty when it said nothing. */
    public List<String> lastLines() {
        return lastLines == null ? List.of() : lastLines;
    }

    private static String describe(@Nullable NodeName node, String step, String reason, List<String> lastLines) {
        StringBuilder text = new StringBuilder();
        if (node != null) {
            text.append("node ").append(node).append(": ").append(reason);
        } else {
            text.append("could not ").append(step).append(": ").append(reason);
        }
        if (!lastLines.isEmpty()) {
            text.append(node == null ? "; last output: " : "; its log ends: ").append(String.join(" | ", lastLines));
        }
        return text.toString();
    }
}
