package io.clusterwright.core.internal.spec;

import io.clusterwright.core.spec.SpecProblem;
import io.clusterwright.core.type.InvalidValueException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.yaml.snakeyaml.error.Mark;
import org.yaml.snakeyaml.nodes.Node;

/** Collects the problems of a text while it is read. */
public final class Reading {
    private static final int MOST_PROBLEMS = 100;

    private final List<SpecProblem> problems = new ArrayList<>();

    /** Adds a problem of a node. */
    public void report(Node node, String path, String message, String remedy) {
        add(SpecProblem.of(path, message, remedy), node);
    }

    /** Adds the problem that a node is not of the expected kind. */
    public void reportKind(Node node, String path, String expected, String remedy) {
        report(node, path, "found " + YamlTree.describe(node) + ", expected " + expected, remedy);
    }

    /** The value, or null after its refusal was added. */
    public <V> @Nullable V attempt(Node node, String path, Supplier<V> value) {
        try {
            return value.get();
        } catch (InvalidValueException e) {
            add(SpecProblem.of(path, e), node);
            return null;
        }
    }

    /** Adds a problem at the place of a node. */
    public void add(SpecProblem problem, Node node) {
        Mark mark = node.getStartMark();
        problems.add(mark == null ? problem : problem.at(mark.getLine() + 1, mark.getColumn() + 1));
    }

    /** Adds a problem that has its place. */
    public void add(SpecProblem problem) {
        problems.add(problem);
    }

    /** Whether the limit of problems to report is reached. */
    public boolean isFull() {
        return problems.size() >= MOST_PROBLEMS;
    }

    /** The number of problems so far. */
    public int count() {
        return problems.size();
    }

    /** The problems so far, in the order they were found. */
    public List<SpecProblem> problems() {
        return List.copyOf(problems);
    }
}
