package io.clusterwright.mpi.internal.output;

import io.clusterwright.core.plan.Severity;
import java.util.List;

/**
 * A failure that is recognised by its text.
 *
 * @param code stable, such as {@code CW-DIAG-101}
 * @param severity ERROR for what makes a run worthless even where its exit status is 0, otherwise WARNING
 * @param texts what it prints, any of them; <code>{name}</code> stands for a word, <code>{name#}</code> for a number, <code>{...}</code>
 *     for anything, and a blank for any white space
 * @param cause what it means; <code>{name}</code> is filled from the text
 * @param remedy what to do about it; filled in the same way
 * @param source where that is known from
 * @param unless what keeps it silent because it is only a consequence: codes, or {@code any}; empty for nothing
 */
public record KnownFailure(
        String code,
        Severity severity,
        List<String> texts,
        String cause,
        String remedy,
        String source,
        List<String> unless) {
    /** Stands in {@link #unless()} for every other failure. */
    public static final String ANY = "any";

    /** Copies the lists. */
    public KnownFailure {
        texts = List.copyOf(texts);
        unless = List.copyOf(unless);
    }
}
