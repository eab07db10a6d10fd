package io.clusterwright.examples.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.clusterwright.azure.emulator.ArmEmulator;
import io.clusterwright.core.internal.json.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CatalogCommandsTest {
    private final Console console = new Console();

    @TempDir
    private Path folder;

    private JsonNode json() throws IOException {
        return Json.MAPPER.readTree(console.out());
    }

    private static List<String> names(JsonNode array) {
        List<String> names = new ArrayList<>();
        array.forEach(entry -> names.add(entry.path("name").asText()));
        return names;
    }

    @Test
    void sizesAreListedAsAnArray() throws IOException {
        assertThat(console.run("sizes", "--json")).isZero();
        assertThat(names(json())).contains("Standard_A9", "Standard_A10", "Standard_D8s_v5");
        JsonNode constrained = json().get(names(json()).indexOf("Standard_HB120-16rs_v3"));
        assertThat(constrained.path("vcpus").asInt()).isEqualTo(16);
        assertThat(constrained.path("billedCores").asInt()).isEqualTo(120);
        assertThat(constrained.path("rdma").asBoolean()).isTrue();
        assertThat(constrained.has("retiredOn")).isFalse();
        assertThat(constrained.path("source").asText()).isNotEmpty();
        assertThat(constrained.path("verbsLatencyMicros").asDouble()).isEqualTo(1.2);
        assertThat(constrained.path("mpiLatencyMicros").asDouble()).isEqualTo(1.59);
        JsonNode fourPorts = json().get(names(json()).indexOf("Standard_HB368rs_v5"));
        assertThat(fourPorts.path("ports").asInt()).isEqualTo(4);
        assertThat(fourPorts.path("verbsGbpsOfPort").asDouble()).isEqualTo(200);
    }

    @Test
    void sizesCanBeLimitedToRdma() {
        assertThat(console.run("sizes", "--rdma")).isZero();
        assertThat(console.out())
                .contains("Standard_A9 ", "retired 2021-03-01 -> Standard_HB120rs_v3")
                .doesNotContain("Standard_A10 ", "Standard_D8s_v5 ");
    }

    @Test
    void sizesLimitedToRdmaAreAnArray() throws IOException {
        assertThat(console.run("sizes", "--rdma", "--json")).isZero();
        assertThat(names(json())).contains("Standard_A9").doesNotContain("Standard_A10");
    }

    @Test
    void sizesTakeMoreRowsFromAFileAndRefuseBadOnes() throws IOException {
        Path mine = folder.resolve("mine.csv");
        Files.writeString(mine, "arm_name,vcpus,memory_gib,source\nStandard_Mine,4,8,here\n");
        assertThat(console.run("sizes", "--json", "--add", mine.toString())).isZero();
        assertThat(names(json())).contains("Standard_Mine");
        Files.writeString(mine, "arm_name,vcpus,memory_gib,source\nStandard_Mine,four,8,here\n");
        assertThat(console.run("sizes", "--add", mine.toString())).isEqualTo(2);
        assertThat(console.errors()).contains("mine.csv:2: vcpus: invalid vcpus \"four\"");
    }

    @Test
    void imagesFindTheImagesOfTheArticle() throws IOException {
        assertThat(console.run("images", "--match", "suse.*hpc", "--json")).isZero();
        JsonNode paid = json().get(
                        names(json()).indexOf("b4590d9e3ed742e4a1d46e5424aa335e__suse-sles-12-hpc-priority-v20150708"));
        assertThat(paid.path("paid").asBoolean()).isTrue();
        assertThat(paid.path("captured").asBoolean(true)).isFalse();
        assertThat(names(json()))
                .contains("b4590d9e3ed742e4a1d46e5424aa335e__suse-sles-12-hpc-v20150708")
                .noneMatch(name -> name.contains("ubuntu"));
    }

    @Test
    void imagesMarkChargedSupport() {
        assertThat(console.run("images", "--match", "priority-v2015")).isZero();
        assertThat(console.out()).contains("SLES 12 HPC (support is charged)");
    }

    @Test
    void capturedImagesCanBeListedAlone() throws IOException {
        assertThat(console.run("images", "--captured", "--json")).isZero();
        json().forEach(entry -> assertThat(entry.path("captured").asBoolean()).isTrue());
    }

    @Test
    void capturedImagesOfAzureAreThoseOfItsGalleryAndItsManagedOnes() throws IOException {
        try (ArmEmulator emulator = ArmEmulator.builder().start()) {
            assertThat(console.run(
                            "images",
                            "--captured",
                            "--json",
                            "--on",
                            "azure",
                            "--endpoint",
                            emulator.url().toString(),
                            "--subscription",
                            emulator.subscriptionId()))
                    .isZero();
            assertThat(json()).isEmpty();
            assertThat(emulator.requests())
                    .anyMatch(seen -> seen.path().endsWith("/galleries/clusterwright/images"))
                    .anyMatch(seen -> seen.path().endsWith("/providers/Microsoft.Compute/images"));
        }
    }

    @Test
    void refusesSearchThatIsNoRegularExpression() {
        assertThat(console.run("images", "--match", "suse.*(hpc")).isEqualTo(2);
        assertThat(console.errors()).contains("invalid search for images ", "(example: suse.*hpc");
        assertThat(console.out()).isEmpty();
    }

    @Test
    void refusesToPruneWithASearch() {
        assertThat(console.run("images", "--prune", "--match", "x")).isEqualTo(2);
        assertThat(console.errors()).contains("remove --match and --add");
    }
}
