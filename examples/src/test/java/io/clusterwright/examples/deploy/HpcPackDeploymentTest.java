package io.clusterwright.examples.deploy;

import static org.assertj.core.api.Assertions.assertThat;

import com.azure.resourcemanager.resources.models.Deployment;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.clusterwright.azure.emulator.ArmEmulator;
import io.clusterwright.core.Planner;
import io.clusterwright.core.internal.json.Json;
import io.clusterwright.core.plan.PlannedMachines;
import io.clusterwright.core.plan.RenderedFiles;
import io.clusterwright.core.spec.ClusterSpec;
import io.clusterwright.core.spec.SpecReader;
import io.clusterwright.windows.deploy.HpcPackTemplate;
import java.io.IOException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The template of HPC Pack 2019, rendered from its spec and deployed on the emulator by the SDK. The machines are records: the emulator has no
 * Windows, and checks of the extensions what can be seen from outside.
 */
class HpcPackDeploymentTest {
    private static final String REGION = "westeurope";
    private static final String COMPUTE = "2024-07-01";
    private static final String NETWORK = "2024-05-01";
    private static final String PASSWORD = "Not-2-be-shown!";
    private static final List<String> NODES = List.of("HPCCN-000", "HPCCN-001", "HPCCN-002", "HPCCN-003");

    @TempDir
    private static Path folder = Path.of("");

    private static KeyVault vault;
    private static RenderedFiles rendered;

    @BeforeAll
    static void makeCertificate() throws Exception {
        vault = KeyVault.withNewCertificate(folder);
        rendered = Planner.offline().render(spec());
    }

    private static ClusterSpec spec() {
        return SpecReader.read(Path.of("specs", "windows-resource-manager.yaml"));
    }

    private static ClusterSpec withLinuxNodes() {
        return spec().toBuilder()
                .hpcPack(pack -> pack.linuxNodes(nodes -> nodes.count(2)
                        .size("Standard_HB120rs_v3")
                        .namePattern("LNX-%01%")
                        .image("microsoft-dsvm:ubuntu-hpc:2204:latest")))
                .build();
    }

    private static ArmEmulator.Builder azure() {
        return ArmEmulator.builder().retryAfter(Duration.ofSeconds(1));
    }

    private static String text(RenderedFiles files, String name) {
        return files.find(name).orElseThrow().text();
    }

    /** What the deployer adds to the rendered parameters: that which only the deployer and the vault know. */
    private static ObjectNode parameters(RenderedFiles files, String certificateUrl)
            throws IOException, GeneralSecurityException {
        ObjectNode values = (ObjectNode) Json.MAPPER
                .readTree(text(files, HpcPackTemplate.PARAMETERS_FILE))
                .path("parameters");
        set(values, "adminPassword", PASSWORD);
        set(values, "certificateUrl", certificateUrl);
        set(values, "certificateThumbprint", vault.thumbprint());
        if (text(files, HpcPackTemplate.TEMPLATE_FILE).contains("parameters('authenticationKey')")) {
            set(values, "authenticationKey", "a-key-of-the-agents");
        }
        return values;
    }

    private static void set(ObjectNode values, String name, String value) {
        values.putObject(name).put("value", value);
    }

    private static void succeeds(EmulatedGroup group, ClusterSpec spec) throws Exception {
        RenderedFiles files = Planner.offline().render(spec);
        String url = vault.in(group, REGION, true);
        assertThat(group.outcome(
                        text(files, HpcPackTemplate.TEMPLATE_FILE),
                        parameters(files, url).toString()))
                .contains("\"provisioningState\":\"Succeeded\"");
    }

    private static Deployment deploy(EmulatedGroup group, ClusterSpec spec) throws Exception {
        RenderedFiles files = Planner.offline().render(spec);
        String url = vault.in(group, REGION, true);
        return group.deploy(
                text(files, HpcPackTemplate.TEMPLATE_FILE),
                parameters(files, url).toString());
    }

    private static EmulatedGroup group(ArmEmulator emulator) throws Exception {
        return new EmulatedGroup(emulator, "hpc1-rg", REGION);
    }

    private static JsonNode machine(EmulatedGroup group, String name) throws Exception {
        return group.get("Microsoft.Compute/virtualMachines/" + name, COMPUTE).path("properties");
    }

    private static JsonNode extension(EmulatedGroup group, String machine, String name) throws Exception {
        return group.get("Microsoft.Compute/virtualMachines/" + machine + "/extensions/" + name, COMPUTE)
                .path("properties");
    }

    private static JsonNode nic(EmulatedGroup group, String machine) throws Exception {
        return group.get("Microsoft.Network/networkInterfaces/" + machine + "-nic", NETWORK)
                .path("properties");
    }

    @Test
    void aSpecBecomesAClusterInOneDeployment() throws Exception {
        try (ArmEmulator emulator = azure().start()) {
            EmulatedGroup group = group(emulator);

            Deployment deployment = deploy(group, spec());

            assertThat(deployment.provisioningState())
                    .as("a deployment of Resource Manager")
                    .isEqualTo("Succeeded");
            headAndController(group);
            for (String node : NODES) {
                node(group, node);
            }
            network(group);
            assertThat(group.get("Microsoft.Resources/deployments/hpcpack", "2021-04-01")
                            .toString())
                    .doesNotContain(PASSWORD, "AccountKey=");
        }
    }

    private static void headAndController(EmulatedGroup group) throws Exception {
        JsonNode head = machine(group, "hpc1");
        assertThat(head.at("/hardwareProfile/vmSize").asText()).isEqualTo("Standard_DS4_v2");
        assertThat(head.at("/storageProfile/imageReference/sku").asText()).isEqualTo("2019hn-ws2019");
        assertThat(head.has("availabilitySet")).isFalse();
        assertThat(head.toString()).doesNotContain(PASSWORD);
        assertThat(group.get("Microsoft.Compute/virtualMachines/hpc1", COMPUTE)
                        .at("/tags/KV_CertThumbprint")
                        .asText())
                .isEqualTo(vault.thumbprint());
        JsonNode setup = extension(group, "hpc1", "setupHpcHeadNode");
        assertThat(setup.at("/settings/configuration/function").asText()).isEqualTo("InstallPrimaryHeadNode");
        assertThat(setup.at("/settings/configurationArguments/CNSize").asText()).isEqualTo("Standard_HB120rs_v3");
        assertThat(setup.at("/settings/configurationArguments/SSLThumbprint").asText())
                .isEqualTo(vault.thumbprint());
        assertThat(setup.has("protectedSettings")).isFalse();
        assertThat(extension(group, "hpc1", "joinDomain").at("/settings/Name").asText())
                .isEqualTo("hpc.local");
        assertThat(machine(group, "hpc1dc")
                        .at("/storageProfile/dataDisks/0/lun")
                        .asInt(-1))
                .isZero();
        assertThat(nic(group, "hpc1dc")
                        .at("/ipConfigurations/0/properties/privateIPAddress")
                        .asText())
                .isEqualTo("10.10.15.254");
        // Accepted is all that was checked: the emulator has no Windows to run it.
        assertThat(group.get("Microsoft.Compute/virtualMachines/hpc1/instanceView", COMPUTE)
                        .path("extensions")
                        .toString())
                .contains("the emulator does not run this extension");
    }

    private static void node(EmulatedGroup group, String node) throws Exception {
        JsonNode properties = machine(group, node);
        assertThat(properties.at("/hardwareProfile/vmSize").asText()).isEqualTo("Standard_HB120rs_v3");
        assertThat(properties.at("/availabilitySet/id").asText()).endsWithIgnoringCase("/availabilitySets/hpc1-avset");
        assertThat(properties
                        .at("/osProfile/secrets/0/vaultCertificates/0/certificateStore")
                        .asText())
                .isEqualTo("My");
        assertThat(extension(group, node, "installInfiniBandDriverWindows")
                        .path("provisioningState")
                        .asText())
                .isEqualTo("Succeeded");
        JsonNode agent = extension(group, node, "configHpcComputeNode");
        assertThat(agent.at("/settings/headNodeList").asText()).isEqualTo("hpc1");
        assertThat(agent.at("/settings/certThumbprint").asText()).isEqualTo(vault.thumbprint());
        assertThat(agent.at("/settings/domainName").asText()).isEqualTo("hpc.local");
        JsonNode firewall = extension(group, node, "openFirewall");
        assertThat(firewall.path("provisioningState").asText()).isEqualTo("Succeeded");
        assertThat(firewall.has("protectedSettings")).isFalse();
        JsonNode nic = nic(group, node);
        assertThat(nic.at("/dnsSettings/dnsServers/0").asText()).isEqualTo("10.10.15.254");
        assertThat(nic.at("/ipConfigurations/0/properties/privateIPAddress").asText())
                .startsWith("10.10.0.");
        assertThat(nic.toString()).doesNotContain("publicIPAddress\"", "networkSecurityGroup");
    }

    private static void network(EmulatedGroup group) throws Exception {
        assertThat(group.get("Microsoft.Compute/availabilitySets/hpc1-avset", COMPUTE)
                        .at("/properties/virtualMachines"))
                .hasSize(NODES.size());
        assertThat(nic(group, "hpc1").at("/networkSecurityGroup/id").asText()).endsWith("/hpc1-nsg");
        assertThat(nic(group, "hpc1")
                        .at("/ipConfigurations/0/properties/publicIPAddress/id")
                        .asText())
                .endsWith("/hpc1-ip");
        JsonNode rules = group.get("Microsoft.Network/networkSecurityGroups/hpc1-nsg", NETWORK)
                .at("/properties/securityRules");
        assertThat(rules).hasSize(1);
        assertThat(rules.at("/0/properties/sourceAddressPrefix").asText()).isEqualTo("203.0.113.0/24");
        JsonNode accounts =
                group.get("Microsoft.Storage/storageAccounts", "2023-01-01").path("value");
        assertThat(accounts).hasSize(1);
        assertThat(accounts.at("/0/name").asText()).matches("hpc[a-z0-9]{13}");
    }

    @Test
    void linuxNodesShareAnAvailabilitySetAndGetTheirAgent() throws Exception {
        try (ArmEmulator emulator = azure().start()) {
            EmulatedGroup group = group(emulator);

            succeeds(group, withLinuxNodes());

            assertThat(emulator.resources().stream().filter(id -> id.matches("(?i).*/virtualMachines/[^/]+")))
                    .hasSize(PlannedMachines.of(withLinuxNodes()).stream()
                            .mapToInt(PlannedMachines::count)
                            .sum());
            for (String node : List.of("LNX-01", "LNX-02")) {
                assertThat(machine(group, node).at("/availabilitySet/id").asText())
                        .endsWithIgnoringCase("/availabilitySets/hpc1-linux-avset");
                assertThat(extension(group, node, "installHPCNodeAgent")
                                .at("/settings/ClusterConnectionString")
                                .asText())
                        .isEqualTo("hpc1");
                assertThat(extension(group, node, "installInfiniBandDriverLinux")
                                .path("provisioningState")
                                .asText())
                        .isEqualTo("Succeeded");
            }
        }
    }

    @Test
    void nodesWithoutRdmaHaveNoAvailabilitySetAndNoDriver() throws Exception {
        ClusterSpec plain = spec().toBuilder()
                .nodes(nodes -> nodes.size("Standard_D4s_v5"))
                .extensions(List.of())
                .mpi(mpi -> mpi.preset("ms-mpi/tcp"))
                .network(network -> network.ssh(ssh -> ssh.allowFrom(List.of())))
                .build();
        try (ArmEmulator emulator = azure().start()) {
            EmulatedGroup group = group(emulator);

            succeeds(group, plain);

            assertThat(emulator.resources())
                    .noneMatch(id -> id.contains("/availabilitySets/") || id.contains("InfiniBand"));
            assertThat(group.get("Microsoft.Network/networkSecurityGroups/hpc1-nsg", NETWORK)
                            .at("/properties/securityRules"))
                    .isEmpty();
        }
    }

    @Test
    void theCertificateIsOneThatHpcPackAccepts() {
        assertThat(HpcPackTemplate.certificateProblems(vault.certificate(), Instant.now()))
                .isEmpty();
    }

    private static void refuses(
            String vaultRegion,
            boolean enabled,
            Consumer<ObjectNode> change,
            String search,
            String replacement,
            String message)
            throws Exception {
        String template = text(rendered, HpcPackTemplate.TEMPLATE_FILE);
        assertThat(template).contains(search);
        try (ArmEmulator emulator = azure().start()) {
            EmulatedGroup group = group(emulator);
            ObjectNode values = parameters(rendered, vault.in(group, vaultRegion, enabled));
            change.accept(values);
            assertThat(group.outcome(template.replace(search, replacement), values.toString()))
                    .contains(message);
        }
    }

    @ParameterizedTest
    @CsvSource({
        "westeurope, false, either has not been enabled for deployment or the vault id provided",
        "northeurope, true, is in the location northeurope and the virtual machine in westeurope",
    })
    void theVaultIsInTheRegionAndEnabledForDeployment(String region, boolean enabled, String message) throws Exception {
        refuses(region, enabled, values -> {}, "hpc1", "hpc1", message);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "certificateUrl | https://hpc1-kv.vault.azure.net/secrets/hpcpack-communication/00000000000000000000000000000000 | KeyVaultSecretDoesNotExist",
                "certificateUrl | https://hpc1-kv.vault.azure.net/secrets/hpcpack-communication | is not a valid versioned Key Vault Secret URL",
                "certificateUrl | https://other-kv.vault.azure.net/secrets/hpcpack-communication/00000000000000000000000000000000 | KeyVaultAccessForbidden",
                "keyVaultName | other-kv | KeyVaultAccessForbidden",
                "certificateThumbprint | 0000000000000000000000000000000000000000 | was not found on the machine",
                "adminUsername | administrator | The Admin Username specified is not allowed",
                "adminPassword | short | The supplied password must be between",
            })
    void whatTheDeployerGivesIsChecked(String parameter, String value, String message) throws Exception {
        refuses(REGION, true, values -> set(values, parameter, value), "hpc1", "hpc1", message);
    }

    @Test
    void theNodesNeedAQuota() throws Exception {
        try (ArmEmulator emulator =
                azure().putFamilyLimit("standardHBv3Family", 479).start()) {
            EmulatedGroup group = group(emulator);

            assertThat(group.outcome(
                            text(rendered, HpcPackTemplate.TEMPLATE_FILE),
                            parameters(rendered, vault.in(group, REGION, true)).toString()))
                    .contains("exceeding approved standardHBv3Family Cores quota");
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "SharedResources/Generated => HPCPack2019/shared-resources => Failed to download the configuration archive",
                "\"dataDisks\" => \"tags\" => Could not find member 'tags'",
                "\"HPCComputeNode\" => \"HPCComputeNodes\" => could not be found in the extension repository",
                "\"SSLThumbprint\" => \"SslThumb\" => A parameter cannot be found that matches parameter name 'SslThumb'",
                "\"AdminCreds\" => \"Admin\" => A parameter cannot be found that matches parameter name 'Admin'",
                "2019hn-ws2019 => 2019hn-ws2012 => PlatformImageNotFound",
                "'2023-01-01').keys => '2023-01-32').keys => 2023-01-32",
                "concat('hpc', uniqueString => concat('HPC', uniqueString => is not a valid storage account name",
                "\"dnsServers\": => \"appliedDnsServers\": => Exception(s) occurred while joining Domain 'hpc.local'",
            })
    void aTemplateThatAzureWouldNotCarryOutFails(String row) throws Exception {
        String[] parts = row.split(" => ");
        refuses(REGION, true, values -> {}, parts[0], parts[1], parts[2]);
    }
}
