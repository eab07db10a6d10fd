package io.clusterwright.core;

import io.clusterwright.core.type.ClusterwrightException;
import io.clusterwright.core.type.NodeName;

/**
 * A command that began on a node failed or did not end in time. {@link CommandResult#orThrow()} throws it.
 *
 * <pre>{@code
 * try {
 *     session.run(command).orThrow();
 * } catch (CommandException.Failed failed) {
 *     System.out.println(failed.getMessage()); // node, command, exit status and the last lines of output
 * } catch (CommandException.TimedOut slow) {
 *     System.out.println(slow.getMessage());
 * } catch (NodeUnreachableException lost) { // the command may have run
 *     System.out.println(lost.getMessage());
 * }
 * }</pre>
 *
 * @see NodeSession
 */
public abstract sealed class CommandException extends ClusterwrightException {
    private static final long serialVersionUID = 1L;

    private final transient NodeName node;

    private CommandException(NodeName node, String message) {
        super(message);
        this.node = node;
    }

    /** The node in question. */
    public NodeName node() {
        return node;
    }

    /** A command ended with an exit status other than 0; the message has the node, the command, the status and the last lines. */
    public static final class Failed extends CommandException {
        private static final long serialVersionUID = 1L;

        private final transient CommandResult result;

        /** Creates the exception for a result. */
        public Failed(CommandResult result) {
            super(result.node(), result.toString());
            this.result = result;
        }

        /** The result of the command. */
        public CommandResult result() {
            return result;
        }
    }

    /** A command did not end in time; it has been ended on the node. */
    public static final class TimedOut extends CommandException {
        private static final long serialVersionUID = 1L;

        /** Creates the exception with a complete message. */
        public TimedOut(NodeName node, String message) {
            super(node, message);
        }
    }
}
