package io.clusterwright.examples.deploy;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.clusterwright.core.Planner;
import io.clusterwright.core.internal.json.Json;
import io.clusterwright.core.plan.RenderedFile;
import io.clusterwright.core.plan.RenderedFiles;
import io.clusterwright.core.plan.Severity;
import io.clusterwright.core.spec.ClusterSpec;
import io.clusterwright.core.spec.HpcPackSpec;
import io.clusterwright.core.spec.NetworkSpec.SshAccess;
import io.clusterwright.core.spec.OperatingSystem;
import io.clusterwright.core.spec.Placement;
import io.clusterwright.core.spec.SpecReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Every template of every shipped spec uses each parameter and each variable that it declares. */
final class TemplateParametersTest {
    private static final List<Path> FOLDERS = List.of(
            Path.of("specs"),
            Path.of("src", "test", "resources", "render"),
            Path.of("..", "azure", "src", "test", "resources", "template"));

    static Stream<Map.Entry<String, ClusterSpec>> specs() throws IOException {
        Map<String, ClusterSpec> all = new TreeMap<>();
        for (Path folder : FOLDERS) {
            try (Stream<Path> files = Files.list(folder)) {
                files.filter(file -> file.toString().endsWith(".yaml"))
                        .forEach(file -> all.put(file.getFileName().toString(), SpecReader.read(file)));
            }
        }
        for (Map.Entry<String, ClusterSpec> linux : List.copyOf(all.entrySet())) {
            if (linux.getValue().operatingSystem() == OperatingSystem.LINUX) {
                for (SshAccess.External external : SshAccess.External.values()) {
                    for (Placement.Kind kind : Placement.Kind.values()) {
                        all.put(
                                linux.getKey() + " " + external + " " + kind,
                                linux.getValue().toBuilder()
                                        .network(network -> network.ssh(ssh -> ssh.external(external)))
                                        .placement(placement -> placement.kind(kind))
                                        .build());
                    }
                }
            }
        }
        ClusterSpec windows = all.get("windows-full.yaml");
        for (HpcPackSpec.Scenario scenario : HpcPackSpec.Scenario.values()) {
            all.put(
                    "windows-full.yaml " + scenario,
                    windows.toBuilder()
                            .hpcPack(windows.hpcPack().orElseThrow().toBuilder()
                                    .scenario(scenario)
                                    .build())
                            .build());
        }
        all.values()
                .removeIf(
                        spec -> Planner.check(spec).stream().anyMatch(finding -> finding.severity() == Severity.ERROR));
        assertThat(all)
                .hasSizeGreaterThan(60)
                .containsKeys("batch.yaml", "windows-full.yaml burst", "windows-resource-manager.yaml");
        return all.entrySet().stream();
    }

    private static List<String> unused(JsonNode template, String section) {
        String word = section + "\\('([^']+)'\\)";
        Matcher uses = Pattern.compile(word).matcher(template.toString());
        TreeSet<String> declared = new TreeSet<>();
        template.path(section).fieldNames().forEachRemaining(declared::add);
        while (uses.find()) {
            declared.remove(uses.group(1));
        }
        return List.copyOf(declared);
    }

    @ParameterizedTest
    @MethodSource("specs")
    void parametersAndVariablesAreReferenced(Map.Entry<String, ClusterSpec> spec) throws IOException {
        RenderedFiles files = Planner.offline().render(spec.getValue());
        for (RenderedFile file : files.list()) {
            if (file.name().equals("azuredeploy.json")) {
                JsonNode template = Json.MAPPER.readTree(file.text());
                assertThat(unused(template, "parameters")).isEmpty();
                assertThat(unused(template, "variables")).isEmpty();
                JsonNode values = Json.MAPPER.readTree(
                        files.find("azuredeploy.parameters.json").orElseThrow().text());
                assertThat(template.path("parameters").fieldNames())
                        .toIterable()
                        .containsAll(() -> values.path("parameters").fieldNames());
            }
        }
        ClusterSpec rendered = spec.getValue();
        assertThat(files.find("azuredeploy.json").isPresent())
                .isEqualTo(rendered.operatingSystem() == OperatingSystem.LINUX
                        || rendered.hpcPack()
                                .map(HpcPackSpec::scenario)
                                .filter(HpcPackSpec.Scenario.RESOURCE_MANAGER::equals)
                                .isPresent());
    }
}
