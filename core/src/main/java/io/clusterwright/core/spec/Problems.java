package io.clusterwright.core.spec;

import io.clusterwright.core.type.InvalidValueException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Collects the problems between the values of a part, so that all of them are reported together. */
final class Problems {
    private final List<SpecProblem> problems = new ArrayList<>();

    boolean isEmpty() {
        return problems.isEmpty();
    }

    void add(String path, String message, String remedy) {
        problems.add(SpecProblem.of(path, message, remedy));
    }

    void require(String path, @Nullable Object value, String remedy) {
        if (value == null) {
            problems.add(SpecProblem.missing(path, remedy));
        }
    }

    /** Builds a part; its problems become problems of the whole, and null is returned when there are any. */
    <T> @Nullable T part(String path, Supplier<T> build) {
        try {
            return build.get();
        } catch (InvalidSpecException e) {
            e.problems().forEach(problem -> problems.add(problem.under(path)));
            return null;
        }
    }

    /** Takes a step that fails when the values do not fit. */
    void attempt(String path, Runnable step) {
        try {
            step.run();
        } catch (InvalidValueException e) {
            problems.add(SpecProblem.of(path, e));
        }
    }

    void throwIfAny() {
        if (!problems.isEmpty()) {
            throw new InvalidSpecException(problems);
        }
    }
}
