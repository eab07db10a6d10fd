package io.clusterwright.core.internal.spec;

import io.clusterwright.core.spec.SpecProblem;
import io.clusterwright.core.type.InvalidValueException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Collects what is wrong while a tree is turned into a description. */
public final class Reading {
    private static final int MOST_PROBLEMS = 100;

    private final List<SpecProblem> problems = new ArrayList<>();

    /** Notes a problem of a part. */
    public void report(SourceNode node, String path, String message, String remedy) {
        report(node.at(), path, message, remedy);
    }

    /** Notes a problem at a place. */
    public void report(Location at, String path, String message, String remedy) {
        report(at, SpecProblem.of(at.qualify(path), message, remedy));
    }

    /** Notes that a part is not of the kind it must be. */
    public void reportKind(SourceNode node, String path, String expected, String remedy) {
        report(node, path, "found " + node.found() + " where " + expected + " belongs", remedy);
    }

    /** The value, or null after the refusal of a wrong one was noted. */
    public <V> @Nullable V attempt(SourceNode node, String path, Supplier<V> value) {
        try {
            return value.get();
        } catch (InvalidValueException e) {
            report(node, path, e);
            return null;
        }
    }

    /** Notes that a part was refused by the type of its value. */
    void report(SourceNode node, String path, InvalidValueException refusal) {
        report(node.at(), SpecProblem.of(node.at().qualify(path), refusal));
    }

    /** Whether so much was noted that more would not help whoever mends it. */
    public boolean isFull() {
        return problems.size() >= MOST_PROBLEMS;
    }

    /** How many problems were noted so far. */
    public int count() {
        return problems.size();
    }

    /** Everything noted so far, in the order of the text. */
    public List<SpecProblem> problems() {
        return List.copyOf(problems);
    }

    private void report(Location at, SpecProblem problem) {
        add(problem.at(at.line(), at.column()));
    }

    void add(SpecProblem problem) {
        problems.add(problem);
    }
}
