package io.clusterwright.core.spi;

import io.clusterwright.core.plan.Severity;
import java.util.Objects;
import java.util.regex.Pattern;

/**
 * A kind of finding: what all findings of one code have in common.
 *
 * @param code stable, such as {@code CW-NET-001}
 * @param severity how much each of them weighs
 * @param subject what is the case, in general words
 * @param remedy what to do about it, unless the finding itself knows better; never empty
 */
public record FindingKind(String code, Severity severity, String subject, String remedy) {
    private static final Pattern CODE = Pattern.compile("CW-[A-Z0-9]+-[0-9]{3}");

    /** Checks that the code has its form and that nothing is left out. */
    public FindingKind {
        Objects.requireNonNull(severity, "severity");
        if (!CODE.matcher(code).matches()) {
            throw new IllegalArgumentException("finding code " + code + " does not look like CW-FAMILY-001");
        }
        if (subject.isBlank() || remedy.isBlank()) {
            throw new IllegalArgumentException("finding code " + code + " needs a subject and a remedy");
        }
    }
}
