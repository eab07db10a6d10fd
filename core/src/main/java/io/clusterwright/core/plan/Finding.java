package io.clusterwright.core.plan;

import io.clusterwright.core.type.InvalidValueException;
import java.util.Objects;
import java.util.regex.Pattern;

/**
 * A finding of a rule, a check or a provider.
 *
 * @param code stable, such as {@code CW-NET-001}; findings are suppressed by it
 * @param severity its weight
 * @param path the field of the spec it is about, such as {@code nodes.count}; empty when it is about none
 * @param message the fact
 * @param remedy the way to resolve it; never empty
 */
public record Finding(String code, Severity severity, String path, String message, String remedy) {
    private static final Pattern CODE = Pattern.compile("CW-[A-Z0-9]+-[0-9]{3}");

    /** Checks that the code has its form and that nothing is left out. */
    public Finding {
        if (!CODE.matcher(code).matches()) {
            throw new InvalidValueException("finding code", code, "CW, a family and three digits", "CW-NET-001");
        }
        Objects.requireNonNull(severity, "severity");
        Objects.requireNonNull(path, "path");
        if (message.isBlank() || remedy.isBlank()) {
            throw new InvalidValueException("finding " + code, message, "a message and a remedy", "CW-NET-001");
        }
    }

    @Override
    public String toString() {
        String where = path.isEmpty() ? "" : path + ": ";
        return severity + " " + code + " " + where + message + " (" + remedy + ")";
    }
}
