package io.clusterwright.core.spec;

import io.clusterwright.core.type.InvalidValueException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Collects why the parts of a description do not make a whole, so that all of it can be said at once. */
final class Problems {
    private final List<SpecProblem> problems = new ArrayList<>();

    void add(String path, String message, String remedy) {
        problems.add(SpecProblem.of(path, message, remedy));
    }

    void add(SpecProblem problem) {
        problems.add(problem);
    }

    void require(String path, @Nullable Object value, String remedy) {
        if (value == null) {
            add(path, path + " is missing", remedy);
        }
    }

    /** Builds a part; its problems become problems of this whole, and null is returned when there are any. */
    <T> @Nullable T part(String path, Supplier<T> build) {
        try {
            return build.get();
        } catch (InvalidSpecException e) {
            e.problems().forEach(problem -> add(problem.under(path)));
            return null;
        }
    }

    /** Takes a step that fails when the parts do not fit. */
    void attempt(String path, Runnable step) {
        try {
            step.run();
        } catch (InvalidValueException e) {
            add(SpecProblem.of(path, e));
        }
    }

    void throwIfAny() {
        if (!problems.isEmpty()) {
            throw new InvalidSpecException(problems);
        }
    }
}
