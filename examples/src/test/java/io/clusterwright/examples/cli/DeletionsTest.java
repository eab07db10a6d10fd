package io.clusterwright.examples.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.clusterwright.core.DestroyReport;
import io.clusterwright.core.ResourceId;
import io.clusterwright.core.internal.json.JsonFields;
import io.clusterwright.core.type.ClusterwrightException;
import io.clusterwright.core.type.OperationInterruptedException;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class DeletionsTest {
    private final DestroyCommand.Deletions deletions = new DestroyCommand.Deletions();

    @Test
    void aClusterThatCannotBeDeletedIsLeftAndTheNextOnesAreDeleted() {
        deletions.addOneOfMany("cluster first", () -> {
            throw new ClusterwrightException("another process uses it");
        });
        deletions.addOneOfMany(
                "cluster second", () -> new DestroyReport(List.of(new ResourceId("machine", "second1")), Map.of()));

        assertThat(deletions.addTo(new JsonFields())).hasToString("""
            {"deleted":["machine second1"],"left":["cluster first: another process uses it"]}\
            """);
    }

    @Test
    void anInterruptEndsAllDeletions() {
        assertThatThrownBy(() -> deletions.addOneOfMany("cluster first", () -> {
                    throw new OperationInterruptedException("interrupted");
                }))
                .isInstanceOf(OperationInterruptedException.class);
    }
}
