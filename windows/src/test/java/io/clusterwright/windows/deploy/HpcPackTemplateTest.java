package io.clusterwright.windows.deploy;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.clusterwright.core.Planner;
import io.clusterwright.core.plan.PlanStep;
import io.clusterwright.core.plan.Step;
import io.clusterwright.core.spec.ClusterSpec;
import io.clusterwright.core.spec.HpcPackSpec.FirewallRule;
import io.clusterwright.core.spec.HpcPackSpec.HpcPackDomain;
import io.clusterwright.core.spec.SpecReader;
import io.clusterwright.core.spi.Facts;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class HpcPackTemplateTest {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final Pattern PARAMETER = Pattern.compile("parameters\\('([^']*)'\\)");

    private static ClusterSpec spec() {
        return SpecReader.read(Path.of("..", "examples", "specs", "windows-resource-manager.yaml"));
    }

    private static HpcPackTemplate template(ClusterSpec spec) {
        return HpcPackTemplate.of(spec, Facts.offline());
    }

    private static JsonNode json(String text) {
        try {
            return JSON.readTree(text);
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    private static List<JsonNode> resources(HpcPackTemplate template) {
        return StreamSupport.stream(json(template.template()).path("resources").spliterator(), false)
                .toList();
    }

    private static List<String> extensions(HpcPackTemplate template) {
        return resources(template).stream()
                .filter(resource -> resource.path("type").asText().endsWith("/extensions"))
                .map(resource -> resource.at("/properties/type").asText() + " "
                        + resource.at("/properties/typeHandlerVersion").asText())
                .toList();
    }

    private static HpcPackTemplate withLinux() {
        return template(withLinux("Standard_HB120rs_v3"));
    }

    @Test
    void linuxNodesOfTheSpecShareAnAvailabilitySetWhereTheyHaveRdma() {
        HpcPackTemplate rdma = template(withLinux("Standard_HB120rs_v3"));
        HpcPackTemplate plain = template(withLinux("Standard_D2s_v3"));

        assertThat(rdma.template()).contains("hpc1-linux-avset", "LinuxNodeAgent2016U1", "InfiniBandDriverLinux");
        assertThat(plain.template())
                .contains("LinuxNodeAgent2016U1")
                .doesNotContain("hpc1-linux-avset", "InfiniBandDriverLinux");
        assertThat(HpcPackTemplate.problems(spec().toBuilder()
                        .hpcPack(pack -> pack.linuxNodes(nodes -> nodes.count(1)
                                .size("Standard_D2s_v3")
                                .namePattern("LNX-%01%")
                                .image("b4590d9e3ed742e4a1d46e5424aa335e__suse-sles-12-hpc-v20150708")))
                        .build()))
                .extracting(problem -> problem.path())
                .containsExactly("hpcPack.linuxNodes.image");
    }

    private static ClusterSpec withLinux(String size) {
        return spec().toBuilder()
                .hpcPack(pack -> pack.linuxNodes(nodes -> nodes.count(2)
                        .size(size)
                        .namePattern("LNX-%01%")
                        .image("microsoft-dsvm:ubuntu-hpc:2204:latest")))
                .build();
    }

    @ParameterizedTest
    @ValueSource(strings = {"hpcpack.bicepparam", "azuredeploy.json", "azuredeploy.parameters.json"})
    void filesAreAsTheGoldenFilesSay(String name) throws IOException {
        String text = Planner.offline().render(spec()).find(name).orElseThrow().text();
        Path golden = Path.of("src/test/resources/io/clusterwright/windows/golden/resource-manager", name);
        if (Boolean.getBoolean("clusterwright.update")) {
            Files.writeString(golden, text);
        }
        assertThat(text).isEqualTo(Files.readString(golden));
    }

    @Test
    void stepsBeginWithTheCertificate() {
        assertThat(Planner.offline().plan(spec()).steps())
                .extracting(PlanStep::step)
                .containsExactly(
                        Step.RESOURCE_GROUP,
                        Step.CERTIFICATE,
                        Step.NETWORK,
                        Step.SERVICES,
                        Step.HEAD,
                        Step.PLACEMENT,
                        Step.NODES,
                        Step.EXTENSIONS,
                        Step.ONLINE,
                        Step.JOBS,
                        Step.OFFLINE,
                        Step.STOP);
    }

    @Test
    void createsDependenciesOnceAndFirst() {
        for (HpcPackTemplate template :
                List.of(template(spec()), withLinux(), template(withLinux("Standard_HB120rs_v3")))) {
            Set<String> made = new TreeSet<>();
            for (JsonNode resource : resources(template)) {
                made.add(id(resource));
            }
            assertThat(made).hasSameSizeAs(resources(template));
            for (JsonNode resource : resources(template)) {
                resource.path("dependsOn")
                        .forEach(on -> assertThat(made)
                                .as(id(resource) + " depends on")
                                .contains(on.asText()));
            }
        }
    }

    /** The id of a resource, in the words of the template. */
    private static String id(JsonNode resource) {
        String name = resource.path("name").asText();
        String type = resource.path("type").asText();
        String expression = name.startsWith("[") ? name.substring(1, name.length() - 1) : "'" + name + "'";
        if (type.endsWith("/extensions")) {
            expression = name.startsWith("[")
                    ? expression.replaceFirst("^concat\\((.*), '/([^']*)'\\)$", "$1, '$2'")
                    : expression.replace("/", "', '");
        }
        return "[resourceId('" + type + "', " + expression + ")]";
    }

    @Test
    void parametersAreDeclaredWhereTheyAreUsedAndGivenUnlessSecretOrUnknown() {
        for (HpcPackTemplate template : List.of(template(spec()), withLinux())) {
            Set<String> used = new TreeSet<>();
            PARAMETER.matcher(template.template()).results().forEach(found -> used.add(found.group(1)));
            List<String> declared = new ArrayList<>();
            json(template.template()).path("parameters").fieldNames().forEachRemaining(declared::add);
            List<String> given = new ArrayList<>();
            json(template.parameters()).path("parameters").fieldNames().forEachRemaining(given::add);

            assertThat(declared).containsExactlyInAnyOrderElementsOf(used);
            assertThat(declared).containsAll(given);
            assertThat(given)
                    .doesNotContain("adminPassword", "certificateUrl", "certificateThumbprint", "authenticationKey");
        }
    }

    @Test
    void driversComeBeforeTheNodeAgent() {
        JsonNode agent = resources(template(spec())).stream()
                .filter(resource -> resource.at("/properties/type").asText().equals("HPCComputeNode"))
                .findFirst()
                .orElseThrow();

        assertThat(agent.path("dependsOn").toString()).contains("installInfiniBandDriverWindows", "setupHpcHeadNode");
        assertThat(agent.at("/properties/publisher").asText()).isEqualTo("Microsoft.HpcPack");
        assertThat(extensions(template(spec())))
                .containsExactly(
                        "DSC 2.80",
                        "JsonADDomainExtension 1.3",
                        "DSC 2.80",
                        "InfiniBandDriverWindows 1.5",
                        "HPCComputeNode 16.2",
                        "CustomScriptExtension 1.10");
    }

    @Test
    void newNodesOpenTheirFirewallForThePrograms() {
        JsonNode open = resources(template(spec())).stream()
                .filter(resource -> resource.path("name").asText().contains("openFirewall"))
                .findFirst()
                .orElseThrow();

        assertThat(open.path("dependsOn")).hasSize(1);
        assertThat(open.path("dependsOn").get(0).asText()).contains("configHpcComputeNode");
        assertThat(open.at("/copy/count").asInt()).isEqualTo(4);
        assertThat(open.at("/properties/publisher").asText()).isEqualTo("Microsoft.Compute");
        String command =
                open.at("/properties/protectedSettings/commandToExecute").asText();
        String script = new String(
                Base64.getDecoder().decode(command.substring(command.lastIndexOf(' ') + 1)), StandardCharsets.UTF_16LE);
        assertThat(script)
                .contains("Open-Firewall -Name 'mpipingpong'"
                        + " -Program 'C:\\Program Files\\Microsoft MPI\\Bin\\mpipingpong.exe'");
        assertThat(template(spec()).notes()).anyMatch(note -> note.contains("run firewall.cmd on the nodes (clusrun)"));

        HpcPackTemplate closed = template(
                spec().toBuilder().hpcPack(pack -> pack.firewall(List.of())).build());
        assertThat(closed.template()).doesNotContain("CustomScriptExtension");
        assertThat(closed.notes()).noneMatch(note -> note.contains("firewall"));

        ClusterSpec elsewhere = spec().toBuilder()
                .hpcPack(pack -> pack.firewall(List.of(new FirewallRule("solver", "/opt/solver"))))
                .build();
        assertThat(HpcPackTemplate.problems(elsewhere)).singleElement().satisfies(problem -> {
            assertThat(problem.path()).isEqualTo("hpcPack.firewall");
            assertThat(problem.toString()).contains("/opt/solver").contains("C:\\app\\solver.exe");
        });
    }

    @Test
    void linuxNodesGetTheLinuxAgentAndItsKey() {
        assertThat(extensions(withLinux())).contains("InfiniBandDriverLinux 1.2", "LinuxNodeAgent2016U1 16.3");
        assertThat(withLinux().template())
                .contains(
                        "\"AuthenticationKey\": \"[parameters('authenticationKey')]\"",
                        "\"LinuxAuthenticationKey\": \"[parameters('authenticationKey')]\"");
        assertThat(template(spec()).template()).doesNotContain("authenticationKey");
    }

    @ParameterizedTest
    @CsvSource({
        "Standard_HB120rs_v3, true, ComputeNodes",
        "Standard_A8, true, ComputeNodes",
        "Standard_D4s_v3, false, None",
        "Standard_E8s_v5, false, None",
    })
    void anAvailabilitySetIsForRdmaSizes(String size, boolean set, String option) {
        HpcPackTemplate template =
                template(spec().toBuilder().nodes(nodes -> nodes.size(size)).build());

        assertThat(resources(template).stream()
                        .anyMatch(resource ->
                                resource.path("type").asText().equals("Microsoft.Compute/availabilitySets")))
                .isEqualTo(set);
        assertThat(extensions(template).contains("InfiniBandDriverWindows 1.5")).isEqualTo(set);
        assertThat(template.bicepParameters()).contains("param availabilitySetOption = '" + option + "'");
    }

    @Test
    void anExistingDomainNeedsNoController() {
        ClusterSpec existing = spec().toBuilder()
                .network(network -> network.dnsServers(List.of(io.clusterwright.core.type.Ipv4Address.of("10.10.0.5"))))
                .hpcPack(pack ->
                        pack.domain(new HpcPackDomain(HpcPackDomain.Option.EXISTING_DC, HpcPackDomain.DEFAULT_FQDN)))
                .build();
        HpcPackTemplate template = template(existing);

        assertThat(template.template()).doesNotContain("hpc1dc").contains("\"10.10.0.5\"");
        assertThat(template.bicepParameters())
                .contains("using 'new-1hn-wincn-existing-ad.bicep'", "param virtualNetworkName = 'hpc1-vnet'");
    }

    @Test
    void headNodeAndNodesAreOfOneGenerationOfWindows() {
        ClusterSpec newer = spec().toBuilder()
                .image(image -> image.base("MicrosoftWindowsServer:WindowsServer:2022-datacenter-g2:latest"))
                .build();

        assertThat(template(newer).template()).contains("2019hn-ws2022").doesNotContain("2019hn-ws2019");
        assertThat(template(spec()).template()).contains("2019hn-ws2019").doesNotContain("2019hn-ws2022");
        assertThat(template(newer).bicepParameters())
                .contains(
                        "param headNodeOS = 'WindowsServer2022'", "param computeNodeImage = 'WindowsServer2022_Gen2'");
    }

    @Test
    void keepsSecretsOutOfFiles() {
        HpcPackTemplate template = template(spec());

        assertThat(template.bicepParameters())
                .contains("param adminPassword = readEnvironmentVariable('HPC_ADMIN_PASSWORD')");
        assertThat(template.notes())
                .anyMatch(note -> note.contains("az keyvault certificate show --vault-name hpc1-kv"));
    }

    @Test
    void escapesLiteralsInBicep() {
        ClusterSpec odd = spec().toBuilder()
                .hpcPack(pack -> pack.domain(new HpcPackDomain(HpcPackDomain.Option.HEAD_NODE_AS_DC, "hpc.local")))
                .image(image ->
                        image.base("/subscriptions/s'${x}/resourceGroups/g/providers/Microsoft.Compute/images/i"))
                .build();

        assertThat(template(odd).bicepParameters())
                .contains("param computeNodeImage = 'CustomImage'", "'/subscriptions/s\\'\\${x}/resourceGroups/");
    }
}
