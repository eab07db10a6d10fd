package io.clusterwright.linux;

import io.clusterwright.core.type.InvalidValueException;
import io.clusterwright.core.type.MemlockLimit;
import io.clusterwright.core.type.MemlockSubject;
import io.clusterwright.core.type.UserName;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * Limits of locked memory in the form of limits.conf(5), which pam_limits applies at login.
 *
 * <p>Lines for a group or for {@code *} never reach root, who needs a separate line: {@link Builder#root}. Files of
 * {@code /etc/security/limits.d} are read after {@code limits.conf}, in the order of their names, and win over it:
 * {@link #overriddenBy} lists such lines. Services do not log in and need {@link SystemdLimits}.
 */
public final class LimitsConf {
    /** Where pam_limits reads first. */
    public static final String PATH = "/etc/security/limits.conf";

    private final Map<MemlockSubject, MemlockLimit> limits;

    private LimitsConf(Map<MemlockSubject, MemlockLimit> limits) {
        this.limits = Collections.unmodifiableMap(new LinkedHashMap<>(limits));
    }

    /** Starts without any limit. */
    public static Builder builder() {
        return new Builder();
    }

    /** The limit of each subject, in the order given. */
    public Map<MemlockSubject, MemlockLimit> limits() {
        return limits;
    }

    /** A hard and a soft line for every subject. */
    public String text() {
        return TextLines.append(
                "",
                limits.entrySet().stream()
                        .flatMap(entry -> lines(entry.getKey(), entry.getValue()).stream())
                        .toList());
    }

    /**
     * Sets the limits in an existing file.
     *
     * <p>Where a subject's lines say something else, the first of them is replaced and the others go; a subject without
     * lines is appended. Every other line stays as it is.
     *
     * @param existing the file's content; may be empty
     * @return the new content, which a second edit leaves as it is
     */
    public String edit(String existing) {
        String text = existing;
        for (Map.Entry<MemlockSubject, MemlockLimit> entry : limits.entrySet()) {
            text = edit(text, entry.getKey(), entry.getValue());
        }
        return text;
    }

    /**
     * The lines of a file read later that give one of these subjects another limit.
     *
     * @param laterFile the content of a file of {@code /etc/security/limits.d}
     */
    public List<String> overriddenBy(String laterFile) {
        return TextLines.split(laterFile).stream()
                .map(TextLines::body)
                .filter(body -> limits.entrySet().stream()
                        .anyMatch(entry -> MemlockLine.parse(body).filter(line -> line.isFor(entry.getKey())).stream()
                                .anyMatch(line -> !line.says(entry.getValue()))))
                .toList();
    }

    private static String edit(String text, MemlockSubject subject, MemlockLimit limit) {
        List<String> lines = TextLines.split(text);
        List<MemlockLine> ours = new ArrayList<>();
        lines.forEach(line -> MemlockLine.parse(TextLines.body(line))
                .filter(found -> found.isFor(subject))
                .ifPresent(ours::add));
        if (ours.isEmpty()) {
            return TextLines.append(text, lines(subject, limit));
        }
        if (ours.stream().allMatch(line -> line.says(limit))
                && ours.stream().anyMatch(MemlockLine::setsHard)
                && ours.stream().anyMatch(MemlockLine::setsSoft)) {
            return text;
        }
        String newline = TextLines.newline(text);
        StringBuilder edited = new StringBuilder();
        boolean placed = false;
        for (String line : lines) {
            boolean isOurs = MemlockLine.parse(TextLines.body(line))
                    .filter(found -> found.isFor(subject))
                    .isPresent();
            if (!isOurs) {
                edited.append(line);
            } else if (!placed) {
                edited.append(String.join(newline, lines(subject, limit))).append(TextLines.end(line));
                placed = true;
            }
        }
        return edited.toString();
    }

    private static List<String> lines(MemlockSubject subject, MemlockLimit limit) {
        return List.of(subject + " hard    memlock " + limit, subject + " soft    memlock " + limit);
    }

    /** Collects limits. */
    public static final class Builder {
        private final Map<MemlockSubject, MemlockLimit> limits = new LinkedHashMap<>();

        private Builder() {}

        /**
         * Adds a limit.
         *
         * @throws InvalidValueException when the subject has another one already
         */
        public Builder memlock(MemlockSubject subject, MemlockLimit limit) {
            MemlockLimit other = limits.putIfAbsent(subject, limit);
            if (other != null && !other.equals(limit)) {
                throw new InvalidValueException(
                        "limit of locked memory for " + subject,
                        limit.toString(),
                        "one limit for each subject, and it has " + other,
                        other.toString());
            }
            return this;
        }

        /** Adds a limit for root, whom groups and {@code *} do not reach. */
        public Builder root(MemlockLimit limit) {
            return memlock(new MemlockSubject.User(UserName.ROOT), limit);
        }

        /** The limits collected so far. */
        public LimitsConf build() {
            return new LimitsConf(limits);
        }
    }

    /**
     * A line of limits.conf(5) about locked memory, read as pam_limits reads it: type and item in any case, {@code -} for
     * both types, everything after {@code #} left out.
     */
    private record MemlockLine(String domain, String type, String value) {

        static Optional<MemlockLine> parse(String body) {
            int comment = body.indexOf('#');
            String[] fields =
                    (comment < 0 ? body : body.substring(0, comment)).strip().split("\\s+");
            if (fields.length != 4 || !fields[2].equalsIgnoreCase("memlock")) {
                return Optional.empty();
            }
            String type = fields[1].toLowerCase(Locale.ROOT);
            return type.equals("hard") || type.equals("soft") || type.equals("-")
                    ? Optional.of(new MemlockLine(fields[0], type, fields[3].toLowerCase(Locale.ROOT)))
                    : Optional.empty();
        }

        boolean isFor(MemlockSubject subject) {
            return domain.equals(subject.toString());
        }

        boolean setsHard() {
            return !type.equals("soft");
        }

        boolean setsSoft() {
            return !type.equals("hard");
        }

        boolean says(MemlockLimit limit) {
            try {
                return MemlockLimit.parse(value).equals(limit);
            } catch (InvalidValueException e) {
                return false;
            }
        }
    }
}
