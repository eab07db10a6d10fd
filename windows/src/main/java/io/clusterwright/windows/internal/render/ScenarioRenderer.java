package io.clusterwright.windows.internal.render;

import io.clusterwright.core.plan.RenderedFile;
import io.clusterwright.core.spec.ClusterSpec;
import io.clusterwright.core.spec.HpcPackSpec;
import io.clusterwright.core.spec.OperatingSystem;
import io.clusterwright.core.spi.RenderInput;
import io.clusterwright.core.spi.Renderer;
import io.clusterwright.windows.deploy.BurstPlan;
import io.clusterwright.windows.deploy.DeployCommand;
import io.clusterwright.windows.deploy.HpcPackTemplate;
import io.clusterwright.windows.deploy.IaasConfiguration;
import io.clusterwright.windows.deploy.NodeLifecycle;
import java.util.List;

/** Renders the deployment files of each scenario of HPC Pack. */
public final class ScenarioRenderer implements Renderer {

    /** Creates the renderer; it has no state. */
    public ScenarioRenderer() {}

    @Override
    public String name() {
        return "windows-scenarios";
    }

    @Override
    public List<RenderedFile> render(RenderInput input) {
        ClusterSpec spec = input.spec();
        if (spec.operatingSystem() != OperatingSystem.WINDOWS || input.facts().local()) {
            return List.of();
        }
        return spec.hpcPack().map(pack -> files(pack, input)).orElse(List.of());
    }

    private static List<RenderedFile> files(HpcPackSpec pack, RenderInput input) {
        return switch (pack.scenario()) {
            case IAAS -> iaas(input.spec());
            case BURST -> burst(input.spec());
            case RESOURCE_MANAGER -> resourceManager(HpcPackTemplate.of(input.spec(), input.facts()));
        };
    }

    private static List<RenderedFile> iaas(ClusterSpec spec) {
        String command =
                "# In the folder of the deployment script, in PowerShell as administrator. It asks for the password of "
                        + spec.login().user() + ".\r\n"
                        + DeployCommand.of(
                                ".\\" + IaasConfiguration.FILE_NAME,
                                spec.login().user())
                        + "\r\n";
        return List.of(
                RenderedFile.text(
                                IaasConfiguration.FILE_NAME,
                                IaasConfiguration.of(spec).toXml())
                        .withNote(
                                "the script and classic machines are retired; scenario resource-manager is live today"),
                RenderedFile.text(DeployCommand.FILE_NAME, command),
                RenderedFile.of(NodeLifecycle.FILE_NAME, NodeLifecycle.of(spec).scriptBytes()));
    }

    private static List<RenderedFile> burst(ClusterSpec spec) {
        return List.of(RenderedFile.of(BurstPlan.FILE_NAME, BurstPlan.of(spec).scriptBytes())
                .withNote("needs a node template of Azure nodes, which the wizard makes and "
                        + "Export-HpcNodeTemplate saves; worker roles are retired"));
    }

    private static List<RenderedFile> resourceManager(HpcPackTemplate template) {
        RenderedFile bicep = RenderedFile.text(HpcPackTemplate.BICEP_FILE, template.bicepParameters());
        for (String note : template.notes()) {
            bicep = bicep.withNote(note);
        }
        return List.of(
                bicep,
                RenderedFile.text(HpcPackTemplate.TEMPLATE_FILE, template.template()),
                RenderedFile.text(HpcPackTemplate.PARAMETERS_FILE, template.parameters()));
    }
}
