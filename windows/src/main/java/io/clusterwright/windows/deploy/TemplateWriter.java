package io.clusterwright.windows.deploy;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import io.clusterwright.core.internal.arm.ArmResource;
import io.clusterwright.core.internal.arm.ArmScope;
import io.clusterwright.core.internal.arm.ArmTemplateDocument;
import io.clusterwright.core.internal.arm.ArmText;
import io.clusterwright.core.internal.arm.ComputeResources;
import io.clusterwright.core.internal.arm.NetworkResources;
import io.clusterwright.core.internal.json.Json;
import java.util.List;
import java.util.Optional;

/** Writes the template of a cluster and its parameters. */
final class TemplateWriter {
    private static final List<String> HEAD_PORTS = List.of("443", "3389", "9087", "9090", "9091", "9094");
    private static final int ALLOW_PRIORITY = 1000;

    private final HpcPackTemplate parts;
    private final ArmScope scope = ArmScope.template();
    private final ArmTemplateDocument document = new ArmTemplateDocument();

    TemplateWriter(HpcPackTemplate parts) {
        this.parts = parts;
    }

    static String availabilitySet(HpcPackTemplate parts) {
        return parts.manager().clusterName() + "-avset";
    }

    static String linuxAvailabilitySet(HpcPackTemplate parts) {
        return parts.manager().clusterName() + "-linux-avset";
    }

    String template() {
        document.describe("Cluster " + parts.spec().name() + ": HPC Pack 2019 with "
                + parts.spec().nodes().count() + " compute nodes of " + parts.nodeSize()
                + ". Its machines are billed.");
        declareParameters();
        network();
        storage();
        if (parts.availabilitySet()) {
            document.add(new ComputeResources(scope)
                    .availabilitySet(ArmText.plain(availabilitySet(parts)), Optional.empty()));
        }
        if (parts.linuxAvailabilitySet()) {
            document.add(new ComputeResources(scope)
                    .availabilitySet(ArmText.plain(linuxAvailabilitySet(parts)), Optional.empty()));
        }
        TemplateMachines machines = new TemplateMachines(parts, scope, document);
        if (parts.newDomain()) {
            machines.controller();
        }
        machines.head();
        machines.computeNodes();
        parts.linux().ifPresent(machines::linuxNodes);
        return document.template();
    }

    String parameters() {
        document.value(
                "adminUsername", TextNode.valueOf(parts.spec().login().user().value()));
        document.value(
                "keyVaultName", TextNode.valueOf(parts.manager().certificate().keyVault()));
        ArrayNode from = Json.array();
        parts.spec().network().ssh().allowFrom().forEach(range -> from.add(range.toString()));
        document.value("allowFrom", from);
        return document.parameters();
    }

    private void declareParameters() {
        document.parameter("location", "string", "Region of all resources.")
                .put("defaultValue", "[resourceGroup().location]");
        document.parameter("adminUsername", "string", "Administrator of machines and domain.");
        document.parameter("adminPassword", "securestring", "The administrator's password.");
        document.parameter(
                "keyVaultName", "string", "The key vault of the certificate; enabled for deployment, in this region.");
        document.parameter("keyVaultResourceGroup", "string", "The resource group of the key vault.")
                .put("defaultValue", "[resourceGroup().name]");
        document.parameter(
                "certificateUrl",
                "string",
                "The secret of the certificate with its version: " + CommunicationCertificate.REQUIREMENTS);
        document.parameter(
                        "certificateThumbprint", "string", "The thumbprint of the certificate, 40 hexadecimal digits.")
                .put("minLength", 40)
                .put("maxLength", 40);
        document.parameter(
                        "allowFrom",
                        "array",
                        "The ranges from which the head node can be reached; from nowhere when it is empty.")
                .putArray("defaultValue");
        if (parts.linux().isPresent()) {
            document.parameter(
                    "authenticationKey", "securestring", "The key that Linux node agents show to the head node.");
        }
    }

    private void network() {
        NetworkResources networks = new NetworkResources(scope);
        var network = parts.spec().network();
        if (!network.existing()) {
            document.add(networks.network(
                    ArmText.plain(network.name()),
                    network.addressSpace().toString(),
                    List.of(),
                    network.subnet().name(),
                    network.subnet().range().toString()));
        }
        String index = "copyIndex('securityRules')";
        ObjectNode rule = NetworkResources.inboundRule(
                ArmText.join(ArmText.plain("head-"), ArmText.expression(index)),
                ArmText.expression("add(" + ALLOW_PRIORITY + ", " + index + ")").json());
        ObjectNode allowed = rule.withObjectProperty("properties")
                .put("sourceAddressPrefix", "[parameters('allowFrom')[" + index + "]]");
        HEAD_PORTS.forEach(allowed.putArray("destinationPortRanges")::add);
        ArmResource group = networks.securityGroup(ArmText.plain(TemplateMachines.securityGroup(parts)));
        group.properties()
                .putArray("copy")
                .addObject()
                .put("name", "securityRules")
                .put("count", "[length(parameters('allowFrom'))]")
                .set("input", rule);
        document.add(group);
    }

    private void storage() {
        ArmResource account = new ArmResource(scope, TemplateMachines.STORAGE, TemplateMachines.STORAGE_NAME);
        account.top().put("kind", "StorageV2").putObject("sku").put("name", "Standard_LRS");
        account.properties().put("minimumTlsVersion", "TLS1_2").put("allowBlobPublicAccess", false);
        document.add(account);
    }
}
