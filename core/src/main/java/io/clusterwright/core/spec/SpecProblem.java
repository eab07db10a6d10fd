package io.clusterwright.core.spec;

import io.clusterwright.core.type.InvalidValueException;
import java.util.List;
import java.util.Objects;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/**
 * One reason for the refusal of a spec. Use it to show the field, the reason and the remedy.
 *
 * @see SpecReader
 */
public final class SpecProblem {
    /** The code of a text that cannot be read. */
    public static final String TEXT = "CW-READ-001";
    /** The code of a name that is not known. */
    public static final String NAME = "CW-READ-002";
    /** The code of a value that is missing. */
    public static final String MISSING = "CW-READ-003";
    /** The code of a name that is given twice. */
    public static final String TWICE = "CW-READ-004";
    /** The code of a value that is not allowed. */
    public static final String VALUE = "CW-READ-005";

    private static final int SHOWN = 20;

    private final @Nullable String code;
    private final String path;
    private final String message;
    private final String remedy;
    private final int line;
    private final int column;

    private SpecProblem(@Nullable String code, String path, String message, String remedy, int line, int column) {
        this.code = code;
        this.path = Objects.requireNonNull(path, "path");
        this.message = Objects.requireNonNull(message, "message");
        this.remedy = Objects.requireNonNull(remedy, "remedy");
        this.line = line;
        this.column = column;
    }

    /**
     * A problem that was not read from text.
     *
     * @param path the field, such as {@code nodes.count}; empty for the spec as a whole
     * @param message the fact
     * @param remedy the action that mends it
     */
    public static SpecProblem of(String path, String message, String remedy) {
        return new SpecProblem(null, path, message, remedy, 0, 0);
    }

    /** The problem of a field that must be given; its name is the last part of its path. */
    public static SpecProblem missing(String path, String remedy) {
        String name = path.substring(path.lastIndexOf('.') + 1);
        return of(path, name + " is missing", remedy).withCode(MISSING);
    }

    /** The problem of a field whose value was refused. */
    public static SpecProblem of(String path, InvalidValueException refusal) {
        return of(path, refusal.summary(), refusal.remedy());
    }

    /**
     * Sets the place in a text.
     *
     * @param atLine from 1; 0 when it is not known
     * @param atColumn from 1; 0 when it is not known
     */
    public SpecProblem at(int atLine, int atColumn) {
        return new SpecProblem(code, path, message, remedy, atLine, atColumn);
    }

    /** Sets another {@link #code()}. */
    public SpecProblem withCode(String otherCode) {
        return new SpecProblem(otherCode, path, message, remedy, line, column);
    }

    /** Returns the problem as a problem of a larger spec, with this name before its path. */
    public SpecProblem under(String parent) {
        String joined = parent.isEmpty() || path.isEmpty() ? parent + path : parent + "." + path;
        return new SpecProblem(code, joined, message, remedy, line, column);
    }

    /** Adds an explanation to the message. */
    SpecProblem explained(String explanation) {
        return new SpecProblem(code, path, message + explanation, remedy, line, column);
    }

    /**
     * The text of a refusal: the number of problems, then the first 20 in a line each.
     *
     * @param subject the refused thing, such as {@code the cluster spec}
     * @param source the name of its file; may be empty
     */
    static String describe(String subject, String source, List<SpecProblem> problems) {
        String count = problems.size() == 1 ? "a problem" : problems.size() + " problems";
        StringBuilder text = new StringBuilder(subject).append(" has ").append(count);
        problems.stream()
                .limit(SHOWN)
                .forEach(problem -> text.append('\n')
                        .append(source)
                        .append(source.isEmpty() ? "" : problem.line > 0 ? ":" : ": ")
                        .append(problem));
        if (problems.size() > SHOWN) {
            text.append("\nand ").append(problems.size() - SHOWN).append(" more");
        }
        return text.toString();
    }

    /** The field, such as {@code nodes.count} or {@code image.customize.scripts[0].path}; empty for the whole. */
    public String path() {
        return path;
    }

    /** The fact. */
    public String message() {
        return message;
    }

    /** The remedy. */
    public String remedy() {
        return remedy;
    }

    /** The code of the finding that reports it, such as {@code CW-READ-003}. */
    public String code() {
        return code == null ? path.isEmpty() ? TEXT : VALUE : code;
    }

    /** The line in the text, from 1. */
    public OptionalInt line() {
        return line > 0 ? OptionalInt.of(line) : OptionalInt.empty();
    }

    /** The column in the text, from 1. */
    public OptionalInt column() {
        return column > 0 ? OptionalInt.of(column) : OptionalInt.empty();
    }

    /** Place, field, message and remedy in one line: {@code 4:10: nodes.count: …: …}. */
    @Override
    public String toString() {
        String place = line > 0 ? line + (column > 0 ? ":" + column : "") + ": " : "";
        String field = path.isEmpty() ? "" : path + ": ";
        return place + field + message + ": " + remedy;
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof SpecProblem that && state().equals(that.state());
    }

    @Override
    public int hashCode() {
        return state().hashCode();
    }

    private List<Object> state() {
        return List.of(code(), path, message, remedy, line, column);
    }
}
