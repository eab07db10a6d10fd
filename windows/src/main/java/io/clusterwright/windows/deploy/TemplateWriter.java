package io.clusterwright.windows.deploy;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.util.DefaultIndenter;
import com.fasterxml.jackson.core.util.DefaultPrettyPrinter;
import com.fasterxml.jackson.core.util.Separators;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.clusterwright.core.type.ClusterwrightException;
import java.util.List;

/** Writes the template of a cluster and its parameters. */
final class TemplateWriter {
    private static final String SCHEMA = "https://schema.management.azure.com/schemas/2019-04-01/deployment";
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final List<String> HEAD_PORTS = List.of("443", "3389", "9087", "9090", "9091", "9094");
    private static final int FAULT_DOMAINS = 2;
    private static final int UPDATE_DOMAINS = 5;
    private static final int ALLOW_PRIORITY = 1000;

    private final ClusterParts parts;
    private final Machines machines;
    private final ArrayNode resources = JSON.createArrayNode();

    TemplateWriter(ClusterParts parts) {
        this.parts = parts;
        this.machines = new Machines(parts, resources);
    }

    static String availabilitySet(ClusterParts parts) {
        return parts.manager().clusterName() + "-avset";
    }

    String template() {
        ObjectNode template = JSON.createObjectNode();
        template.put("$schema", SCHEMA + "Template.json#");
        template.put("contentVersion", "1.0.0.0");
        template.putObject("metadata")
                .put(
                        "description",
                        "Cluster " + parts.spec().name() + ": HPC Pack 2019 with "
                                + parts.spec().nodes().count() + " compute nodes of " + parts.nodeSize()
                                + ". Its machines are billed.");
        declarations(template.putObject("parameters"));
        network();
        storage();
        if (parts.availabilitySet()) {
            availabilitySet();
        }
        if (parts.newDomain()) {
            machines.controller();
        }
        machines.head();
        machines.computeNodes();
        parts.linux().ifPresent(machines::linuxNodes);
        template.set("resources", resources);
        return text(template);
    }

    String parameters() {
        ObjectNode file = JSON.createObjectNode();
        file.put("$schema", SCHEMA + "Parameters.json#");
        file.put("contentVersion", "1.0.0.0");
        ObjectNode values = file.putObject("parameters");
        value(values, "adminUsername").put("value", parts.spec().login().user().value());
        value(values, "keyVaultName").put("value", parts.manager().certificate().keyVault());
        ArrayNode from = value(values, "allowFrom").putArray("value");
        parts.spec().network().ssh().allowFrom().forEach(range -> from.add(range.toString()));
        return text(file);
    }

    private static ObjectNode value(ObjectNode values, String name) {
        return values.putObject(name);
    }

    private void declarations(ObjectNode parameters) {
        parameter(parameters, "location", "string", "Where everything is made.")
                .put("defaultValue", "[resourceGroup().location]");
        parameter(parameters, "adminUsername", "string", "Administrator of machines and domain.");
        parameter(parameters, "adminPassword", "securestring", "The administrator's password.");
        parameter(
                parameters,
                "keyVaultName",
                "string",
                "The key vault of the certificate; enabled for deployment, in this region.");
        parameter(parameters, "keyVaultResourceGroup", "string", "The resource group of the key vault.")
                .put("defaultValue", "[resourceGroup().name]");
        parameter(
                parameters,
                "certificateUrl",
                "string",
                "The secret of the certificate with its version: " + CommunicationCertificate.REQUIREMENTS);
        parameter(
                        parameters,
                        "certificateThumbprint",
                        "string",
                        "The thumbprint of the certificate, 40 hexadecimal digits.")
                .put("minLength", 40)
                .put("maxLength", 40);
        parameter(
                        parameters,
                        "allowFrom",
                        "array",
                        "The ranges from which the head node can be reached; nobody when it is empty.")
                .putArray("defaultValue");
        if (parts.linux().isPresent()) {
            parameter(
                    parameters,
                    "authenticationKey",
                    "securestring",
                    "The key that Linux node agents show to the head node.");
        }
    }

    private static ObjectNode parameter(ObjectNode parameters, String name, String type, String description) {
        ObjectNode parameter = parameters.putObject(name).put("type", type);
        parameter.putObject("metadata").put("description", description);
        return parameter;
    }

    private void network() {
        var network = parts.spec().network();
        if (!network.existing()) {
            ObjectNode properties =
                    machines.resource("Microsoft.Network/virtualNetworks", Machines.NETWORK_API, network.name());
            properties
                    .putObject("addressSpace")
                    .putArray("addressPrefixes")
                    .add(network.addressSpace().toString());
            ObjectNode subnet = properties
                    .putArray("subnets")
                    .addObject()
                    .put("name", network.subnet().name());
            subnet.putObject("properties")
                    .put("addressPrefix", network.subnet().range().toString());
        }
        ObjectNode rules = machines.resource(
                "Microsoft.Network/networkSecurityGroups", Machines.NETWORK_API, Machines.securityGroup(parts));
        ObjectNode copy = JSON.createObjectNode().put("name", "securityRules");
        copy.put("count", "[length(parameters('allowFrom'))]");
        ObjectNode rule = copy.putObject("input").put("name", "[concat('head-', copyIndex('securityRules'))]");
        ObjectNode allowed = rule.putObject("properties")
                .put("access", "Allow")
                .put("direction", "Inbound")
                .put("priority", "[add(" + ALLOW_PRIORITY + ", copyIndex('securityRules'))]")
                .put("protocol", "Tcp")
                .put("sourceAddressPrefix", "[parameters('allowFrom')[copyIndex('securityRules')]]")
                .put("sourcePortRange", "*")
                .put("destinationAddressPrefix", "*");
        ArrayNode ports = allowed.putArray("destinationPortRanges");
        HEAD_PORTS.forEach(ports::add);
        rules.putArray("copy").add(copy);
    }

    private void storage() {
        ObjectNode account = machines.top("Microsoft.Storage/storageAccounts", "2023-01-01", Machines.STORAGE_NAME);
        account.put("kind", "StorageV2").putObject("sku").put("name", "Standard_LRS");
        account.putObject("properties").put("minimumTlsVersion", "TLS1_2").put("allowBlobPublicAccess", false);
    }

    private void availabilitySet() {
        ObjectNode set =
                machines.top("Microsoft.Compute/availabilitySets", Machines.COMPUTE_API, availabilitySet(parts));
        set.putObject("sku").put("name", "Aligned");
        set.putObject("properties")
                .put("platformFaultDomainCount", FAULT_DOMAINS)
                .put("platformUpdateDomainCount", UPDATE_DOMAINS);
    }

    private static String text(ObjectNode node) {
        DefaultIndenter indent = new DefaultIndenter("  ", "\n");
        Separators separators = Separators.createDefaultInstance()
                .withObjectFieldValueSpacing(Separators.Spacing.AFTER)
                .withArrayEmptySeparator("")
                .withObjectEmptySeparator("");
        DefaultPrettyPrinter printer =
                new DefaultPrettyPrinter(separators).withObjectIndenter(indent).withArrayIndenter(indent);
        try {
            return JSON.writer(printer).writeValueAsString(node) + "\n";
        } catch (JsonProcessingException e) {
            throw new ClusterwrightException("cannot write the template: " + e.getOriginalMessage(), e);
        }
    }
}
