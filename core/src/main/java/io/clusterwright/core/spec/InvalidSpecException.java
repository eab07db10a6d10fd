package io.clusterwright.core.spec;

import io.clusterwright.core.type.ClusterwrightException;
import java.util.List;

/** A description is refused; every reason that could be found is given at once. */
public final class InvalidSpecException extends ClusterwrightException {
    private static final long serialVersionUID = 1L;
    private static final int SHOWN = 20;

    private final String source;
    private final transient List<SpecProblem> problems;

    /** Creates the exception for a description that was not read from a file. */
    public InvalidSpecException(List<SpecProblem> problems) {
        this("", problems);
    }

    /**
     * Creates the exception.
     *
     * @param source the name of the file, or whatever else the description was read from; may be empty
     * @param problems at least one
     */
    public InvalidSpecException(String source, List<SpecProblem> problems) {
        super(describe(source, problems));
        this.source = source;
        this.problems = List.copyOf(problems);
    }

    /** What the description was read from; empty when it was made by builders. */
    public String source() {
        return source;
    }

    /** Every reason, in the order of the text where there is one; never empty. */
    public List<SpecProblem> problems() {
        return problems;
    }

    private static String describe(String source, List<SpecProblem> problems) {
        String count = problems.size() == 1 ? "a problem" : problems.size() + " problems";
        StringBuilder text = new StringBuilder("the cluster spec has ").append(count);
        problems.stream()
                .limit(SHOWN)
                .forEach(problem -> text.append('\n')
                        .append(source)
                        .append(source.isEmpty() ? "" : problem.line().isPresent() ? ":" : ": ")
                        .append(problem));
        if (problems.size() > SHOWN) {
            text.append("\nand ").append(problems.size() - SHOWN).append(" more");
        }
        return text.toString();
    }
}
