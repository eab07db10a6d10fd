package io.clusterwright.windows.deploy;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.clusterwright.core.spec.NodeGroup;
import io.clusterwright.core.type.ImageReference;
import io.clusterwright.core.type.NamePattern;
import java.util.ArrayList;
import java.util.List;

/** Writes the machines of a template, with their network interfaces; what runs on them is for {@link Agents}. */
final class Machines {
    static final String NETWORK_API = "2023-11-01";
    static final String COMPUTE_API = "2024-03-01";
    static final String STORAGE_NAME = "[concat('hpc', uniqueString(resourceGroup().id))]";

    private static final String CONTROLLER_SIZE = "Standard_D2_v3";
    private static final String CONTROLLER_IMAGE = "MicrosoftWindowsServer:WindowsServer:2019-Datacenter:latest";
    private static final String HEAD_IMAGE = "MicrosoftWindowsServerHPCPack:WindowsServerHPCPack:2019hn-ws%s:latest";
    private static final String VM = "Microsoft.Compute/virtualMachines";
    private static final String NIC = "Microsoft.Network/networkInterfaces";

    private final ClusterParts parts;
    private final ArrayNode resources;
    private final Agents agents;

    Machines(ClusterParts parts, ArrayNode resources) {
        this.parts = parts;
        this.resources = resources;
        this.agents = new Agents(parts, this);
    }

    static String securityGroup(ClusterParts parts) {
        return parts.manager().clusterName() + "-nsg";
    }

    void controller() {
        String name = parts.controllerName();
        ObjectNode address = nic(name, List.of());
        address.put("privateIPAllocationMethod", "Static").put("privateIPAddress", parts.controllerAddress());
        ObjectNode properties = machine(name, CONTROLLER_SIZE, ImageReference.parse(CONTROLLER_IMAGE), null);
        windows(properties, name, false);
        agents.controller(name);
    }

    void head() {
        String name = parts.headName();
        ObjectNode address = nic(name, dns());
        if (parts.publicAddress()) {
            ObjectNode open = top("Microsoft.Network/publicIPAddresses", NETWORK_API, name + "-ip");
            open.putObject("sku").put("name", "Standard");
            ObjectNode properties = open.putObject("properties").put("publicIPAllocationMethod", "Static");
            properties
                    .putObject("dnsSettings")
                    .put("domainNameLabel", "[toLower(concat('" + name + "', uniqueString(resourceGroup().id)))]");
            address.putObject("publicIPAddress").put("id", id("Microsoft.Network/publicIPAddresses", name + "-ip"));
            depend(nicOf(name), id("Microsoft.Network/publicIPAddresses", name + "-ip"));
        }
        boolean together = parts.availabilitySet() && parts.rdma(parts.headSize());
        ObjectNode properties = machine(
                name,
                parts.headSize().name(),
                ImageReference.parse(HEAD_IMAGE.formatted(parts.headSystem())),
                together ? TemplateWriter.availabilitySet(parts) : null);
        windows(properties, name, true);
        ObjectNode tags = find(VM, name).putObject("tags");
        tags.put("KV_RG", "[parameters('keyVaultResourceGroup')]")
                .put("KV_Name", "[parameters('keyVaultName')]")
                .put("KV_CertUrl", "[parameters('certificateUrl')]")
                .put("KV_CertThumbprint", "[parameters('certificateThumbprint')]");
        agents.head(name);
    }

    void computeNodes() {
        NodeGroup nodes = parts.spec().nodes();
        String name = counted(nodes.pattern());
        nic(name, dns());
        repeat(nicOf(name), "nics", nodes.count());
        ObjectNode properties = machine(
                name,
                parts.nodeSize().name(),
                parts.nodeImage(),
                parts.availabilitySet() ? TemplateWriter.availabilitySet(parts) : null);
        windows(properties, name, true);
        if (nodes.spot().enabled()) {
            properties.put("priority", "Spot").put("evictionPolicy", "Deallocate");
        }
        repeat(find(VM, name), "nodes", nodes.count());
        agents.compute(name, nodes.count());
    }

    void linuxNodes(ClusterParts.LinuxPart linux) {
        String name = counted(linux.nodes().pattern());
        nic(name, dns());
        repeat(nicOf(name), "linuxNics", linux.nodes().count());
        ObjectNode properties = machine(name, linux.nodes().size().orElseThrow().name(), linux.image(), null);
        ObjectNode system = properties.putObject("osProfile").put("computerName", name);
        admin(system);
        system.putObject("linuxConfiguration").put("disablePasswordAuthentication", false);
        certificate(system, false);
        repeat(find(VM, name), "linuxNodes", linux.nodes().count());
        agents.linux(
                name, linux.nodes().count(), parts.rdma(linux.nodes().size().orElseThrow()));
    }

    /** A resource whose properties are all there is to say. */
    ObjectNode resource(String type, String api, String name) {
        return top(type, api, name).putObject("properties");
    }

    /** A resource without properties yet. */
    ObjectNode top(String type, String api, String name) {
        return resources
                .addObject()
                .put("type", type)
                .put("apiVersion", api)
                .put("name", name)
                .put("location", "[parameters('location')]");
    }

    /** An expression for the name of the node at each place of a loop. */
    static String counted(NamePattern pattern) {
        String number = pattern.firstIndex() == 0 ? "copyIndex()" : "copyIndex(" + pattern.firstIndex() + ")";
        String text = pattern.digits() > 1 ? "padLeft(" + number + ", " + pattern.digits() + ", '0')" : number;
        return "[concat('" + pattern.prefix() + "', " + text + ")]";
    }

    /** An expression, with brackets, for the id of a resource whose name may be an expression itself. */
    static String id(String type, String name) {
        return "[resourceId('" + type + "', " + inner(name) + ")]";
    }

    /** A name as part of an expression. */
    static String inner(String name) {
        return name.startsWith("[") ? name.substring(1, name.length() - 1) : "'" + name + "'";
    }

    static String suffixed(String name, String suffix) {
        return name.startsWith("[") ? "[concat(" + inner(name) + ", '" + suffix + "')]" : name + suffix;
    }

    void depend(ObjectNode resource, String on) {
        resource.withArrayProperty("dependsOn").add(on);
    }

    static void repeat(ObjectNode resource, String loop, int count) {
        resource.putObject("copy").put("name", loop).put("count", count);
    }

    String dependency(String name) {
        return id(VM, name);
    }

    private List<String> dns() {
        if (parts.newDomain()) {
            return List.of(parts.controllerAddress());
        }
        List<String> servers = new ArrayList<>();
        parts.spec().network().dnsServers().forEach(server -> servers.add(server.toString()));
        return servers;
    }

    /** A network interface; gives what is said of its address. */
    private ObjectNode nic(String machine, List<String> dns) {
        ObjectNode nic = top(NIC, NETWORK_API, suffixed(machine, "-nic"));
        ObjectNode properties = nic.putObject("properties");
        if (!dns.isEmpty()) {
            ArrayNode servers = properties.putObject("dnsSettings").putArray("dnsServers");
            dns.forEach(servers::add);
        }
        if (machine.equals(parts.headName())) {
            properties
                    .putObject("networkSecurityGroup")
                    .put("id", id("Microsoft.Network/networkSecurityGroups", securityGroup(parts)));
            depend(nic, id("Microsoft.Network/networkSecurityGroups", securityGroup(parts)));
        }
        ObjectNode address = properties
                .putArray("ipConfigurations")
                .addObject()
                .put("name", "IPConfig")
                .putObject("properties");
        String network = parts.spec().network().name();
        address.put("privateIPAllocationMethod", "Dynamic")
                .putObject("subnet")
                .put(
                        "id",
                        "[resourceId('Microsoft.Network/virtualNetworks/subnets', '" + network + "', '"
                                + parts.spec().network().subnet().name() + "')]");
        if (!parts.spec().network().existing()) {
            depend(nic, id("Microsoft.Network/virtualNetworks", network));
        }
        return address;
    }

    private ObjectNode nicOf(String machine) {
        return find(NIC, suffixed(machine, "-nic"));
    }

    private ObjectNode find(String type, String name) {
        for (var resource : resources) {
            if (resource.path("type").asText().equals(type)
                    && resource.path("name").asText().equals(name)) {
                return (ObjectNode) resource;
            }
        }
        throw new IllegalStateException("there is no " + type + " " + name);
    }

    private ObjectNode machine(
            String name, String size, ImageReference image, @org.jspecify.annotations.Nullable String availabilitySet) {
        ObjectNode machine = top(VM, COMPUTE_API, name);
        depend(machine, id(NIC, suffixed(name, "-nic")));
        ObjectNode properties = machine.putObject("properties");
        if (availabilitySet != null) {
            String set = id("Microsoft.Compute/availabilitySets", availabilitySet);
            properties.putObject("availabilitySet").put("id", set);
            depend(machine, set);
        }
        properties.putObject("hardwareProfile").put("vmSize", size);
        ObjectNode storage = properties.putObject("storageProfile");
        image(storage.putObject("imageReference"), image);
        storage.putObject("osDisk")
                .put("createOption", "FromImage")
                .put("caching", "ReadOnly")
                .putObject("managedDisk")
                .put("storageAccountType", "StandardSSD_LRS");
        properties
                .putObject("networkProfile")
                .putArray("networkInterfaces")
                .addObject()
                .put("id", id(NIC, suffixed(name, "-nic")));
        return properties;
    }

    private static void image(ObjectNode reference, ImageReference image) {
        if (image instanceof ImageReference.Marketplace marketplace) {
            reference
                    .put("publisher", marketplace.publisher())
                    .put("offer", marketplace.offer())
                    .put("sku", marketplace.sku())
                    .put("version", marketplace.version());
        } else {
            reference.put("id", image.toString());
        }
    }

    private void windows(ObjectNode properties, String name, boolean certificate) {
        ObjectNode system = properties.putObject("osProfile").put("computerName", name);
        admin(system);
        system.putObject("windowsConfiguration").put("enableAutomaticUpdates", false);
        if (certificate) {
            certificate(system, true);
        }
    }

    private static void admin(ObjectNode system) {
        system.put("adminUsername", "[parameters('adminUsername')]")
                .put("adminPassword", "[parameters('adminPassword')]");
    }

    private static void certificate(ObjectNode system, boolean store) {
        ObjectNode secret = system.putArray("secrets").addObject();
        secret.putObject("sourceVault")
                .put(
                        "id",
                        "[resourceId(parameters('keyVaultResourceGroup'), 'Microsoft.KeyVault/vaults', parameters('keyVaultName'))]");
        ObjectNode certificate = secret.putArray("vaultCertificates").addObject();
        certificate.put("certificateUrl", "[parameters('certificateUrl')]");
        if (store) {
            certificate.put("certificateStore", "My");
        }
    }
}
