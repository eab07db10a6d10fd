package io.clusterwright.examples.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.clusterwright.core.DestroyReport;
import io.clusterwright.core.ResourceId;
import io.clusterwright.core.internal.json.Json;
import io.clusterwright.core.type.ClusterwrightException;
import io.clusterwright.core.type.OperationInterruptedException;
import io.clusterwright.examples.console.ResultJson;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ResultJsonTest {
    private final ObjectNode document = Json.object();

    @Test
    void aClusterThatCannotBeDeletedIsLeftAndTheNextOnesAreDeleted() {
        ResultJson.addOneOfMany(document, "cluster first", () -> {
            throw new ClusterwrightException("another process uses it");
        });
        ResultJson.addOneOfMany(
                document,
                "cluster second",
                () -> new DestroyReport(List.of(new ResourceId("machine", "second1")), Map.of()));

        assertThat(document).hasToString("""
                {"deleted":["machine second1"],"left":["cluster first: another process uses it"]}""");
    }

    @Test
    void anInterruptEndsAllDeletions() {
        assertThatThrownBy(() -> ResultJson.addOneOfMany(document, "cluster first", () -> {
                    throw new OperationInterruptedException("interrupted");
                }))
                .isInstanceOf(OperationInterruptedException.class);
    }
}
