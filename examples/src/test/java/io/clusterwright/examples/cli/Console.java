package io.clusterwright.examples.cli;

import java.util.List;

/** What the commands of a test printed so far. */
final class Console {
    private final StringBuilder out = new StringBuilder();
    private final StringBuilder errors = new StringBuilder();

    /** Runs the program to its end and returns its exit status. */
    int run(String... arguments) {
        return run("", List.of(arguments));
    }

    /** Runs the program to its end with this text on standard input, and returns its exit status. */
    int run(String input, List<String> arguments) {
        InThisJvm.Ran ran = InThisJvm.run(input, arguments);
        out.append(ran.stdout());
        errors.append(ran.stderr());
        return ran.status();
    }

    String out() {
        return out.toString();
    }

    String errors() {
        return errors.toString();
    }

    void clear() {
        out.setLength(0);
        errors.setLength(0);
    }
}
