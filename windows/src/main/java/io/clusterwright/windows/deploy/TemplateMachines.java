package io.clusterwright.windows.deploy;

import com.fasterxml.jackson.databind.node.IntNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.clusterwright.core.internal.arm.ArmId;
import io.clusterwright.core.internal.arm.ArmResource;
import io.clusterwright.core.internal.arm.ArmScope;
import io.clusterwright.core.internal.arm.ArmTemplateDocument;
import io.clusterwright.core.internal.arm.ArmTemplateDocument.Loop;
import io.clusterwright.core.internal.arm.ArmText;
import io.clusterwright.core.internal.arm.ComputeResources;
import io.clusterwright.core.internal.arm.NetworkResources;
import io.clusterwright.core.internal.json.Json;
import io.clusterwright.core.plan.PlannedMachines;
import io.clusterwright.core.spec.NodeGroup;
import io.clusterwright.core.type.ImageReference;
import io.clusterwright.core.type.NamePattern;
import java.util.List;
import java.util.Optional;

/** Adds the machines of a template, with their network interfaces; their extensions are added by {@link AgentExtensions}. */
final class TemplateMachines {
    static final String STORAGE = "Microsoft.Storage/storageAccounts";
    static final ArmText STORAGE_NAME = ArmText.expression("concat('hpc', uniqueString(resourceGroup().id))");

    private static final String CONTROLLER_IMAGE = "MicrosoftWindowsServer:WindowsServer:2019-Datacenter:latest";
    private static final int DIRECTORY_GIGABYTES = 32;
    private static final String HEAD_IMAGE = "MicrosoftWindowsServerHPCPack:WindowsServerHPCPack:2019hn-ws%s:latest";
    private static final ArmText ADMIN = ArmText.parameter("adminUsername");
    private static final ArmText PASSWORD = ArmText.parameter("adminPassword");

    private final HpcPackTemplate parts;
    private final ArmTemplateDocument document;
    private final NetworkResources networks;
    private final ComputeResources computing;
    private final AgentExtensions agents;

    TemplateMachines(HpcPackTemplate parts, ArmScope scope, ArmTemplateDocument document) {
        this.parts = parts;
        this.document = document;
        this.networks = new NetworkResources(scope);
        this.computing = new ComputeResources(scope);
        this.agents = new AgentExtensions(parts, scope, document);
    }

    static String securityGroup(HpcPackTemplate parts) {
        return parts.manager().clusterName() + "-nsg";
    }

    void controller() {
        ArmText name = ArmText.plain(parts.controllerName());
        document.add(nic(name).fixed(ArmText.plain(parts.controllerAddress())));
        ArmResource machine = machine(
                name,
                PlannedMachines.CONTROLLER_SIZE.name(),
                ImageReference.of(CONTROLLER_IMAGE),
                windows(false),
                Optional.empty());
        // CreateADPDC waits for a third disk, after the disk of the system and the disk for temporary files, and puts
        // the directory
        // there.
        machine.properties()
                .withObjectProperty("storageProfile")
                .putArray("dataDisks")
                .addObject()
                .put("lun", 0)
                .put("createOption", "Empty")
                .put("caching", "None")
                .put("diskSizeGB", DIRECTORY_GIGABYTES)
                .putObject("managedDisk")
                .put("storageAccountType", "StandardSSD_LRS");
        document.add(machine);
        agents.controller(name);
    }

    void head() {
        ArmText name = ArmText.plain(parts.headName());
        NetworkResources.Interface nic = nic(name).dnsServers(dns()).securityGroup(ArmText.plain(securityGroup(parts)));
        if (parts.publicAddress()) {
            ArmResource open = networks.publicAddress(name.then("-ip"));
            open.properties()
                    .putObject("dnsSettings")
                    .put("domainNameLabel", "[toLower(concat('" + name + "', uniqueString(resourceGroup().id)))]");
            document.add(open);
            nic.publicAddress(name.then("-ip"));
        }
        document.add(nic.dynamic());
        boolean together = parts.availabilitySet() && parts.rdma(parts.headSize());
        ArmResource machine = machine(
                name,
                parts.headSize().name(),
                ImageReference.of(HEAD_IMAGE.formatted(parts.headSystem())),
                windows(true),
                availabilitySet(together));
        machine.tags(Json.object()
                .put("KV_RG", "[parameters('keyVaultResourceGroup')]")
                .put("KV_Name", "[parameters('keyVaultName')]")
                .put("KV_CertUrl", "[parameters('certificateUrl')]")
                .put("KV_CertThumbprint", "[parameters('certificateThumbprint')]"));
        document.add(machine);
        agents.head(name);
    }

    void computeNodes() {
        NodeGroup nodes = parts.spec().nodes();
        ArmText name = counted(nodes.pattern());
        document.add(nic(name).dnsServers(dns()).dynamic(), loop("nics", nodes));
        ArmResource machine = machine(
                name,
                parts.nodeSize().name(),
                parts.nodeImage(),
                windows(true),
                availabilitySet(parts.availabilitySet()));
        if (nodes.spot().enabled()) {
            machine.properties().put("priority", "Spot").put("evictionPolicy", "Deallocate");
        }
        document.add(machine, loop("nodes", nodes));
        agents.compute(name, nodes);
    }

    void linuxNodes(HpcPackTemplate.LinuxPart linux) {
        NodeGroup nodes = linux.nodes();
        ArmText name = counted(nodes.pattern());
        document.add(nic(name).dnsServers(dns()).dynamic(), loop("linuxNics", nodes));
        ObjectNode system =
                Json.object().put("adminUsername", ADMIN.toString()).put("adminPassword", PASSWORD.toString());
        system.putObject("linuxConfiguration").put("disablePasswordAuthentication", false);
        certificate(system, false);
        document.add(
                machine(
                        name,
                        nodes.requireSize().name(),
                        linux.image(),
                        system,
                        parts.linuxAvailabilitySet()
                                ? Optional.of(ArmText.plain(TemplateWriter.linuxAvailabilitySet(parts)))
                                : Optional.empty()),
                loop("linuxNodes", nodes));
        agents.linux(name, nodes, parts.rdma(nodes.requireSize()));
    }

    static Optional<Loop> loop(String name, NodeGroup nodes) {
        return Optional.of(new Loop(name, IntNode.valueOf(nodes.count())));
    }

    /** The name of the node at each place of a loop. */
    private static ArmText counted(NamePattern pattern) {
        String number = pattern.firstIndex() == 0 ? "copyIndex()" : "copyIndex(" + pattern.firstIndex() + ")";
        String text = pattern.digits() > 1 ? "padLeft(" + number + ", " + pattern.digits() + ", '0')" : number;
        return ArmText.join(ArmText.plain(pattern.prefix()), ArmText.expression(text));
    }

    private List<String> dns() {
        if (parts.newDomain()) {
            return List.of(parts.controllerAddress());
        }
        return parts.spec().network().dnsServers().stream()
                .map(Object::toString)
                .toList();
    }

    private NetworkResources.Interface nic(ArmText machine) {
        return networks.networkInterface(
                machine.then("-nic"),
                ArmText.plain(parts.spec().network().name()),
                ArmText.plain(parts.spec().network().subnet().name()));
    }

    private Optional<ArmText> availabilitySet(boolean member) {
        return member ? Optional.of(ArmText.plain(TemplateWriter.availabilitySet(parts))) : Optional.empty();
    }

    private ArmResource machine(
            ArmText name, String size, ImageReference image, ObjectNode system, Optional<ArmText> availabilitySet) {
        ComputeResources.Machine machine = computing.machine(name, name.then("-nic"));
        machine.boots(ArmText.plain(size), ComputeResources.image(image), Json.object())
                .put("caching", "ReadOnly")
                .withObjectProperty("managedDisk")
                .put("storageAccountType", "StandardSSD_LRS");
        machine.system(system).connected(false);
        availabilitySet.ifPresent(machine::inAvailabilitySet);
        ComputeResources.security(machine.build().properties(), false, false);
        return machine.build();
    }

    private static ObjectNode windows(boolean certificate) {
        ObjectNode system = ComputeResources.windows(ADMIN, PASSWORD);
        if (certificate) {
            certificate(system, true);
        }
        return system;
    }

    private static void certificate(ObjectNode system, boolean store) {
        ObjectNode secret = system.putArray("secrets").addObject();
        secret.putObject("sourceVault")
                .put(
                        "id",
                        "[resourceId(parameters('keyVaultResourceGroup'), 'Microsoft.KeyVault/vaults',"
                                + " parameters('keyVaultName'))]");
        ObjectNode certificate = secret.putArray("vaultCertificates").addObject();
        certificate.put("certificateUrl", "[parameters('certificateUrl')]");
        if (store) {
            certificate.put("certificateStore", "My");
        }
    }

    static ArmText id(ArmScope scope, ArmText machine) {
        return scope.id(ArmId.VM, machine);
    }
}
