package io.clusterwright.linux;

import io.clusterwright.core.type.InvalidValueException;
import io.clusterwright.core.type.MemlockLimit;
import io.clusterwright.core.type.MemlockSubject;
import java.util.Locale;
import java.util.Optional;

/**
 * A line of limits.conf(5) about locked memory, read as pam_limits reads it: type and item in any case, {@code -} for
 * both types, everything after {@code #} left out.
 */
record MemlockLine(String domain, String type, String value) {

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
