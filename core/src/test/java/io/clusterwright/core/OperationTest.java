package io.clusterwright.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.clusterwright.core.internal.concurrent.Tasks;
import io.clusterwright.core.internal.planning.ComputedPlan;
import io.clusterwright.core.spec.ClusterSpec;
import io.clusterwright.core.type.OperationInterruptedException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

final class OperationTest extends LifecycleFixture {
    private static final Duration LONG = Duration.ofSeconds(60);

    private final CountDownLatch atNodes = new CountDownLatch(1);
    private ClusterManager manager;

    @BeforeEach
    void open() {
        manager = ClusterManager.builder(provider).stateStore(store()).build();
    }

    @AfterEach
    void close() {
        manager.close();
    }

    private static ClusterSpec spec() {
        return ClusterSpec.builder("demo")
                .region("westus")
                .nodes(n -> n.count(2).prefix("demo").firstIndex(11).size("Standard_A9"))
                .build();
    }

    /** Stays in the step that boots the nodes until it is interrupted. */
    private CreateOptions stuck() {
        provider.beforeMachines = () -> {
            atNodes.countDown();
            Tasks.interruptibly("interrupted", () -> Thread.sleep(LONG.toMillis()));
        };
        return CreateOptions.standard();
    }

    @Nested
    class Starting {
        @Test
        void returnsTheResultOfTheBlockingCall() {
            Operation<Cluster> creation = manager.createAsync(spec(), CreateOptions.standard());
            try (Cluster cluster = creation.await(LONG).orElseThrow()) {
                assertThat(cluster.nodes()).hasSize(2);
                assertThat(creation.toFuture()).isCompletedWithValue(cluster);
            }
        }

        @Test
        void imagesSizesChecksAndRemovalsRunInTheBackground() {
            assertThat(manager.buildImageAsync(spec(), CreateOptions.standard()).await(LONG))
                    .isPresent();
            manager.create(spec()).close();
            try (Cluster larger = manager.resizeAsync(spec().name(), 3, CreateOptions.standard())
                    .await(LONG)
                    .orElseThrow()) {
                assertThat(larger.nodes()).hasSize(3);
                assertThat(manager.verifyAsync(larger, event -> {}).await(LONG)).isPresent();
            }
            assertThat(manager.destroyAsync(spec().name(), event -> {})
                            .await(LONG)
                            .orElseThrow()
                            .left())
                    .isEmpty();
        }

        @Test
        void hasNoResultWhileItRuns() throws InterruptedException {
            Operation<Cluster> creation = manager.createAsync(spec(), stuck());
            assertThat(atNodes.await(60, TimeUnit.SECONDS)).isTrue();
            assertThat(creation.await(Duration.ofMillis(1))).isEmpty();
            creation.cancel();
        }

        @Test
        void throwsTheExceptionOfTheBlockingCall() {
            MemoryBackend.failing = "join";
            Operation<Cluster> creation = manager.createAsync(spec(), CreateOptions.standard());
            assertThatThrownBy(creation::await).isInstanceOf(CreateFailedException.class);
            assertThat(creation.toFuture()).isCompletedExceptionally();
        }

        @Test
        void runsOnTheExecutorOfTheCallerAndLeavesItOpen() {
            ExecutorService executor = Executors.newSingleThreadExecutor(task -> new Thread(task, "mine"));
            AtomicReference<String> thread = new AtomicReference<>();
            provider.beforeMachines = () -> thread.set(Thread.currentThread().getName());
            try (ClusterManager own = ClusterManager.builder(provider)
                    .stateStore(store())
                    .executor(executor)
                    .build()) {
                own.createAsync(spec(), CreateOptions.standard()).await().close();
            }
            assertThat(thread).hasValue("mine");
            assertThat(executor.isShutdown()).isFalse();
            executor.shutdown();
        }
    }

    @Nested
    class Cancelling {
        @Test
        void cancellingRollsBackAndIsHarmlessTwice() throws InterruptedException {
            Operation<Cluster> creation = manager.createAsync(spec(), stuck());
            assertThat(atNodes.await(60, TimeUnit.SECONDS)).isTrue();
            creation.cancel();
            creation.cancel();
            assertThatThrownBy(creation::await)
                    .isInstanceOf(OperationInterruptedException.class)
                    .hasMessageContaining("everything created for it was deleted");
            assertThat(provider.existing).isEmpty();
            creation.cancel();
        }

        @Test
        void cancellingTheFutureCancelsTheOperation() throws InterruptedException {
            Operation<Cluster> creation = manager.createAsync(spec(), stuck());
            assertThat(atNodes.await(60, TimeUnit.SECONDS)).isTrue();
            creation.toFuture().cancel(true);
            assertThatThrownBy(creation::await).isInstanceOf(OperationInterruptedException.class);
            assertThatThrownBy(() -> creation.toFuture().join()).isInstanceOf(CancellationException.class);
            assertThat(provider.existing).isEmpty();
        }
    }

    @Nested
    class Limits {
        @Test
        void timeLimitsRollBackWhenTheyPass() {
            assertThatThrownBy(() -> manager.create(spec(), stuck().limit(Duration.ofMillis(300))))
                    .isInstanceOf(CreateFailedException.class)
                    .hasMessageContaining(
                            "it took longer than the limit of 300 ms; everything created for it was deleted");
            assertThat(Thread.currentThread().isInterrupted()).isFalse();
            assertThat(provider.existing).isEmpty();
        }

        @Test
        void timeLimitsLeaveFasterOperationsAlone() {
            manager.create(spec(), CreateOptions.standard().limit(LONG)).close();
            assertThat(Thread.currentThread().isInterrupted()).isFalse();
        }
    }

    @Nested
    class BuildingAnImage {
        @Test
        void buildingAnImageLeavesTheImageOnly() {
            StoredImage image = manager.buildImage(spec());
            assertThat(image.proven()).isTrue();
            assertThat(image.name()).startsWith("image-");
            assertThat(provider.existing).isEmpty();
            assertThat(manager.list()).isEmpty();
        }

        @Test
        void reusesTheImageOfAnUnchangedRecipe() {
            StoredImage first = manager.buildImage(spec());
            MemoryBackend.CALLS.clear();
            assertThat(manager.buildImage(spec())).isEqualTo(first);
            assertThat(MemoryBackend.CALLS).isEmpty();
        }

        @Test
        void buildsAFreshImageOnRequest() {
            manager.buildImage(spec());
            MemoryBackend.CALLS.clear();
            manager.buildImage(spec(), CreateOptions.standard().freshImage());
            assertThat(MemoryBackend.CALLS).contains("customize");
        }

        @Test
        void aClusterOfTheSameRecipeUsesTheImage() {
            manager.buildImage(spec());
            MemoryBackend.CALLS.clear();
            manager.create(spec()).close();
            assertThat(MemoryBackend.CALLS).doesNotContain("customize");
        }

        @Test
        void rollsBackWhenItFails() {
            MemoryBackend.failing = "customize";
            assertThatThrownBy(() -> manager.buildImage(spec()))
                    .isInstanceOf(CreateFailedException.class)
                    .hasMessageContaining("the image of demo was not built: customize failed");
            assertThat(provider.existing).isEmpty();
        }

        @Test
        void pruningDeletesTheImagesOfThisStateStoreOnly() {
            StoredImage own = manager.buildImage(spec());
            provider.images.addAll(List.of("of-another", "unmarked"));
            provider.owners.put("of-another", "00000000000000ab");
            assertThat(manager.images()).filteredOn(manager::owns).containsExactly(own);

            assertThat(manager.pruneImages()).containsExactly(own);
            assertThat(manager.images()).extracting(StoredImage::name).containsExactly("of-another", "unmarked");
            assertThat(manager.pruneImagesOfEveryone())
                    .extracting(StoredImage::name)
                    .containsExactly("of-another", "unmarked");
        }

        @Test
        void aBuildThatFailsLeavesTheImageThatAnotherUserIsTesting() {
            String name = ((ComputedPlan) manager.plan(spec())).image().name();
            provider.images.add(name);
            provider.owners.put(name, "00000000000000ab");
            provider.captureFails = true;
            assertThatThrownBy(() -> manager.buildImage(spec())).hasMessageContaining("no room for " + name);
            assertThat(provider.images).contains(name);
            assertThat(manager.pruneImages()).extracting(StoredImage::name).doesNotContain(name);
        }

        @Test
        void refusesASpecThatCapturesNone() {
            ClusterSpec spec = spec().toBuilder().image(i -> i.capture(false)).build();
            assertThatThrownBy(() -> manager.buildImage(spec)).hasMessageContaining("image.capture");
        }

        @Test
        void refusesTheNameOfAnExistingCluster() {
            manager.create(spec()).close();
            assertThatThrownBy(() ->
                            manager.buildImage(spec(), CreateOptions.standard().freshImage()))
                    .hasMessageContaining("cluster demo already exists; run: clusterwright" + " destroy demo");
            manager.destroy(DEMO);
        }
    }

    @Test
    void refusesMachinesOfNoProvider() {
        assertThatThrownBy(() -> ClusterManager.on(() -> "mine"))
                .hasMessageContaining(" is not made by a provider")
                .hasMessageContaining("LocalMachines.create()");
    }
}
