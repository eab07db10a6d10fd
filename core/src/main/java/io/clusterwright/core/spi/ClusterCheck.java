package io.clusterwright.core.spi;

import io.clusterwright.core.CheckReport;
import io.clusterwright.core.Cluster;
import io.clusterwright.core.spec.ClusterSpec;
import java.util.function.Consumer;

/**
 * Proves a property of a running cluster. Implement it to check clusters for something that a site needs, such as a
 * licence server. Found through {@link java.util.ServiceLoader}; {@code create} and {@code verify} run all checks
 * that are present, in ascending {@link #order()}.
 *
 * <pre>{@code
 * @Override
 * public CheckReport run(Cluster cluster, Consumer<String> progress) {
 *     boolean all = cluster.run(Command.of("true")).failures().isEmpty();
 *     return new CheckReport(
 *             name(),
 *             all ? CheckReport.Status.PASSED : CheckReport.Status.FAILED,
 *             all ? "all nodes answer" : "a node does not answer",
 *             List.of(),
 *             List.of());
 * }
 * }</pre>
 */
public interface ClusterCheck {

    /** A short name, such as {@code "memlock"}. */
    String name();

    /** The rank among all checks: 0 to 1000. */
    int order();

    /** Whether the spec asks for this check. */
    boolean wanted(ClusterSpec spec);

    /** Whether a running cluster gets this check. Default: as its spec asks. */
    default boolean wantedOn(Cluster cluster) {
        return wanted(cluster.spec());
    }

    /** Whether creating a cluster runs this check as well, because it takes seconds and without it nothing is proven. */
    boolean partOfCreate();

    /**
     * Whether this is about what an image holds, so that it runs on a cluster of the one machine that tests a new image; unless it passes
     * there, the image is deleted and no node is made. Default: false.
     */
    default boolean provesImage() {
        return false;
    }

    /**
     * Runs the check; a check that could not run says so in its report and is never a pass.
     *
     * @param progress lines to show while it runs
     */
    CheckReport run(Cluster cluster, Consumer<String> progress);
}
