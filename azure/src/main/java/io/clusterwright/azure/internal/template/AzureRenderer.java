package io.clusterwright.azure.internal.template;

import io.clusterwright.core.plan.RenderedFile;
import io.clusterwright.core.spec.OperatingSystem;
import io.clusterwright.core.spi.RenderInput;
import io.clusterwright.core.spi.Renderer;
import java.util.List;

/**
 * A Linux cluster as a template of Azure Resource Manager, with the file of its parameters. It makes what {@code AzureMachines} makes, from
 * the same request bodies: the machines start from the spec's image and customise themselves through their custom data. No
 * secret is in either file: custom data and protected settings are secure parameters that the deployer gives.
 */
public final class AzureRenderer implements Renderer {
    /** Creates the renderer; it has no state. */
    public AzureRenderer() {}

    @Override
    public String name() {
        return "azure";
    }

    @Override
    public List<RenderedFile> render(RenderInput input) {
        if (input.spec().operatingSystem() != OperatingSystem.LINUX
                || input.facts().local()) {
            return List.of();
        }
        return new TemplateMaker(input).make();
    }
}
