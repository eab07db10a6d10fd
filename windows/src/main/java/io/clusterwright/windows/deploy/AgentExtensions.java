package io.clusterwright.windows.deploy;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.clusterwright.core.internal.arm.ApiVersions;
import io.clusterwright.core.internal.arm.ArmId;
import io.clusterwright.core.internal.arm.ArmResource;
import io.clusterwright.core.internal.arm.ArmScope;
import io.clusterwright.core.internal.arm.ArmTemplateDocument;
import io.clusterwright.core.internal.arm.ArmTemplateDocument.Loop;
import io.clusterwright.core.internal.arm.ArmText;
import io.clusterwright.core.internal.arm.ComputeResources;
import io.clusterwright.core.internal.json.Json;
import io.clusterwright.core.spec.HpcPackSpec.FirewallRule;
import io.clusterwright.core.spec.NodeGroup;
import io.clusterwright.windows.CustomScriptExtension;
import io.clusterwright.windows.WindowsImageScript;
import java.util.List;
import java.util.Optional;

/** Adds the extensions of a template: drivers, the domain, and HPC Pack itself. */
final class AgentExtensions {
    private static final String SHARED =
            "https://raw.githubusercontent.com/Azure/hpcpack-template/master/SharedResources/Generated/";
    private static final String PASSWORD = "[parameters('adminPassword')]";
    private static final String DOMAIN_USER = "[concat('%s\\', parameters('adminUsername'))]";

    private final HpcPackTemplate parts;
    private final ArmScope scope;
    private final ArmTemplateDocument document;
    private final ComputeResources computing;

    AgentExtensions(HpcPackTemplate parts, ArmScope scope, ArmTemplateDocument document) {
        this.parts = parts;
        this.scope = scope;
        this.document = document;
        this.computing = new ComputeResources(scope);
    }

    void controller(ArmText machine) {
        ArmResource promote = extension(machine, "promoteDomainController", "Microsoft.Powershell", "DSC", "2.80");
        ObjectNode settings = promote.properties().putObject("settings");
        configuration(settings, "CreateADPDC");
        settings.putObject("configurationArguments").put("DomainName", domain());
        promote.properties()
                .putObject("protectedSettings")
                .putObject("configurationArguments")
                .putObject("AdminCreds")
                .put("UserName", "[parameters('adminUsername')]")
                .put("Password", PASSWORD);
        document.add(promote, TemplateMachines.id(scope, machine));
    }

    void head(ArmText machine) {
        ArmText before = driver(
                machine,
                parts.rdma(parts.headSize()),
                "installInfiniBandDriver",
                "InfiniBandDriverWindows",
                "1.2",
                Optional.empty());
        ArmResource join = extension(machine, "joinDomain", "Microsoft.Compute", "JsonADDomainExtension", "1.3");
        join.properties()
                .putObject("settings")
                .put("Name", domain())
                .put("OUPath", "")
                .put("User", domainUser())
                .put("NumberOfRetries", "50")
                .put("RetryIntervalInMilliseconds", "10000")
                .put("Restart", "true")
                .put("Options", "3");
        join.properties().putObject("protectedSettings").put("Password", PASSWORD);
        if (parts.newDomain()) {
            document.add(join, before, id(ArmText.plain(parts.controllerName()), "promoteDomainController"));
        } else {
            document.add(join, before);
        }
        setup(machine, join.id());
    }

    private void setup(ArmText machine, ArmText joined) {
        ArmResource setup = extension(machine, "setupHpcHeadNode", "Microsoft.Powershell", "DSC", "2.80");
        ArmText storage = scope.id(TemplateMachines.STORAGE, TemplateMachines.STORAGE_NAME);
        ObjectNode settings = setup.properties().putObject("settings");
        configuration(settings, "InstallPrimaryHeadNode");
        settings.putObject("configurationArguments")
                .put("ClusterName", parts.manager().clusterName())
                .put("SSLThumbprint", "[parameters('certificateThumbprint')]")
                .put("CNSize", parts.nodeSize().name())
                .put("SubscriptionId", "[subscription().subscriptionId]")
                .put("VNet", parts.spec().network().name())
                .put("Subnet", parts.spec().network().subnet().name())
                .put("Location", "[parameters('location')]")
                .put("ResourceGroup", "[resourceGroup().name]")
                .put("VaultResourceGroup", "[parameters('keyVaultResourceGroup')]")
                .put("CertificateUrl", "[parameters('certificateUrl')]")
                .put("CNNamePrefix", parts.spec().nodes().pattern().prefix())
                .put("AutoGSUseManagedIdentity", false);
        ObjectNode secret = setup.properties().putObject("protectedSettings").putObject("configurationArguments");
        secret.putObject("SetupUserCredential").put("UserName", domainUser()).put("Password", PASSWORD);
        secret.put(
                "AzureStorageConnString",
                "[concat('DefaultEndpointsProtocol=https;AccountName=', "
                        + TemplateMachines.STORAGE_NAME.operand() + ", ';AccountKey=', listKeys("
                        + storage.operand()
                        + ", '" + ApiVersions.STORAGE + "').keys[0].value)]");
        if (parts.linux().isPresent()) {
            secret.put("LinuxAuthenticationKey", "[parameters('authenticationKey')]");
        }
        document.add(setup, joined, storage);
    }

    /** The driver comes first, so that the agent finds the network it is to report. */
    void compute(ArmText machine, NodeGroup nodes) {
        ArmText before = driver(
                machine,
                parts.rdma(parts.nodeSize()),
                "installInfiniBandDriverWindows",
                "InfiniBandDriverWindows",
                "1.5",
                TemplateMachines.loop("drivers", nodes));
        ArmResource agent = extension(machine, "configHpcComputeNode", "Microsoft.HpcPack", "HPCComputeNode", "16.2");
        agent.properties()
                .putObject("settings")
                .put("domainName", domain())
                .put("ouPath", "")
                .put("userName", "[parameters('adminUsername')]")
                .put("headNodeList", parts.headName())
                .put("certThumbprint", "[parameters('certificateThumbprint')]")
                .put("nonDomainRole", false);
        agent.properties().putObject("protectedSettings").put("userPassword", PASSWORD);
        document.add(
                agent,
                TemplateMachines.loop("agents", nodes),
                before,
                id(ArmText.plain(parts.headName()), "setupHpcHeadNode"));
        openFirewall(machine, nodes, agent.id());
    }

    /** Lets the MPI programs of the spec through the firewall of new nodes, before their first job. */
    private void openFirewall(ArmText machine, NodeGroup nodes, ArmText before) {
        if (parts.programs().isEmpty()) {
            return;
        }
        CustomScriptExtension command = firewall(parts.programs());
        ArmResource open = extension(
                machine,
                "openFirewall",
                CustomScriptExtension.PUBLISHER,
                CustomScriptExtension.TYPE,
                CustomScriptExtension.VERSION);
        open.properties().set("settings", tree(command.settings()));
        open.properties()
                .set("protectedSettings", tree(command.protectedSettings().reveal()));
        document.add(open, TemplateMachines.loop("firewalls", nodes), before);
    }

    /**
     * The extension that opens the firewall of a node for these programs.
     *
     * @throws io.clusterwright.core.type.InvalidValueException when a path names no program on Windows
     */
    static CustomScriptExtension firewall(List<FirewallRule> programs) {
        WindowsImageScript script = WindowsImageScript.create();
        for (FirewallRule rule : programs) {
            script = script.firewall(rule.name(), rule.program());
        }
        return CustomScriptExtension.inline(script.text(), 1);
    }

    private static JsonNode tree(String json) {
        try {
            return Json.MAPPER.readTree(json);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("the settings of an extension are not JSON", e);
        }
    }

    void linux(ArmText machine, NodeGroup nodes, boolean rdma) {
        ArmText before = driver(
                machine,
                rdma,
                "installInfiniBandDriverLinux",
                "InfiniBandDriverLinux",
                "1.2",
                TemplateMachines.loop("linuxDrivers", nodes));
        ArmResource agent =
                extension(machine, "installHPCNodeAgent", "Microsoft.HpcPack", "LinuxNodeAgent2016U1", "16.3");
        agent.properties()
                .putObject("settings")
                .put("ClusterConnectionString", parts.headName())
                .put("SSLThumbprint", "[parameters('certificateThumbprint')]")
                .put("DomainName", domain());
        agent.properties().putObject("protectedSettings").put("AuthenticationKey", "[parameters('authenticationKey')]");
        document.add(
                agent,
                TemplateMachines.loop("linuxAgents", nodes),
                before,
                id(ArmText.plain(parts.headName()), "setupHpcHeadNode"));
    }

    private ArmResource extension(ArmText machine, String name, String publisher, String type, String version) {
        return computing.extension(machine, name, ComputeResources.extensionProperties(publisher, type, version));
    }

    /** Adds the driver of InfiniBand where there is a network for it; the id of what the next extension has to wait for. */
    private ArmText driver(
            ArmText machine, boolean rdma, String name, String type, String version, Optional<Loop> loop) {
        if (!rdma) {
            return TemplateMachines.id(scope, machine);
        }
        ArmResource driver = extension(machine, name, "Microsoft.HpcCompute", type, version);
        document.add(driver, loop, TemplateMachines.id(scope, machine));
        return driver.id();
    }

    private static void configuration(ObjectNode settings, String function) {
        settings.putObject("configuration")
                .put("url", SHARED + function + ".ps1.zip")
                .put("script", function + ".ps1")
                .put("function", function);
    }

    private ArmText id(ArmText machine, String extension) {
        return scope.id(ArmId.VM + "/extensions", machine, ArmText.plain(extension));
    }

    private String domain() {
        return parts.domain().fqdn();
    }

    private String domainUser() {
        return DOMAIN_USER.formatted(domain());
    }
}
