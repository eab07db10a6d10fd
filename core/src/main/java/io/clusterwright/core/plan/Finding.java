package io.clusterwright.core.plan;

import io.clusterwright.core.internal.json.JsonFields;
import io.clusterwright.core.spec.SpecProblem;
import io.clusterwright.core.type.HasJson;
import io.clusterwright.core.type.InvalidValueException;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalInt;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A finding of a rule, a check or a provider: its code, its message and its remedy, for the user. Immutable.
 *
 * <pre>{@code
 * for (Finding finding : Planner.check(spec)) {
 *     if (finding.severity() != Severity.INFO) {
 *         System.out.println(finding.code() + " " + finding.path() + ": " + finding.message());
 *         System.out.println("  do: " + finding.remedy()); // docs/findings.md explains each code
 *     }
 * }
 * }</pre>
 */
public final class Finding implements HasJson {
    private static final Pattern CODE = Pattern.compile("CW-[A-Z0-9]+-[0-9]{3}");

    private final String code;
    private final Severity severity;
    private final SpecProblem fact;

    /**
     * A finding.
     *
     * @param code stable, such as {@code CW-NET-001}; findings are suppressed by it
     * @param severity its weight
     * @param path the field of the spec it is about, such as {@code nodes.count}; empty when it is about none
     * @param message the fact
     * @param remedy the way to resolve it; never empty
     * @throws InvalidValueException when the code has another form, or the message or the remedy is blank
     */
    public Finding(String code, Severity severity, String path, String message, String remedy) {
        this(code, severity, SpecProblem.of(path, message, remedy));
    }

    private Finding(String code, Severity severity, SpecProblem fact) {
        if (!CODE.matcher(Objects.requireNonNull(code, "code")).matches()) {
            throw new InvalidValueException("finding code", code, "CW, a family and three digits", "CW-NET-001");
        }
        if (fact.message().isBlank() || fact.remedy().isBlank()) {
            throw new InvalidValueException("finding " + code, fact.message(), "a message and a remedy", "CW-NET-001");
        }
        this.code = code;
        this.severity = Objects.requireNonNull(severity, "severity");
        this.fact = fact;
    }

    /**
     * Sets the place in the text; line and column count from 1.
     *
     * @throws InvalidValueException when one is below 1
     */
    public Finding at(int inLine, int inColumn) {
        if (inLine < 1 || inColumn < 1) {
            throw new InvalidValueException(
                    "place of a finding", inLine + ":" + inColumn, "numbers of 1 or more", "3:7");
        }
        return new Finding(code, severity, fact.at(inLine, inColumn));
    }

    /** Its stable code, such as {@code CW-NET-001}. */
    public String code() {
        return code;
    }

    /** Its weight. */
    public Severity severity() {
        return severity;
    }

    /** Whether it is an {@link Severity#ERROR}, so that the spec is refused. */
    public boolean isError() {
        return severity == Severity.ERROR;
    }

    /** The field of the spec it is about; empty when it is about none. */
    public String path() {
        return fact.path();
    }

    /** The fact. */
    public String message() {
        return fact.message();
    }

    /** The way to resolve it. */
    public String remedy() {
        return fact.remedy();
    }

    /** The line of the field in the text that was read, from 1; empty where it is not known. */
    public OptionalInt line() {
        return fact.line();
    }

    /** The column of the field in its {@link #line()}, from 1; empty where it is not known. */
    public OptionalInt column() {
        return fact.column();
    }

    @Override
    public Map<String, Object> toMap() {
        return JsonFields.of("code", code)
                .and("severity", severity.name())
                .and("path", path())
                .and("message", message())
                .and("remedy", remedy())
                .and("line", line())
                .and("column", column());
    }

    private List<Object> parts() {
        return List.of(code, severity, fact);
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof Finding finding && parts().equals(finding.parts());
    }

    @Override
    public int hashCode() {
        return parts().hashCode();
    }

    @Override
    public String toString() {
        String where = path().isEmpty() ? "" : path() + ": ";
        return severity + " " + code + " " + where + message() + ": " + remedy();
    }
}
