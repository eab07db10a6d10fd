package io.clusterwright.core.spi;

import io.clusterwright.core.plan.PlanStep;
import io.clusterwright.core.spec.ClusterSpec;
import java.util.List;

/**
 * Plans clusters that are deployed as a whole, such as by a deployment script, and not machine by machine. Implement
 * it to plan such a deployment.
 *
 * <p>Found through {@link java.util.ServiceLoader}. Stateless and safe for use by several threads. Pure: the same spec and
 * facts always give the same steps, and no network is used.
 *
 * @see Renderer
 */
public interface StepSource {

    /** The steps, in their order; empty where it has no steps for such a spec. */
    List<PlanStep> steps(ClusterSpec spec, Facts facts);
}
