package io.clusterwright.core.type;

import java.util.Collections;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * The jar of the program has the classes of our modules, and lost the files that register them. Such a program would
 * run without rules, checks or renderers, so the first call that needs one is refused. Build the jar again, and let
 * the build merge the files in {@code META-INF/services}.
 *
 * @see io.clusterwright.core.Planner
 */
public final class IncompleteJarException extends ClusterwrightException {
    private static final long serialVersionUID = 1L;

    private static final String REMEDY = "merge the files in META-INF/services when you put jars into one: with"
            + " maven-shade-plugin by <transformer"
            + " implementation=\"org.apache.maven.plugins.shade.resource.ServicesResourceTransformer\"/>, with Gradle's"
            + " shadow plugin by mergeServiceFiles(), with maven-assembly-plugin by the containerDescriptorHandler"
            + " metaInf-services";

    private final transient Map<String, SortedSet<String>> missing;

    /**
     * Creates the exception with a message that names modules, classes and the remedy.
     *
     * @param missing the names of the classes, by the artifact that has them
     */
    public IncompleteJarException(Map<String, SortedSet<String>> missing) {
        super("the jar of this program is incomplete: META-INF/services does not register "
                + missing.entrySet().stream()
                        .map(each -> String.join(", ", each.getValue()) + " of " + each.getKey())
                        .collect(Collectors.joining("; "))
                + "; " + REMEDY);
        this.missing = Collections.unmodifiableMap(new TreeMap<>(missing));
    }

    /** The names of the classes that are not registered, by the artifact that has them, such as {@code clusterwright-mpi}. */
    public Map<String, SortedSet<String>> missing() {
        return missing;
    }
}
