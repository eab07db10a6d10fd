package io.clusterwright.core.plan;

import java.util.Objects;
import java.util.regex.Pattern;

/**
 * Something a rule, a check or a provider has to say.
 *
 * @param code stable, such as {@code CW-NET-001}; findings are suppressed by it
 * @param severity how much it weighs
 * @param path the field of the spec it is about, such as {@code nodes.count}; empty when it is about none
 * @param message what is the case
 * @param remedy what to do about it; never empty
 */
public record Finding(String code, Severity severity, String path, String message, String remedy) {
    private static final Pattern CODE = Pattern.compile("CW-[A-Z0-9]+-[0-9]{3}");

    /** Checks that the code has its form and that nothing is left out. */
    public Finding {
        if (!CODE.matcher(code).matches()) {
            throw new IllegalArgumentException("finding code " + code + " does not look like CW-FAMILY-001");
        }
        Objects.requireNonNull(severity, "severity");
        Objects.requireNonNull(path, "path");
        if (message.isBlank() || remedy.isBlank()) {
            throw new IllegalArgumentException("finding " + code + " needs a message and a remedy");
        }
    }

    @Override
    public String toString() {
        String where = path.isEmpty() ? "" : path + ": ";
        return severity + " " + code + " " + where + message + " (" + remedy + ")";
    }
}
