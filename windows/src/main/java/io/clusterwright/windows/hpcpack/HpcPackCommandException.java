package io.clusterwright.windows.hpcpack;

import io.clusterwright.core.type.ClusterwrightException;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/** A command of HPC Pack failed, could not be started, or did not end in time. */
public final class HpcPackCommandException extends ClusterwrightException {
    private static final long serialVersionUID = 1L;

    private final String command;
    private final @Nullable Integer exitStatus;
    private final String output;

    HpcPackCommandException(
            String message,
            String command,
            @Nullable Integer exitStatus,
            String output,
            @Nullable Throwable cause) {
        super(message, cause);
        this.command = command;
        this.exitStatus = exitStatus;
        this.output = output;
    }

    /** The command, as it was started. */
    public String command() {
        return command;
    }

    /** Its exit status; empty when it did not start or had to be ended. */
    public OptionalInt exitStatus() {
        return exitStatus == null ? OptionalInt.empty() : OptionalInt.of(exitStatus);
    }

    /** Its output and errors. */
    public String output() {
        return output;
    }
}
