package io.clusterwright.core.catalog;

import io.clusterwright.core.spec.SpecProblem;
import io.clusterwright.core.type.ClusterwrightException;
import java.util.List;

/** A file of catalog rows is refused; every reason is given at once, with its line. */
public final class InvalidCatalogException extends ClusterwrightException {
    private static final long serialVersionUID = 1L;

    private final String source;
    private final transient List<SpecProblem> problems;

    InvalidCatalogException(String source, List<SpecProblem> problems) {
        super(SpecProblem.describe("the catalog", source, problems));
        this.source = source;
        this.problems = List.copyOf(problems);
    }

    /** The name of the file. */
    public String source() {
        return source;
    }

    /** All problems, in the order of the lines; the path of each is the name of its column. Never empty. */
    public List<SpecProblem> problems() {
        return problems;
    }
}
