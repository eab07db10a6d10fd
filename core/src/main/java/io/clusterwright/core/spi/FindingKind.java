package io.clusterwright.core.spi;

import io.clusterwright.core.plan.Severity;
import io.clusterwright.core.type.InvalidValueException;
import java.util.Objects;
import java.util.regex.Pattern;

/**
 * A kind of finding: the common parts of all findings of one code. Use it for findings that no {@link Rule} reports.
 *
 * @param code stable, such as {@code CW-NET-001}
 * @param severity the weight of each of them
 * @param subject the fact, in general words
 * @param remedy the general remedy, which a finding may replace by its own; never empty
 * @see RuleSet
 */
public record FindingKind(String code, Severity severity, String subject, String remedy) {
    private static final Pattern CODE = Pattern.compile("CW-[A-Z0-9]+-[0-9]{3}");

    /** Checks that the code has its form and that nothing is left out. */
    public FindingKind {
        Objects.requireNonNull(severity, "severity");
        if (!CODE.matcher(code).matches()) {
            throw new InvalidValueException("finding code", code, "CW, a family and three digits", "CW-NET-001");
        }
        if (subject.isBlank() || remedy.isBlank()) {
            throw new InvalidValueException("finding kind " + code, subject, "a subject and a remedy", "CW-NET-001");
        }
    }
}
