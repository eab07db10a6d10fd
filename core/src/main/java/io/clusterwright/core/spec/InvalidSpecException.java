package io.clusterwright.core.spec;

import io.clusterwright.core.type.ClusterwrightException;
import java.util.List;

/**
 * The refusal of a spec, or of a file of facts such as a catalog, with all its problems. Use it to show every problem
 * with its place in the file.
 *
 * @see SpecReader
 */
public final class InvalidSpecException extends ClusterwrightException {
    private static final long serialVersionUID = 1L;

    private final String source;
    private final transient List<SpecProblem> problems;

    /** Creates the exception for a spec that was not read from a file. */
    public InvalidSpecException(List<SpecProblem> problems) {
        this("", problems);
    }

    /**
     * Creates the exception.
     *
     * @param source the name of the file or of another source; may be empty
     * @param problems at least one
     */
    public InvalidSpecException(String source, List<SpecProblem> problems) {
        this("the cluster spec", source, problems);
    }

    /**
     * Creates the exception for another text that describes something.
     *
     * @param subject the refused thing, such as {@code the catalog}
     * @param source the name of the file or of another source; may be empty
     * @param problems at least one
     */
    public InvalidSpecException(String subject, String source, List<SpecProblem> problems) {
        super(SpecProblem.describe(subject, source, problems));
        this.source = source;
        this.problems = List.copyOf(problems);
    }

    /** The source of the spec; empty when it was made by builders. */
    public String source() {
        return source;
    }

    /** All problems, in the order of the text where there is one; never empty. */
    public List<SpecProblem> problems() {
        return problems;
    }
}
