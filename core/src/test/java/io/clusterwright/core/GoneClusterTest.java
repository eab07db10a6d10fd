package io.clusterwright.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.clusterwright.core.spec.ClusterSpec;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A cluster with a record whose resources were deleted without this library, such as in the portal. */
final class GoneClusterTest extends LifecycleFixture {
    private final ClusterSpec spec = MemoryProvider.demo(2).build();

    @BeforeEach
    void deleteTheCluster() {
        manager().create(spec).close();
        provider.existing.clear();
        provider.machines.clear();
        provider.ids.clear();
    }

    @Test
    void aFailedCreationDeletesAllThatItMade() {
        provider.refused.add(node(12));

        CreateFailedException failure = catchThrowableOfType(
                CreateFailedException.class, () -> manager().create(spec));

        assertThat(failure)
                .hasMessageContaining("no capacity for demo12")
                .hasMessageEndingWith("; everything created for it was deleted");
        assertThat(failure.left()).isEmpty();
        assertThat(provider.existing).isEmpty();
        assertThat(store().clusters()).isEmpty();
    }

    @Test
    void aCreationMakesItAgain() {
        manager().create(spec).close();

        assertThat(provider.machines).containsOnlyKeys(node(11), node(12));
        assertThat(manager().destroy(DEMO).left()).isEmpty();
        assertThat(provider.existing).isEmpty();
    }

    @Test
    void aDestructionForgetsIt() {
        assertThat(manager().destroy(DEMO).left()).isEmpty();
        assertThat(manager().list()).isEmpty();
    }
}
