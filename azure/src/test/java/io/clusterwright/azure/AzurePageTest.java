package io.clusterwright.azure;

import static org.assertj.core.api.Assertions.assertThat;

import io.clusterwright.azure.internal.inspect.AzureFindings;
import io.clusterwright.core.spi.FindingKind;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Holds {@code docs/azure-reference.md} to what the provider reports. */
class AzurePageTest {

    @Test
    void thePageHasOneRowForEachFindingAndNoOther() throws IOException {
        List<String> rows = Files.readAllLines(Path.of("..", "docs", "azure-reference.md")).stream()
                .filter(line -> line.startsWith("| CW-AZURE-"))
                .toList();

        assertThat(rows)
                .containsExactlyElementsOf(new AzureFindings()
                        .otherKinds().stream().map(AzurePageTest::row).toList());
    }

    private static String row(FindingKind kind) {
        return "| " + String.join(" | ", kind.code(), kind.severity().toString(), kind.subject(), kind.remedy()) + " |";
    }
}
