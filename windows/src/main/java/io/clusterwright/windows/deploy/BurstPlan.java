package io.clusterwright.windows.deploy;

import io.clusterwright.core.plan.PlanStep;
import io.clusterwright.core.spec.ClusterSpec;
import io.clusterwright.core.spec.SpecProblem;
import io.clusterwright.windows.internal.burst.Burst;
import java.util.List;

/**
 * A burst from a head node to Azure: a list of steps, and a script that takes them. Immutable and safe for use by several threads.
 *
 * <p>The nodes and at least two proxy nodes of their size are billed from the step {@code START} to the step {@code STOP}. Classic cloud
 * services, which worker roles need, are retired, so that Azure no longer carries the script out.
 */
public final class BurstPlan {
    /** The name of the script's file. */
    public static final String FILE_NAME = Burst.FILE_NAME;

    private final Burst burst;

    private BurstPlan(Burst burst) {
        this.burst = burst;
    }

    /**
     * The plan of a spec of scenario {@code burst}.
     *
     * @throws io.clusterwright.core.spec.InvalidSpecException with everything a burst needs and the spec lacks
     */
    public static BurstPlan of(ClusterSpec spec) {
        return new BurstPlan(Burst.of(spec));
    }

    /** The reasons why a spec cannot be carried out by bursting; empty when it can. */
    public static List<SpecProblem> problems(ClusterSpec spec) {
        return Burst.problems(spec);
    }

    /** The steps, in their order. */
    public List<PlanStep> steps() {
        return burst.planSteps();
    }

    /** The script, to be run on the head node by an administrator; its comment lists its parameters. */
    public String script() {
        return burst.script().text();
    }

    /** The script as the bytes of a file. */
    public byte[] scriptBytes() {
        return burst.script().bytes();
    }
}
