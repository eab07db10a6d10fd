package io.clusterwright.core.plan;

import java.util.Objects;
import java.util.OptionalInt;

/**
 * A finding about a text that is read, at its place there.
 *
 * @param finding the finding; of a description that cannot be read always an error
 * @param line from 1; empty when the whole text is meant
 * @param column from 1; empty when the whole text is meant
 */
public record ReadingFinding(Finding finding, OptionalInt line, OptionalInt column) {
    /** Checks that nothing is left out, and that lines and columns count from 1. */
    public ReadingFinding {
        Objects.requireNonNull(finding, "finding");
        if (line.orElse(1) < 1 || column.orElse(1) < 1) {
            throw new IllegalArgumentException("lines and columns count from 1, not " + line + " and " + column);
        }
    }
}
