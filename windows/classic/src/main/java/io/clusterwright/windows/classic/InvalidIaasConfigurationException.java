package io.clusterwright.windows.classic;

import io.clusterwright.core.type.ClusterwrightException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A text that is no configuration of the deployment script. Use it to show the place of the error. The message begins
 * with the line and the column.
 *
 * @see IaasConfiguration
 */
public final class InvalidIaasConfigurationException extends ClusterwrightException {
    private static final long serialVersionUID = 1L;

    private final int line;
    private final int column;
    private final @Nullable String repaired;

    /** Creates the exception of a place, from 1, with a repaired text where there is one. */
    public InvalidIaasConfigurationException(String message, int line, int column, @Nullable String repaired) {
        super("line " + line + ", column " + column + ": " + message);
        this.line = line;
        this.column = column;
        this.repaired = repaired;
    }

    /** The line, from 1. */
    public int line() {
        return line;
    }

    /** The column, from 1. */
    public int column() {
        return column;
    }

    /**
     * The repaired text, which can be read; empty where no repair helps. Only what the message names was changed.
     */
    public Optional<String> repaired() {
        return Optional.ofNullable(repaired);
    }
}
