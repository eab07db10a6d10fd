package io.clusterwright.azure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.azure.core.management.exception.ManagementError;
import com.azure.core.management.exception.ManagementException;
import com.azure.resourcemanager.resources.ResourceManager;
import com.azure.resourcemanager.resources.models.Deployment;
import com.azure.resourcemanager.resources.models.DeploymentMode;
import com.azure.resourcemanager.resources.models.DeploymentOperation;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.clusterwright.azure.emulator.ArmClient;
import io.clusterwright.azure.emulator.ArmEmulator;
import io.clusterwright.azure.emulator.Fault;
import io.clusterwright.core.Planner;
import io.clusterwright.core.plan.RenderedFiles;
import io.clusterwright.core.spec.ClusterSpec;
import io.clusterwright.core.spec.NetworkSpec.SshAccess;
import io.clusterwright.core.spec.Placement;
import io.clusterwright.core.spec.SpecReader;
import io.clusterwright.core.spi.MachineProvider.MachineOutcome;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Rendered templates, deployed by the SDK's own client of deployments. */
class TemplateDeploymentTest {
    private static final List<String> CHANGING = List.of(
            "etag",
            "resourceGuid",
            "vmId",
            "timeCreated",
            "ipAddress",
            "version",
            "exactVersion",
            "uniqueId",
            "publicKeys");

    /** With this machine among the callers, which the provider lets in where Resource Manager is on it. */
    private static ClusterSpec article() {
        return SpecReader.read(Path.of("..", "examples", "specs", "quickstart.yaml")).toBuilder()
                .network(n -> n.ssh(ssh -> ssh.external(SshAccess.External.ALL)
                        .portPrefix(101)
                        .addAllowFrom("203.0.113.0/24")
                        .addAllowFrom("127.0.0.1/32")))
                .build();
    }

    private static ClusterSpec full() {
        return SpecReader.read(Path.of("src", "test", "resources", "template", "full.yaml"));
    }

    private static TestAzure azure() {
        return new TestAzure(emulator -> setup(emulator).retryAfter(Duration.ofSeconds(1)));
    }

    private static ArmEmulator.Builder setup(ArmEmulator.Builder emulator) {
        return emulator.retiredSizes(true);
    }

    private static ResourceManager resources(TestAzure server) {
        return ResourceManager.authenticate(
                        AzureFixture.pipeline(), AzureFixture.profile(server.endpoint(), server.subscription()))
                .withSubscription(server.subscription());
    }

    private static Deployment deploy(TestAzure server, ClusterSpec spec) throws Exception {
        RenderedFiles files = Planner.offline().render(spec);
        ObjectNode values = (ObjectNode) ArmClient.JSON
                .readTree(
                        files.find("azuredeploy.parameters.json").orElseThrow().text())
                .path("parameters");
        values.putObject("customData").put("value", "#cloud-config\n{}\n");
        if (!values.has("sshPublicKeys")) {
            values.putObject("sshPublicKeys")
                    .putArray("value")
                    .add("ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8g");
        }
        JsonNode definitions = ArmClient.JSON
                .readTree(files.find("azuredeploy.json").orElseThrow().text())
                .path("parameters");
        if (definitions.has("customScriptProtectedSettings")) {
            values.putObject("customScriptProtectedSettings").putObject("value").put("commandToExecute", "true");
        }
        server.put(
                "/subscriptions/" + server.subscription() + "/resourceGroups/" + spec.resourceGroup(),
                "{'location':'" + spec.requireRegion() + "'}");
        return resources(server)
                .deployments()
                .define("cluster")
                .withExistingResourceGroup(spec.resourceGroup())
                .withTemplate(files.find("azuredeploy.json").orElseThrow().text())
                .withParameters(values.toString())
                .withMode(DeploymentMode.INCREMENTAL)
                .create();
    }

    /** Everything that exists, without what differs each time it is made. */
    private static Map<String, JsonNode> everything(TestAzure server) {
        Map<String, JsonNode> all = new TreeMap<>();
        for (String id : server.ids()) {
            JsonNode resource = server.get(id);
            strip(resource);
            String text = resource.toString().replace(server.subscription(), "SUBSCRIPTION");
            all.put(id.replace(server.subscription(), "SUBSCRIPTION"), ArmClient.JSON.valueToTree(text));
        }
        return all;
    }

    private static void strip(JsonNode tree) {
        if (tree instanceof ObjectNode object) {
            CHANGING.forEach(object::remove);
            for (String parts : List.of("inboundNatRules", "backendAddressPools")) {
                if (object.path(parts) instanceof ArrayNode rules) {
                    rules.removeIf(rule -> rule.path("name").asText().endsWith("-template"));
                }
            }
        }
        tree.forEach(TemplateDeploymentTest::strip);
        if (tree instanceof ArrayNode array
                && (array.path(0).has("id") || array.path(0).has("name"))) {
            List<JsonNode> sorted = new ArrayList<>();
            array.forEach(sorted::add);
            sorted.sort(Comparator.comparing(
                    each -> each.path(each.has("id") ? "id" : "name").asText()));
            array.removeAll().addAll(sorted);
        }
    }

    @Test
    void deployedTemplateEqualsTheProvidersResources() throws Exception {
        ClusterSpec spec = article();
        try (TestAzure deployed = azure();
                TestAzure provided = new TestAzure(TemplateDeploymentTest::setup);
                AzureProvider machines = AzureFixture.machines(provided)) {
            Deployment deployment = deploy(deployed, spec);
            assertThat(deployment.provisioningState()).isEqualTo("Succeeded");
            AzureFixture.Log log = new AzureFixture.Log();
            machines.createNetwork(spec, log);
            assertThat(AzureFixture.create(machines, spec, log).values())
                    .hasSize(4)
                    .allMatch(MachineOutcome.Made.class::isInstance);

            Map<String, JsonNode> made = everything(deployed);
            assertThat(made).hasSizeGreaterThan(4 * 3 + 5);
            Map<String, JsonNode> expected = everything(provided);
            // The group was there before the deployment, without tags.
            String group = "/subscriptions/SUBSCRIPTION/resourcegroups/cluster-rg";
            assertThat(made.remove(group)).isNotNull();
            assertThat(expected.remove(group)).isNotNull();
            assertThat(made.keySet()).isEqualTo(expected.keySet());
            // A template is deployed by its user, and its resources belong to no record.
            made.forEach(
                    (id, resource) -> assertThat(tree(resource)).as(id).isEqualTo(withoutId(tree(expected.get(id)))));
            assertThat(put(deployed))
                    .containsExactlyInAnyOrder(
                            "networkSecurityGroups",
                            "virtualNetworks",
                            "availabilitySets",
                            "publicIPAddresses",
                            "loadBalancers",
                            "networkInterfaces",
                            "virtualMachines",
                            "deployments");
        }
    }

    /** The types of which bodies were held against the descriptions: also those that a deployment sends to itself. */
    private static Set<String> put(TestAzure server) {
        Set<String> types = new TreeSet<>();
        for (String operation : server.traffic().operations()) {
            Matcher type =
                    Pattern.compile("PUT .*/providers/.*?/(\\w+)/\\{\\w+}").matcher(operation);
            if (type.matches()) {
                types.add(type.group(1));
            } else if (operation.startsWith("PUT ") && operation.contains("deployments")) {
                types.add("deployments");
            }
        }
        return types;
    }

    private static JsonNode withoutId(JsonNode resource) {
        if (resource.path("tags") instanceof ObjectNode tags) {
            tags.remove("clusterwright-id");
        }
        return resource;
    }

    private static JsonNode tree(JsonNode text) {
        try {
            return ArmClient.JSON.readTree(text.asText());
        } catch (com.fasterxml.jackson.core.JsonProcessingException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void deploysHeadNodeSecretsAndExtensions() throws Exception {
        try (TestAzure server = azure()) {
            Deployment deployment = deploy(server, full());

            String group = "/subscriptions/" + server.subscription() + "/resourceGroups/wing-rg/providers/";
            JsonNode address = server.get(group + "Microsoft.Network/publicIPAddresses/cluster-ip");
            assertThat(ArmClient.JSON
                            .valueToTree(deployment.outputs())
                            .at("/sshAddress/value")
                            .asText())
                    .isEqualTo(address.at("/properties/ipAddress").asText())
                    .isNotEmpty();
            JsonNode head = server.get(group + "Microsoft.Compute/virtualMachines/cluster10");
            assertThat(head.at("/properties/hardwareProfile/vmSize").asText()).isEqualTo("Standard_D8s_v5");
            assertThat(head.at("/properties/availabilitySet").isMissingNode()).isTrue();
            JsonNode script = server.get(group + "Microsoft.Compute/virtualMachines/cluster18/extensions/CustomScript");
            assertThat(script.at("/properties/settings/note").asText()).isEqualTo("[not an expression]");
            assertThat(server.get(group + "Microsoft.Compute/virtualMachines/cluster18")
                            .at("/tags/clusterwright-node")
                            .asText())
                    .isEqualTo("cluster18");
            JsonNode shown = server.get(group + "Microsoft.Resources/deployments/cluster");
            assertThat(shown.at("/properties/parameters/customData").toString())
                    .isEqualTo("{\"type\":\"secureString\"}");
            assertThat(shown.toString()).doesNotContain("commandToExecute", "cloud-config");
            assertThat(server.get(group + "Microsoft.Network/loadBalancers/cluster-lb")
                            .at("/properties/inboundNatRules/0/properties/frontendPortRangeStart")
                            .asInt())
                    .isEqualTo(10110);
        }
    }

    @Test
    void aScaleSetIsDeployed() throws Exception {
        ClusterSpec spec = full().toBuilder()
                .placement(new Placement(Placement.Kind.SCALE_SET, true))
                .network(n -> n.ssh(ssh -> ssh.external(SshAccess.External.ALL)))
                .build();
        try (TestAzure server = azure()) {
            assertThat(deploy(server, spec).provisioningState()).isEqualTo("Succeeded");

            JsonNode instances = server.get("/subscriptions/" + server.subscription()
                    + "/resourceGroups/wing-rg/providers/Microsoft.Compute/virtualMachineScaleSets/cluster-vmss"
                    + "/virtualMachines");
            assertThat(instances.path("value")).hasSize(8);
            assertThat(put(server)).contains("virtualMachineScaleSets", "loadBalancers", "proximityPlacementGroups");
        }
    }

    @ParameterizedTest
    @EnumSource(
            value = Placement.Kind.class,
            names = {"SCALE_SET", "AVAILABILITY_SET"})
    void aDeployedTemplateEndsItsMachinesByItself(Placement.Kind kind) throws Exception {
        boolean set = kind == Placement.Kind.SCALE_SET;
        ClusterSpec spec = article().toBuilder()
                .timeToLive(Duration.ofHours(set ? 30 : 8))
                .placement(p -> p.kind(kind))
                .build();
        try (TestAzure server = azure()) {
            assertThat(deploy(server, spec).provisioningState()).isEqualTo("Succeeded");
            String group = "/subscriptions/" + server.subscription() + "/resourceGroups/" + spec.resourceGroup()
                    + "/providers/Microsoft.Compute/";
            String machine = group + "virtualMachines/" + spec.nodes().names().get(0) + "/instanceView";
            String instances = group + "virtualMachineScaleSets/" + spec.name() + "-vmss/virtualMachines";

            server.advance(Duration.ofHours(set ? 29 : 7));
            server.advance(Duration.ofMinutes(1));
            if (set) {
                assertThat(server.get(instances).path("value"))
                        .hasSize(spec.nodes().count());
            } else {
                assertThat(server.get(machine).toString()).contains("PowerState/running");
            }
            server.advance(Duration.ofHours(1));
            server.advance(Duration.ofMinutes(2));
            if (set) {
                assertThat(server.get(instances).path("value")).isEmpty();
            } else {
                assertThat(server.get(machine).toString()).contains("PowerState/deallocated");
            }
        }
    }

    @Test
    void aTemplateOfSeparateMachinesTellsThatNothingStopsThemAfterMoreThanADay() {
        ClusterSpec spec =
                article().toBuilder().timeToLive(Duration.ofHours(30)).build();

        RenderedFiles files = Planner.offline().render(spec);

        assertThat(files.find("azuredeploy.parameters.json").orElseThrow().notes())
                .contains("timeToLive is more than a day, and separate machines are stopped by a schedule for a time of"
                        + " day: nothing stops them here");
        assertThat(files.find("azuredeploy.json").orElseThrow().text()).doesNotContain("DevTestLab");
    }

    @Test
    void namesFailedResourcesAndSkipsDependents() throws Exception {
        try (TestAzure server = azure()) {
            server.faults(Fault.of(Fault.Kind.ALLOCATION_FAILED, "PUT", "**/virtualMachines/cluster13"));

            assertThatThrownBy(() -> deploy(server, full())).isInstanceOfSatisfying(ManagementException.class, e -> {
                assertThat(e.getValue().getCode()).isEqualTo("DeploymentFailed");
                assertThat(e.getValue().getDetails())
                        .extracting(ManagementError::getCode)
                        .containsExactly("AllocationFailed");
            });

            List<DeploymentOperation> operations = resources(server)
                    .deployments()
                    .getByResourceGroup("wing-rg", "cluster")
                    .deploymentOperations()
                    .list()
                    .stream()
                    .toList();
            assertThat(operations)
                    .filteredOn(operation -> operation.provisioningState().equals("Failed"))
                    .singleElement()
                    .satisfies(
                            operation -> assertThat(operation.targetResource().resourceName())
                                    .isEqualTo("cluster13"));
            assertThat(server.ids())
                    .noneMatch(id -> id.toLowerCase(Locale.ROOT).endsWith("cluster13/extensions/customscript"));
        }
    }
}
