package io.clusterwright.windows.deploy;

import io.clusterwright.core.plan.Finding;
import io.clusterwright.core.spec.ClusterSpec;
import java.util.List;
import java.util.Objects;

/**
 * The description that a configuration amounts to.
 *
 * @param spec the description
 * @param notSaid what the configuration says and the description does not, or the other way round; empty when both say the same
 */
public record IaasSpec(ClusterSpec spec, List<Finding> notSaid) {
    /** Copies the list. */
    public IaasSpec {
        Objects.requireNonNull(spec, "spec");
        notSaid = List.copyOf(notSaid);
    }
}
