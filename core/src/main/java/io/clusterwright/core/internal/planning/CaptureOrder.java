package io.clusterwright.core.internal.planning;

import io.clusterwright.core.internal.planning.PlanData.ImagePlan;
import io.clusterwright.core.plan.Step;
import io.clusterwright.core.spec.ClusterSpec;
import java.util.ArrayList;
import java.util.List;

/** The order of the steps that build an image: stated here only; the plan describes them and {@code ImageBuild} carries them out. */
public final class CaptureOrder {
    private CaptureOrder() {}

    /** The steps, from the updated base to the boot test. */
    public static List<Step> of(ClusterSpec spec, ImagePlan image) {
        List<Step> steps = new ArrayList<>();
        if (buildsUpdatedBase(spec, image)) {
            steps.add(Step.UPDATES);
        }
        steps.addAll(List.of(
                Step.TEMPLATE, Step.CUSTOMIZE, Step.DEPROVISION, Step.GENERALIZE, Step.CAPTURE, Step.BOOT_TEST));
        return steps;
    }

    /** Whether the updated base is kept as a separate image. */
    static boolean keepsUpdatesApart(ClusterSpec spec, ImagePlan image) {
        return ImageRecipe.installsUpdates(spec) && image.updatesApart();
    }

    /** Whether the updated base must be built first. */
    public static boolean buildsUpdatedBase(ClusterSpec spec, ImagePlan image) {
        return keepsUpdatesApart(spec, image) && !image.updatesExist();
    }
}
