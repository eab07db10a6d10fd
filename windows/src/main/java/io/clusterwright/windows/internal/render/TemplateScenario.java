package io.clusterwright.windows.internal.render;

import io.clusterwright.core.plan.PlanStep;
import io.clusterwright.core.plan.RenderedFile;
import io.clusterwright.core.plan.Step;
import io.clusterwright.core.spec.ClusterSpec;
import io.clusterwright.core.spec.HpcPackSpec;
import io.clusterwright.core.spec.OperatingSystem;
import io.clusterwright.core.spi.Facts;
import io.clusterwright.core.spi.RenderInput;
import io.clusterwright.core.spi.Renderer;
import io.clusterwright.core.spi.StepSource;
import io.clusterwright.core.type.NodeSet;
import io.clusterwright.windows.deploy.HpcPackTemplate;
import java.util.ArrayList;
import java.util.List;

/** The files and the steps of scenario {@code resource-manager}; no steps where the spec lacks what a template needs. */
public final class TemplateScenario implements Renderer, StepSource {

    /** Creates the scenario; it has no state. */
    public TemplateScenario() {}

    @Override
    public String name() {
        return "windows-resource-manager";
    }

    private static boolean isMeant(ClusterSpec spec, Facts facts) {
        return spec.operatingSystem() == OperatingSystem.WINDOWS
                && !facts.local()
                && spec.hpcPack()
                        .filter(pack ->
                                pack.scenario() == HpcPackSpec.Scenario.RESOURCE_MANAGER && !pack.existingHead())
                        .isPresent();
    }

    @Override
    public List<RenderedFile> render(RenderInput input) {
        if (!isMeant(input.spec(), input.facts())) {
            return List.of();
        }
        HpcPackTemplate template = HpcPackTemplate.of(input.spec(), input.facts());
        RenderedFile bicep = RenderedFile.text(HpcPackTemplate.BICEP_FILE, template.bicepParameters());
        for (String note : template.notes()) {
            bicep = bicep.withNote(note);
        }
        return List.of(
                bicep,
                RenderedFile.text(HpcPackTemplate.TEMPLATE_FILE, template.template()),
                RenderedFile.text(HpcPackTemplate.PARAMETERS_FILE, template.parameters()));
    }

    @Override
    public List<PlanStep> steps(ClusterSpec spec, Facts facts) {
        if (!isMeant(spec, facts) || !HpcPackTemplate.problems(spec).isEmpty()) {
            return List.of();
        }
        List<PlanStep> steps = new ArrayList<>(HpcPackTemplate.of(spec, facts).steps());
        String nodes = NodeSet.fold(spec.nodes().names());
        steps.add(new PlanStep(Step.ONLINE, "Set-HpcNodeState -State Online for " + nodes));
        steps.add(new PlanStep(Step.JOBS, "mpipingpong for latency and throughput"));
        steps.add(new PlanStep(Step.OFFLINE, "Set-HpcNodeState -State Offline for " + nodes));
        steps.add(new PlanStep(Step.STOP, "deallocate the machines, so that they are no longer billed"));
        return steps;
    }
}
