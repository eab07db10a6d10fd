package io.clusterwright.examples.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import io.clusterwright.core.internal.json.Json;
import io.clusterwright.examples.cli.ClusterwrightMain;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Images without a cluster, and the search for images of the marketplace, by command. */
@Tag("breadth")
class ImageCommandTest {
    @RegisterExtension
    private final Machine machine = Machine.ofThisJvm();

    @Test
    void anImageIsBuiltListedAndDeletedWithoutACluster() throws JsonProcessingException {
        Path file = machine.write("image.yaml", """
                        name: e2eimage
                        region: westus
                        nodes: {count: 2, size: Standard_D4s_v5}
                        network: {addressSpace: 10.99.32.0/24}
                        image: {capture: true, customize: {user: {name: e2eimage}}}
                        """);
        machine.deleteImage(file);
        String spec = file.toString();
        Program.Ended built = machine.succeeds("image build %s --on local", spec);
        String name = built.stdout().strip();
        assertThat(name).matches("image-[0-9a-f]{16}");
        assertThat(machine.clusterwright("list").stdout()).isEqualTo("no clusters\n");
        assertThat(machine.clusterwright("images --captured --match %s", name).stdout())
                .startsWith("local:" + name + " ")
                .contains(" MB own\n    last used ")
                .endsWith(" MB on disk, not billed\n");
        Program.Ended young = machine.clusterwright("images --prune --older-than 1d");
        assertThat(young.stdout()).isEqualTo("no images were deleted\n");
        assertThat(young.stderr()).doesNotContain(name);
        assertThat(machine.clusterwright("images --prune --keep 1000").stdout()).isEqualTo("no images were deleted\n");
        assertThat(machine.refuses("images --keep 3").stderr()).contains("--prune --older-than 30d --keep 5");
        assertThat(machine.refuses("images --prune --older-than month").stderr())
                .contains("whole numbers with a unit");

        Program.Ended others = machine.start(
                        Machine.java(ClusterwrightMain.class, "images", "--prune"), "", builder -> {
                            builder.environment()
                                    .put(
                                            "CLUSTERWRIGHT_STATE",
                                            machine.folder().resolve("other").toString());
                            return builder;
                        })
                .end();
        assertThat(others.status()).as(others.toString()).isZero();
        assertThat(others.stdout()).isEqualTo("no images were deleted\n");
        assertThat(others.stderr())
                .contains(name, "of others; delete one: clusterwright image delete NAME --on local;");
        assertThat(machine.clusterwright("images --captured --match %s", name).stdout())
                .startsWith("local:" + name + " ");

        Program.Ended deleted = machine.clusterwright("image delete %s --json", "local:" + name);
        JsonNode document = Json.MAPPER.readTree(deleted.stdout());
        assertThat(document.path("name").asText()).isEqualTo(name);
        assertThat(document.path("deleted").asBoolean()).isTrue();
        Program.Ended again = machine.refuses("image delete %s", name);
        assertThat(again.stderr()).contains("invalid captured image \"" + name + "\"");
        assertThat(machine.clusterwright("image build %s --on local", spec).status())
                .isZero();
        assertThat(machine.clusterwright("images --prune").stdout())
                .startsWith("deleted local:" + name + " ")
                .endsWith(" own\n");
    }

    @Test
    void theMarketplaceIsSearchedByPublisherOfferAndSku() throws JsonProcessingException {
        Program.Ended found = machine.clusterwright("images --live westus --on emulator --match suse:hpc:gen2 --json");
        JsonNode images = Json.MAPPER.readTree(found.stdout());
        assertThat(images).as(found.toString()).isNotEmpty().allSatisfy(image -> {
            assertThat(image.path("publisher").asText()).isEqualToIgnoringCase("suse");
            assertThat(image.path("offer").asText()).containsIgnoringCase("hpc");
            assertThat(image.path("sku").asText()).contains("gen2");
            assertThat(image.path("generation").asText()).isEqualTo("V2");
        });
        Program.Ended refused = machine.refuses("images --live westus --match hpc");
        assertThat(refused.stderr()).contains("write --on azure, --on emulator or --endpoint URL");
    }
}
