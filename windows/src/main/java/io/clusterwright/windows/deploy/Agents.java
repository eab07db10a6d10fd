package io.clusterwright.windows.deploy;

import com.fasterxml.jackson.databind.node.ObjectNode;

/** Writes the extensions of a template: drivers, the domain, and HPC Pack itself. */
final class Agents {
    private static final String SHARED =
            "https://raw.githubusercontent.com/Azure/hpcpack-template/master/HPCPack2019/shared-resources/";
    private static final String PASSWORD = "[parameters('adminPassword')]";
    private static final String DOMAIN_USER = "[concat('%s\\', parameters('adminUsername'))]";
    private static final String TYPE = "Microsoft.Compute/virtualMachines/extensions";

    private final ClusterParts parts;
    private final Machines machines;

    Agents(ClusterParts parts, Machines machines) {
        this.parts = parts;
        this.machines = machines;
    }

    void controller(String machine) {
        ObjectNode promote = extension(machine, "promoteDomainController", "Microsoft.Powershell", "DSC", "2.80");
        ObjectNode settings = properties(promote).putObject("settings");
        configuration(settings, "CreateADPDC");
        settings.putObject("configurationArguments").put("DomainName", domain());
        properties(promote)
                .putObject("protectedSettings")
                .putObject("configurationArguments")
                .putObject("AdminCreds")
                .put("UserName", "[parameters('adminUsername')]")
                .put("Password", PASSWORD);
        machines.depend(promote, machines.dependency(machine));
    }

    void head(String machine) {
        String before = machines.dependency(machine);
        if (parts.rdma(parts.headSize())) {
            machines.depend(
                    extension(
                            machine,
                            "installInfiniBandDriver",
                            "Microsoft.HpcCompute",
                            "InfiniBandDriverWindows",
                            "1.2"),
                    before);
            before = id(machine, "installInfiniBandDriver");
        }
        ObjectNode join = extension(machine, "joinDomain", "Microsoft.Compute", "JsonADDomainExtension", "1.3");
        machines.depend(join, before);
        if (parts.newDomain()) {
            machines.depend(join, id(parts.controllerName(), "promoteDomainController"));
        }
        properties(join)
                .putObject("settings")
                .put("Name", domain())
                .put("OUPath", "")
                .put("User", domainUser())
                .put("NumberOfRetries", "50")
                .put("RetryIntervalInMilliseconds", "10000")
                .put("Restart", "true")
                .put("Options", "3");
        properties(join).putObject("protectedSettings").put("Password", PASSWORD);
        setup(machine);
    }

    private void setup(String machine) {
        ObjectNode setup = extension(machine, "setupHpcHeadNode", "Microsoft.Powershell", "DSC", "2.80");
        machines.depend(setup, id(machine, "joinDomain"));
        String storage = Machines.id("Microsoft.Storage/storageAccounts", Machines.STORAGE_NAME);
        machines.depend(setup, storage);
        ObjectNode settings = properties(setup).putObject("settings");
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
        ObjectNode secret = properties(setup).putObject("protectedSettings").putObject("configurationArguments");
        secret.putObject("SetupUserCredential").put("UserName", domainUser()).put("Password", PASSWORD);
        secret.put(
                "AzureStorageConnString",
                "[concat('DefaultEndpointsProtocol=https;AccountName=', "
                        + Machines.inner(Machines.STORAGE_NAME) + ", ';AccountKey=', listKeys("
                        + Machines.inner(storage)
                        + ", '2023-01-01').keys[0].value)]");
    }

    /** The driver comes first, so that the agent finds the network it is to report. */
    void compute(String machine, int count) {
        String before = machines.dependency(machine);
        if (parts.rdma(parts.nodeSize())) {
            ObjectNode driver = extension(
                    machine,
                    "installInfiniBandDriverWindows",
                    "Microsoft.HpcCompute",
                    "InfiniBandDriverWindows",
                    "1.5");
            Machines.repeat(driver, "drivers", count);
            machines.depend(driver, before);
            before = id(machine, "installInfiniBandDriverWindows");
        }
        ObjectNode agent = extension(machine, "configHpcComputeNode", "Microsoft.HpcPack", "HPCComputeNode", "16.2");
        Machines.repeat(agent, "agents", count);
        machines.depend(agent, before);
        machines.depend(agent, id(parts.headName(), "setupHpcHeadNode"));
        properties(agent)
                .putObject("settings")
                .put("domainName", domain())
                .put("ouPath", "")
                .put("userName", "[parameters('adminUsername')]")
                .put("headNodeList", parts.headName())
                .put("certThumbprint", "[parameters('certificateThumbprint')]")
                .put("nonDomainRole", false);
        properties(agent).putObject("protectedSettings").put("userPassword", PASSWORD);
    }

    void linux(String machine, int count, boolean rdma) {
        String before = machines.dependency(machine);
        if (rdma) {
            ObjectNode driver = extension(
                    machine, "installInfiniBandDriverLinux", "Microsoft.HpcCompute", "InfiniBandDriverLinux", "1.2");
            Machines.repeat(driver, "linuxDrivers", count);
            machines.depend(driver, before);
            before = id(machine, "installInfiniBandDriverLinux");
        }
        ObjectNode agent =
                extension(machine, "installHPCNodeAgent", "Microsoft.HpcPack", "LinuxNodeAgent2016U1", "16.3");
        Machines.repeat(agent, "linuxAgents", count);
        machines.depend(agent, before);
        machines.depend(agent, id(parts.headName(), "setupHpcHeadNode"));
        properties(agent)
                .putObject("settings")
                .put("ClusterConnectionString", parts.headName())
                .put("SSLThumbprint", "[parameters('certificateThumbprint')]")
                .put("DomainName", domain());
        properties(agent).putObject("protectedSettings").put("AuthenticationKey", "[parameters('authenticationKey')]");
    }

    private ObjectNode extension(String machine, String name, String publisher, String type, String version) {
        ObjectNode extension = machines.top(TYPE, Machines.COMPUTE_API, Machines.suffixed(machine, "/" + name));
        extension
                .putObject("properties")
                .put("publisher", publisher)
                .put("type", type)
                .put("typeHandlerVersion", version)
                .put("autoUpgradeMinorVersion", true);
        return extension;
    }

    private static ObjectNode properties(ObjectNode extension) {
        return extension.withObjectProperty("properties");
    }

    private static void configuration(ObjectNode settings, String function) {
        settings.putObject("configuration")
                .put("url", SHARED + function + ".ps1.zip")
                .put("script", function + ".ps1")
                .put("function", function);
    }

    private static String id(String machine, String extension) {
        return "[resourceId('" + TYPE + "', " + Machines.inner(machine) + ", '" + extension + "')]";
    }

    private String domain() {
        return parts.domain().fqdn();
    }

    private String domainUser() {
        return DOMAIN_USER.formatted(domain());
    }
}
