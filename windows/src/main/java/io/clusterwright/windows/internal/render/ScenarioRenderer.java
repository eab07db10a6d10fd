package io.clusterwright.windows.internal.render;

import io.clusterwright.core.plan.RenderedFile;
import io.clusterwright.core.spec.ClusterSpec;
import io.clusterwright.core.spec.HpcPackSpec;
import io.clusterwright.core.spec.OperatingSystem;
import io.clusterwright.core.spi.RenderInput;
import io.clusterwright.core.spi.Renderer;
import io.clusterwright.windows.deploy.HpcPackTemplate;
import io.clusterwright.windows.deploy.IaasConfiguration;
import io.clusterwright.windows.internal.burst.Burst;
import io.clusterwright.windows.internal.iaas.NodeLifecycle;
import io.clusterwright.windows.internal.quoting.PowerShellQuoting;
import java.util.ArrayList;
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
        List<RenderedFile> files = new ArrayList<>(deployment(spec));
        files.add(RenderedFile.of(
                NodeLifecycle.FILE_NAME, NodeLifecycle.of(spec).script().bytes()));
        return files;
    }

    /** The configuration of the deployment script, and the command that runs it. */
    private static List<RenderedFile> deployment(ClusterSpec spec) {
        String command =
                "# In the folder of the deployment script, in PowerShell as administrator. It asks for the password of "
                        + spec.login().user() + ".\r\n"
                        + ".\\New-HPCIaaSCluster.ps1 -ConfigFile .\\" + IaasConfiguration.FILE_NAME + " -AdminUserName "
                        + word(spec.login().user().value()) + "\r\n";
        return List.of(
                RenderedFile.text(
                                IaasConfiguration.FILE_NAME,
                                IaasConfiguration.of(spec).toXml())
                        .withNote(
                                "the script and classic machines are retired; scenario resource-manager is live today"),
                RenderedFile.text("New-HPCIaaSCluster.ps1.txt", command));
    }

    private static String word(String text) {
        return text.matches("[A-Za-z0-9._:\\\\-]+") ? text : PowerShellQuoting.literal(text);
    }

    /** The file of a new head node brings the node template; that of an existing one has to be made in the wizard. */
    private static List<RenderedFile> burst(ClusterSpec spec) {
        boolean newHead = spec.hpcPack().filter(pack -> !pack.existingHead()).isPresent()
                && IaasConfiguration.problems(spec).isEmpty();
        List<RenderedFile> files = new ArrayList<>(newHead ? deployment(spec) : List.of());
        RenderedFile script =
                RenderedFile.of(Burst.FILE_NAME, Burst.of(spec).script().bytes());
        files.add(
                newHead
                        ? script.withNote("worker roles are retired")
                        : script.withNote("needs a node template of Azure nodes, which the wizard makes and "
                                + "Export-HpcNodeTemplate saves; worker roles are retired"));
        return files;
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
