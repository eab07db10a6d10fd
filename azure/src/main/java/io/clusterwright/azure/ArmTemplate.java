package io.clusterwright.azure;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.clusterwright.azure.internal.template.Parameters;
import io.clusterwright.azure.internal.template.Resources;
import io.clusterwright.azure.internal.template.TemplateJson;
import io.clusterwright.azure.internal.template.TemplateMaker;
import io.clusterwright.core.spi.RenderInput;
import java.util.List;

/**
 * A cluster as a template of Azure Resource Manager, with a file of parameters, deployable by {@code az deployment group create} or any
 * client of {@code Microsoft.Resources/deployments}. Immutable.
 *
 * <p>It makes what {@code AzureMachines} makes, from the same request bodies: the machines start from the description's image and
 * customise themselves through their custom data. No secret is in either file: custom data and protected settings are secure
 * parameters that the deployer gives. Nobody is asked over a network.
 */
public final class ArmTemplate {
    /** The name that the template's file usually has. */
    public static final String TEMPLATE_FILE = "azuredeploy.json";

    /** The name that the file of its parameters usually has. */
    public static final String PARAMETERS_FILE = "azuredeploy.parameters.json";

    public static final String IMAGE = "image";
    public static final String USER = "adminUsername";
    public static final String KEYS = "sshPublicKeys";
    public static final String ALLOWED = "allowSshFrom";
    public static final String CUSTOM_DATA = "customData";

    private static final String SCHEMAS = "https://schema.management.azure.com/schemas/";

    private final String template;
    private final String parameters;
    private final List<String> notes;

    private ArmTemplate(String template, String parameters, List<String> notes) {
        this.template = template;
        this.parameters = parameters;
        this.notes = List.copyOf(notes);
    }

    /**
     * The template of a Linux cluster. The same input always gives the same text.
     *
     * @param input a checked description with the addresses of its nodes
     * @throws IllegalArgumentException when the description is one of a Windows cluster
     */
    public static ArmTemplate of(RenderInput input) {
        return new TemplateMaker(input).make();
    }

    public static ArmTemplate of(
            ObjectNode variables, ObjectNode outputs, Resources resources, Parameters parameters, List<String> notes) {
        ObjectNode template = JsonNodeFactory.instance
                .objectNode()
                .put("$schema", SCHEMAS + "2019-04-01/deploymentTemplate.json#")
                .put("contentVersion", "1.0.0.0");
        template.set("parameters", parameters.definitions());
        template.set("variables", variables);
        template.set("resources", resources.all());
        template.set("outputs", outputs);
        ObjectNode values = JsonNodeFactory.instance
                .objectNode()
                .put("$schema", SCHEMAS + "2019-04-01/deploymentParameters.json#")
                .put("contentVersion", "1.0.0.0");
        values.set("parameters", parameters.values());
        return new ArmTemplate(TemplateJson.text(template), TemplateJson.text(values), notes);
    }

    /** The template, as JSON. */
    public String template() {
        return template;
    }

    /** The values of its parameters that the description knows, as JSON. */
    public String parameters() {
        return parameters;
    }

    /** What the deployer must know, first the command with the parameters that only the deployer can give. */
    public List<String> notes() {
        return notes;
    }
}
