package io.clusterwright.azure;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.clusterwright.azure.internal.template.TemplateSpecs;
import io.clusterwright.core.Planner;
import io.clusterwright.core.plan.RenderedFile;
import io.clusterwright.core.plan.RenderedFiles;
import io.clusterwright.core.spec.ClusterSpec;
import io.clusterwright.core.spec.NetworkSpec.SshAccess;
import io.clusterwright.core.spec.Placement;
import io.clusterwright.core.spec.SpecReader;
import io.clusterwright.core.spec.Verification;
import io.clusterwright.core.type.AddressRange;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ArmTemplateTest {
    private static final String TEMPLATE = "azuredeploy.json";
    private static final String PARAMETERS = "azuredeploy.parameters.json";
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final Path GOLDEN = Path.of("src", "test", "resources", "template");
    private static final Pattern REFERENCE = Pattern.compile("resourceId\\('([^']+)'");

    static RenderedFiles files(ClusterSpec spec) {
        return Planner.offline().render(spec);
    }

    static String text(ClusterSpec spec, String file) {
        return files(spec).find(file).orElseThrow().text();
    }

    static JsonNode template(ClusterSpec spec) throws IOException {
        return JSON.readTree(text(spec, TEMPLATE));
    }

    static JsonNode values(ClusterSpec spec) throws IOException {
        return JSON.readTree(text(spec, PARAMETERS)).path("parameters");
    }

    private static List<String> types(JsonNode template) {
        List<String> types = new ArrayList<>();
        template.path("resources")
                .forEach(resource -> types.add(resource.path("type").asText().replaceFirst(".*?/", "")));
        return types;
    }

    private static JsonNode resource(JsonNode template, String type) {
        for (JsonNode resource : template.path("resources")) {
            if (resource.path("type").asText().endsWith("/" + type)) {
                return resource;
            }
        }
        throw new AssertionError("no " + type + " in " + types(template));
    }

    private static ClusterSpec open(SshAccess.External external, int prefix) {
        return TemplateSpecs.article().toBuilder()
                .network(n -> n.ssh(ssh -> {
                    ssh.external(external);
                    if (prefix > 0) {
                        ssh.portPrefix(prefix);
                    }
                }))
                .build();
    }

    @ParameterizedTest
    @ValueSource(strings = {"article", "full", "scale-set"})
    void filesMatchTheGoldenFiles(String name) throws IOException {
        for (String file : List.of(TEMPLATE, PARAMETERS)) {
            Path golden = GOLDEN.resolve(name).resolve(file);
            if (Boolean.getBoolean("clusterwright.update")) {
                Files.writeString(golden, text(TemplateSpecs.named(name), file));
            }
            assertThat(text(TemplateSpecs.named(name), file))
                    .as(golden.toString())
                    .isEqualTo(Files.readString(golden));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"article", "full", "scale-set"})
    void resourcesDependOnWhatTheyReferTo(String name) throws IOException {
        Set<String> before = new LinkedHashSet<>();
        for (JsonNode resource : template(TemplateSpecs.named(name)).path("resources")) {
            String type = resource.path("type").asText();
            Set<String> awaited = new LinkedHashSet<>();
            Matcher waits = REFERENCE.matcher(resource.path("dependsOn").toString());
            while (waits.find()) {
                awaited.add(waits.group(1));
            }
            Matcher references = REFERENCE.matcher(resource.path("properties").toString());
            while (references.find()) {
                String whole = references.group(1).replaceFirst("(.*?/.*?)/.*", "$1");
                if (!whole.equals(type)) {
                    assertThat(before).as(type).contains(whole);
                    assertThat(awaited).as(type).contains(whole);
                }
            }
            before.add(type);
        }
        assertThat(before).hasSizeGreaterThan(4);
    }

    @Test
    void commandsToPasteQuoteTheResourceGroup() {
        ClusterSpec spec =
                TemplateSpecs.full().toBuilder().resourceGroup("rg(o)d-d.x").build();
        assertThat(files(spec).find(PARAMETERS).orElseThrow().notes())
                .first()
                .asString()
                .contains("--resource-group 'rg(o)d-d.x' --template-file");
    }

    @Test
    void secretsAreSecureParametersWithoutAValue() throws IOException {
        ClusterSpec spec = TemplateSpecs.full();
        JsonNode definitions = template(spec).path("parameters");

        assertThat(definitions.at("/customData/type").asText()).isEqualTo("secureString");
        assertThat(definitions.at("/customScriptProtectedSettings/type").asText())
                .isEqualTo("secureObject");
        for (String name : List.of("customData", "customScriptProtectedSettings")) {
            assertThat(definitions.path(name).has("defaultValue")).isFalse();
            assertThat(values(spec).has(name)).isFalse();
        }
        assertThat(files(spec).find(PARAMETERS).orElseThrow().notes())
                .first()
                .asString()
                .contains("az deployment group create")
                .contains("customData=@cloud-init.yaml")
                .contains("customScriptProtectedSettings=@");
    }

    @ParameterizedTest
    @CsvSource({
        "NONE, SCALE_SET",
        "NONE, AVAILABILITY_SET",
        "HEAD, SCALE_SET",
        "HEAD, AVAILABILITY_SET",
        "ALL, SCALE_SET",
        "ALL, AVAILABILITY_SET"
    })
    void declaresTheRangesOfSshWhereARuleUsesThem(SshAccess.External external, String placement) throws IOException {
        for (int prefix : List.of(0, 101)) {
            for (List<AddressRange> allowed :
                    List.of(List.<AddressRange>of(), List.of(AddressRange.of("203.0.113.0/24")))) {
                ClusterSpec spec = open(external, prefix).toBuilder()
                        .placement(p -> p.kind(Placement.Kind.valueOf(placement)))
                        .network(n -> n.ssh(ssh -> ssh.allowFrom(allowed)))
                        .build();
                boolean rule = template(spec).at("/resources").toString().contains("parameters('allowSshFrom')");
                assertThat(rule)
                        .isEqualTo(external == SshAccess.External.ALL
                                || external == SshAccess.External.HEAD && placement.equals("AVAILABILITY_SET"));
                assertThat(template(spec).at("/parameters").has("allowSshFrom")).isEqualTo(rule);
                assertThat(values(spec).has("allowSshFrom")).isEqualTo(rule && !allowed.isEmpty());
                assertThat(files(spec)
                                .find(PARAMETERS)
                                .orElseThrow()
                                .notes()
                                .get(0)
                                .contains("allowSshFrom"))
                        .isEqualTo(rule && allowed.isEmpty());
                if (external == SshAccess.External.HEAD && !rule) {
                    assertThat(files(spec).find(PARAMETERS).orElseThrow().notes())
                            .anySatisfy(note -> assertThat(note)
                                    .contains("--source-address-prefixes "
                                            + (allowed.isEmpty() ? "YOUR.OWN.ADDRESS/32" : "203.0.113.0/24")));
                }
            }
        }
    }

    @Test
    void tagsThatLookLikeExpressionsAreEscaped() throws IOException {
        ClusterSpec spec = TemplateSpecs.article().toBuilder()
                .putTag("owner", "[cfd]")
                .putTag("team", "[cfd] east")
                .putTag("room", "it's 5")
                .build();

        JsonNode tags = template(spec).at("/variables/tags");
        assertThat(tags.path("owner").asText()).isEqualTo("[[cfd]");
        assertThat(tags.path("team").asText())
                .as("Resource Manager takes only what also ends with a bracket for an expression")
                .isEqualTo("[cfd] east");
        assertThat(tags.path("room").asText()).isEqualTo("it's 5");
    }

    @Test
    void nodeNamesNeverCollideWithExpressions() throws IOException {
        ClusterSpec spec = TemplateSpecs.article().toBuilder()
                .nodes(n -> n.prefix("nodename"))
                .putTag("like", "nodename11")
                .build();

        assertThat(template(spec).at("/variables/tags/like").asText()).isEqualTo("nodename11");
        assertThat(values(spec).at("/reachableNodes/value/0/name").asText()).isEqualTo("nodename11");
        assertThat(resource(template(spec), "virtualMachines").path("name").asText())
                .isEqualTo("[variables('nodes')[copyIndex()].name]");
    }

    @Test
    void publicAddressGoesToTheHeadOnly() throws IOException {
        JsonNode template = template(open(SshAccess.External.HEAD, 0));
        JsonNode values = values(open(SshAccess.External.HEAD, 0));

        assertThat(values.at("/reachableNodes/value")).hasSize(1);
        assertThat(values.at("/innerNodes/value")).hasSize(3);
        assertThat(types(template))
                .containsSubsequence("publicIPAddresses", "networkInterfaces", "networkInterfaces", "virtualMachines")
                .doesNotContain("loadBalancers");
        assertThat(resource(template, "publicIPAddresses").at("/copy/count").asText())
                .isEqualTo("[length(parameters('reachableNodes'))]");
        assertThat(template.at("/variables/nodes").asText())
                .isEqualTo("[concat(parameters('reachableNodes'), parameters('innerNodes'))]");
    }

    @Test
    void withoutExternalSshNoAddressIsCreated() throws IOException {
        JsonNode template = template(open(SshAccess.External.NONE, 0));

        assertThat(types(template))
                .containsExactly(
                        "networkSecurityGroups",
                        "virtualNetworks",
                        "availabilitySets",
                        "networkInterfaces",
                        "virtualMachines");
        assertThat(resource(template, "networkSecurityGroups").at("/properties/securityRules"))
                .isEmpty();
        assertThat(template.path("parameters").has("allowSshFrom")).isFalse();
    }

    @Test
    void portsOfOneAddressArePrefixAndIndex() throws IOException {
        JsonNode values = values(open(SshAccess.External.ALL, 101));

        assertThat(values.at("/nodes/value/0/sshPort").asInt()).isEqualTo(10111);
        assertThat(values.at("/nodes/value/3/sshPort").asInt()).isEqualTo(10114);
        assertThat(types(template(open(SshAccess.External.ALL, 101)))).contains("loadBalancers");
    }

    @ParameterizedTest
    @CsvSource({
        "AUTO, false, availabilitySets",
        "AUTO, true, virtualMachineScaleSets",
        "SCALE_SET, false, virtualMachineScaleSets",
        "AVAILABILITY_SET, false, availabilitySets",
        "NONE, true, virtualMachines",
    })
    void placementDecidesWhatNodesAre(Placement.Kind kind, boolean spot, String made) throws IOException {
        ClusterSpec spec = TemplateSpecs.article().toBuilder()
                .nodes(n -> n.spot(s -> s.enabled(spot)))
                .placement(new Placement(kind, true))
                .verify(v ->
                        v.fabric(kind == Placement.Kind.NONE ? Verification.Fabric.NONE : Verification.Fabric.PAIR))
                .build();

        List<String> types = types(template(spec));
        assertThat(types).contains(made, "proximityPlacementGroups");
        assertThat(types.contains("availabilitySets")).isEqualTo(made.equals("availabilitySets"));
        assertThat(types.contains("networkInterfaces")).isNotEqualTo(made.equals("virtualMachineScaleSets"));
        String near = "resourceId('Microsoft.Compute/proximityPlacementGroups', 'cluster-ppg')";
        assertThat(resource(template(spec), made)
                        .at("/properties/proximityPlacementGroup/id")
                        .asText())
                .isEqualTo("[" + near + "]");
    }

    @Test
    void skipsAnExistingNetwork() throws IOException {
        ClusterSpec spec = TemplateSpecs.article().toBuilder()
                .network(n -> n.existing(true))
                .build();

        assertThat(types(template(spec))).doesNotContain("virtualNetworks");
        assertThat(resource(template(spec), "networkInterfaces").toString())
                .contains("'Microsoft.Network/virtualNetworks/subnets', 'cluster-vnet', 'Subnet-1'");
    }

    @Test
    void localNodesNeedNoTemplate() {
        assertThat(Planner.offline()
                        .provider("local")
                        .render(TemplateSpecs.article())
                        .list())
                .extracting(RenderedFile::name)
                .doesNotContain(TEMPLATE, PARAMETERS)
                .contains("hosts");
    }

    @Test
    void windowsClustersHaveNoTemplate() {
        ClusterSpec windows = SpecReader.read(
                "name: wing\nregion: westeurope\noperatingSystem: windows\n"
                        + "login: {user: hpcadmin, password: {secret: env:P}}\nnodes: {count: 2, size: Standard_A8}\n",
                "wing.yaml");

        assertThat(files(windows).list()).extracting(RenderedFile::name).doesNotContain(TEMPLATE, PARAMETERS);
    }
}
