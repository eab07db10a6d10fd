package io.clusterwright.azure;

import io.clusterwright.azure.internal.template.TemplateMaker;
import io.clusterwright.core.spi.RenderInput;
import java.util.List;

/**
 * A cluster as a template of Azure Resource Manager, with a file of parameters, deployable by {@code az deployment group create} or any
 * client of {@code Microsoft.Resources/deployments}. Immutable.
 *
 * <p>It makes what {@code AzureMachines} makes, from the same request bodies: the machines start from the description's image and
 * customise themselves through their custom data. No secret is in either file: custom data and protected settings are secure
 * parameters that the deployer gives. No call is made.
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
     * @throws io.clusterwright.core.type.InvalidValueException when the description is of a Windows cluster
     */
    public static ArmTemplate of(RenderInput input) {
        TemplateMaker.Made made = new TemplateMaker(input).make();
        return new ArmTemplate(made.template(), made.parameters(), made.notes());
    }

    /** The template, as JSON. */
    public String template() {
        return template;
    }

    /** The values of its parameters that the description knows, as JSON. */
    public String parameters() {
        return parameters;
    }

    /** Notes for the deployer, first the command with the parameters that only the deployer can give. */
    public List<String> notes() {
        return notes;
    }
}
