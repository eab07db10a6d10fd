package io.clusterwright.examples.cli;

import io.clusterwright.core.plan.SpecCheck;
import io.clusterwright.core.spec.ClusterSpec;
import io.clusterwright.core.spec.InvalidSpecException;
import io.clusterwright.core.spec.SpecReader;
import java.nio.file.Path;
import java.util.List;

/** The SPEC of a command: a file, or standard input for {@code -}. */
final class SpecInput {
    /** What the help says of it. */
    static final String HELP = "The description, as YAML or JSON; - reads standard input.";

    private static final String STANDARD_INPUT = "<stdin>";

    private SpecInput() {}

    /**
     * Reads it; paths in a description from standard input start in the current folder.
     *
     * @throws InvalidSpecException with everything that is wrong with it
     */
    static ClusterSpec read(Path spec) {
        return isStandardInput(spec) ? SpecReader.read(System.in, STANDARD_INPUT) : SpecReader.read(spec);
    }

    /** What messages call it. */
    static String name(Path spec) {
        return isStandardInput(spec) ? STANDARD_INPUT : spec.toString();
    }

    /** What every rule finds that needs nobody to be asked. */
    static SpecCheck.Result check(ClusterSpec spec) {
        return new SpecCheck.Result(SpecCheck.offline(spec), List.of());
    }

    private static boolean isStandardInput(Path spec) {
        return spec.toString().equals("-");
    }
}
