package io.clusterwright.linux;

import io.clusterwright.core.type.InvalidValueException;
import io.clusterwright.core.type.MemlockLimit;
import io.clusterwright.core.type.MemlockSubject;
import io.clusterwright.core.type.UserName;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * Limits of locked memory in the form of limits.conf(5), which pam_limits applies at login. Use it so that MPI can
 * register memory with an RDMA device.
 *
 * <pre>{@code
 * LimitsConf limits = LimitsConf.none()
 *         .memlock(MemlockSubject.of("@mpi"), MemlockLimit.of("unlimited"))
 *         .root(MemlockLimit.of("unlimited"));
 * FileEditor.edit(file, limits::edit);
 * }</pre>
 *
 * <p>Lines for a group or for {@code *} never reach root, who needs a separate line: {@link #root}. Files of
 * {@code /etc/security/limits.d} are read after {@code limits.conf}, in the order of their names, and win over it:
 * {@link #overriddenBy} lists such lines. A line of a user or a group with {@code -} alone, such as {@code @hpc -}, switches all limits of
 * all files off for its users. Services do not log in and need {@link SystemdLimits}. {@code Memlock} chooses the lines of a node and
 * writes them.
 */
public final class LimitsConf {
    /** The file that pam_limits reads first. */
    public static final String PATH = "/etc/security/limits.conf";

    private final Map<MemlockSubject, MemlockLimit> limits;

    private LimitsConf(Map<MemlockSubject, MemlockLimit> limits) {
        this.limits = Collections.unmodifiableMap(limits);
    }

    /** A file without any limit. */
    public static LimitsConf none() {
        return new LimitsConf(Map.of());
    }

    /**
     * Adds a limit.
     *
     * @throws InvalidValueException when the subject has another one already
     */
    public LimitsConf memlock(MemlockSubject subject, MemlockLimit limit) {
        Map<MemlockSubject, MemlockLimit> more = new LinkedHashMap<>(limits);
        MemlockLimit other = more.putIfAbsent(subject, limit);
        if (other != null && !other.equals(limit)) {
            throw InvalidValueException.of(
                    subject + " would get two limits of locked memory: " + other + " and " + limit,
                    "give one limit for " + subject);
        }
        return new LimitsConf(more);
    }

    /** Adds a limit for root; groups and {@code *} do not include root. */
    public LimitsConf root(MemlockLimit limit) {
        return memlock(new MemlockSubject.User(UserName.ROOT), limit);
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
     * lines is appended. A line that switches the limits of the subject off is one of them. Every other line stays as it is.
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
     * The lines of a file read later that give one of these subjects another limit, or switch its limits off.
     *
     * @param laterFile the content of a file of {@code /etc/security/limits.d}
     */
    public List<String> overriddenBy(String laterFile) {
        return TextLines.split(laterFile).stream()
                .filter(line -> limits.entrySet().stream()
                        .anyMatch(entry -> of(entry.getKey(), line)
                                .filter(other -> !other.sets(entry.getValue()))
                                .isPresent()))
                .map(TextLines::body)
                .toList();
    }

    private static String edit(String text, MemlockSubject subject, MemlockLimit limit) {
        List<String> lines = TextLines.split(text);
        List<MemlockLine> ours =
                lines.stream().flatMap(line -> of(subject, line).stream()).toList();
        if (ours.isEmpty()) {
            return TextLines.append(text, lines(subject, limit));
        }
        if (ours.stream().allMatch(line -> line.sets(limit))
                && ours.stream().anyMatch(MemlockLine::setsHard)
                && ours.stream().anyMatch(MemlockLine::setsSoft)) {
            return text;
        }
        StringBuilder edited = new StringBuilder();
        boolean placed = false;
        for (String line : lines) {
            if (of(subject, line).isEmpty()) {
                edited.append(line);
            } else if (!placed) {
                edited.append(String.join(TextLines.newline(text), lines(subject, limit)))
                        .append(TextLines.end(line));
                placed = true;
            }
        }
        return edited.toString();
    }

    /** The line, if it is about locked memory of this subject. */
    private static Optional<MemlockLine> of(MemlockSubject subject, String line) {
        return MemlockLine.parse(TextLines.body(line)).filter(found -> found.domain.equals(subject.toString()));
    }

    private static List<String> lines(MemlockSubject subject, MemlockLimit limit) {
        return List.of(subject + " hard    memlock " + limit, subject + " soft    memlock " + limit);
    }

    /**
     * A line of limits.conf(5) about locked memory, read as pam_limits reads it: type and item in any case, {@code -} for
     * both types, everything after {@code #} and after the fourth field left out. A line that switches all limits off has no value.
     */
    private record MemlockLine(String domain, String type, String value) {

        static Optional<MemlockLine> parse(String body) {
            int comment = body.indexOf('#');
            String[] fields =
                    (comment < 0 ? body : body.substring(0, comment)).strip().split("\\s+");
            if (fields.length == 2 && fields[1].startsWith("-") && !fields[0].equals("*")) {
                return Optional.of(new MemlockLine(fields[0], "-", ""));
            }
            if (fields.length < 4 || !fields[2].equalsIgnoreCase("memlock")) {
                return Optional.empty();
            }
            String type = fields[1].toLowerCase(Locale.ROOT);
            return type.equals("hard") || type.equals("soft") || type.equals("-")
                    ? Optional.of(new MemlockLine(fields[0], type, fields[3].toLowerCase(Locale.ROOT)))
                    : Optional.empty();
        }

        boolean setsHard() {
            return !type.equals("soft");
        }

        boolean setsSoft() {
            return !type.equals("hard");
        }

        boolean sets(MemlockLimit limit) {
            try {
                return MemlockLimit.of(value).equals(limit);
            } catch (InvalidValueException e) {
                return false;
            }
        }
    }
}
