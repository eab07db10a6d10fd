package io.clusterwright.azure.internal.template;

import io.clusterwright.azure.ArmTemplate;
import io.clusterwright.core.plan.RenderedFile;
import io.clusterwright.core.spec.OperatingSystem;
import io.clusterwright.core.spi.RenderInput;
import io.clusterwright.core.spi.Renderer;
import java.util.List;

/** The template of a Linux cluster and its parameters. */
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
        ArmTemplate template = ArmTemplate.of(input);
        RenderedFile values = RenderedFile.text(ArmTemplate.PARAMETERS_FILE, template.parameters());
        for (String note : template.notes()) {
            values = values.withNote(note);
        }
        return List.of(RenderedFile.text(ArmTemplate.TEMPLATE_FILE, template.template()), values);
    }
}
