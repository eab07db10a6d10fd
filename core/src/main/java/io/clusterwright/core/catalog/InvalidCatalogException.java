package io.clusterwright.core.catalog;

import io.clusterwright.core.spec.SpecProblem;
import io.clusterwright.core.type.ClusterwrightException;
import java.util.List;
import java.util.OptionalInt;

/** A file of catalog rows is refused; every reason is given at once, with its line. */
public final class InvalidCatalogException extends ClusterwrightException {
    private static final long serialVersionUID = 1L;
    private static final int SHOWN = 20;

    private final String source;
    private final transient List<SpecProblem> problems;

    InvalidCatalogException(String source, List<SpecProblem> problems) {
        super(describe(source, problems));
        this.source = source;
        this.problems = List.copyOf(problems);
    }

    /** The name of the file. */
    public String source() {
        return source;
    }

    /** Every reason, in the order of the lines; the path of each is the column's name. Never empty. */
    public List<SpecProblem> problems() {
        return problems;
    }

    private static String describe(String source, List<SpecProblem> problems) {
        String count = problems.size() == 1 ? "a problem" : problems.size() + " problems";
        StringBuilder text = new StringBuilder("the catalog has ").append(count);
        problems.stream()
                .limit(SHOWN)
                .forEach(problem -> text.append('\n')
                        .append(source)
                        .append(line(problem.line()))
                        .append(": ")
                        .append(problem.path().isEmpty() ? "" : problem.path() + ": ")
                        .append(problem.message())
                        .append(" (")
                        .append(problem.remedy())
                        .append(')'));
        if (problems.size() > SHOWN) {
            text.append("\nand ").append(problems.size() - SHOWN).append(" more");
        }
        return text.toString();
    }

    private static String line(OptionalInt line) {
        return line.isPresent() ? ":" + line.getAsInt() : "";
    }
}
