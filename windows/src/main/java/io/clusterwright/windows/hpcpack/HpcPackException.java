package io.clusterwright.windows.hpcpack;

import io.clusterwright.core.type.ClusterwrightException;
import java.util.List;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/**
 * A failed request to a head node, or a failed command of HPC Pack. Catch the subtype for the decision: another
 * login, another id, or another try.
 *
 * <pre>{@code
 * try {
 *     client.jobs().submit(4711);
 * } catch (HpcPackException.NotFound absent) {
 *     System.out.println(absent.getMessage());
 * } catch (HpcPackException.LoginRefused refused) {
 *     System.out.println("the password is wrong or not cached: " + refused.getMessage());
 * } catch (HpcPackException.Unavailable busy) {
 *     System.out.println("try again later: " + busy.getMessage());
 * }
 * }</pre>
 */
public abstract sealed class HpcPackException extends ClusterwrightException {
    private static final long serialVersionUID = 1L;

    private HpcPackException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }

    /**
     * The head node does not accept the login (401), does not allow it this call (403), or holds no valid password of the account that a job
     * is to run as: submit the job with that password, or cache it there.
     */
    public static final class LoginRefused extends HpcPackException {
        private static final long serialVersionUID = 1L;

        /** Creates the exception with a complete message. */
        public LoginRefused(String message) {
            super(message, null);
        }
    }

    /** The head node has no such job, task, node or group. */
    public static final class NotFound extends HpcPackException {
        private static final long serialVersionUID = 1L;

        /** Creates the exception with a complete message. */
        public NotFound(String message) {
            super(message, null);
        }
    }

    /** The head node refused a request, or sent an answer that cannot be understood. */
    public static final class Refused extends HpcPackException {
        private static final long serialVersionUID = 1L;

        /** Creates the exception with a complete message. */
        public Refused(String message) {
            super(message, null);
        }
    }

    /**
     * The head node could not be reached, shows an untrusted certificate, answers that it cannot work, or did not answer or reach a state in
     * time.
     */
    public static final class Unavailable extends HpcPackException {
        private static final long serialVersionUID = 1L;

        /** Creates the exception with a complete message and its cause. */
        public Unavailable(String message, @Nullable Throwable cause) {
            super(message, cause);
        }
    }

    /** This generation of the interface does not have the operation. The message has the commands that do it on the head node. */
    public static final class Unsupported extends HpcPackException {
        private static final long serialVersionUID = 1L;

        private final transient List<String> commands;

        /** Creates the exception with a complete message. */
        public Unsupported(String message, List<String> commands) {
            super(message, null);
            this.commands = List.copyOf(commands);
        }

        /** The lines for PowerShell on the head node that do the same, in their order; empty when no line does the same. */
        public List<String> commands() {
            return commands;
        }
    }

    /** A command of HPC Pack failed, could not be started, or did not end in time. The message has the command and its last output. */
    public static final class CommandFailed extends HpcPackException {
        private static final long serialVersionUID = 1L;

        private final @Nullable Integer exitStatus;

        CommandFailed(String message, @Nullable Integer exitStatus, @Nullable Throwable cause) {
            super(message, cause);
            this.exitStatus = exitStatus;
        }

        /** Its exit status; empty when it did not start or had to be ended. */
        public OptionalInt exitStatus() {
            return exitStatus == null ? OptionalInt.empty() : OptionalInt.of(exitStatus);
        }
    }
}
