package io.clusterwright.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.clusterwright.core.plan.Step;
import io.clusterwright.core.type.ClusterName;
import io.clusterwright.core.type.ClusterwrightException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class TemporaryClusterTest {
    private static final ClusterName DEMO = new ClusterName("demo");
    private static final ResourceId NETWORK = new ResourceId("network", "demo");
    private static final String LEFT = "temporary cluster demo was not destroyed completely and may be billed; left:"
            + " network demo: network demo is busy; try again: clusterwright destroy demo (ClusterManager.destroy)";

    @TempDir
    Path folder;

    private final MemoryProvider provider = new MemoryProvider();
    private final List<ClusterEvent> events = Collections.synchronizedList(new ArrayList<>());

    @BeforeEach
    void forget() {
        MemoryBackend.reset();
    }

    private TemporaryCluster create() {
        return provider.manager(folder)
                .createTemporary(
                        MemoryProvider.demo(2).build(), CreateOptions.standard().listener(events::add));
    }

    private void requireNothing() {
        assertThat(provider.existing).isEmpty();
        assertThat(StateStore.in(folder).clusters()).isEmpty();
    }

    @Nested
    class Closing {
        @Test
        void destroysTheClusterAndReportsToTheListener() {
            try (TemporaryCluster temporary = create()) {
                assertThat(temporary.cluster().run(Command.of("hostname")).allSucceeded())
                        .isTrue();
                assertThat(temporary).hasToString("temporary cluster demo");
                events.clear();
            }
            requireNothing();
            assertThat(events)
                    .anySatisfy(event -> assertThat(event)
                            .isInstanceOfSatisfying(
                                    ClusterEvent.StepStarted.class,
                                    started -> assertThat(started.step()).isEqualTo(Step.DESTROY)))
                    .anySatisfy(event -> assertThat(event)
                            .isInstanceOfSatisfying(
                                    ClusterEvent.StepProgress.class,
                                    progress -> assertThat(progress.line()).isEqualTo("deleted network demo")));
        }

        @Test
        void destroysTheClusterWhenTheBlockThrows() {
            IllegalStateException failure = new IllegalStateException("the job cannot start");
            assertThatThrownBy(() -> {
                        try (TemporaryCluster temporary = create()) {
                            temporary.cluster().node(temporary.cluster().head().name());
                            throw failure;
                        }
                    })
                    .isSameAs(failure)
                    .hasNoSuppressedExceptions();
            requireNothing();
        }

        @Test
        void namesWhatIsLeftAndTheCommandThatTriesAgain() {
            TemporaryCluster temporary = create();
            provider.undeletable.add(NETWORK);

            assertThatThrownBy(temporary::close)
                    .isInstanceOf(ClusterwrightException.class)
                    .hasMessage(LEFT);

            temporary.close();
            assertThat(provider.existing).containsExactly(NETWORK);
            provider.undeletable.clear();
            assertThat(temporary.destroy().deleted()).containsExactly(NETWORK);
            requireNothing();
        }

        @Test
        void addsWhatIsLeftToTheExceptionOfTheBlock() {
            provider.undeletable.add(NETWORK);
            IllegalStateException failure = new IllegalStateException("the job cannot start");
            assertThatThrownBy(() -> {
                        try (TemporaryCluster temporary = create()) {
                            temporary.cluster().node(temporary.cluster().head().name());
                            throw failure;
                        }
                    })
                    .isSameAs(failure);
            assertThat(failure.getSuppressed()).singleElement().isInstanceOf(ClusterwrightException.class);
            assertThat(failure.getSuppressed()[0]).hasMessage(LEFT);
        }

        @Test
        void destroysTheClusterOfAnInterruptedThreadAndKeepsTheFlag() {
            TemporaryCluster temporary = create();
            temporary.cluster().run(Command.of("hostname")).orThrow();
            Thread.currentThread().interrupt();
            try {
                temporary.close();
                assertThat(Thread.currentThread().isInterrupted()).isTrue();
            } finally {
                Thread.interrupted();
            }
            requireNothing();
        }

        @Test
        void saysThatTheManagerWasClosedBefore() {
            ClusterManager manager = provider.manager(folder);
            TemporaryCluster temporary =
                    manager.createTemporary(MemoryProvider.demo(2).build());
            manager.close();

            assertThatThrownBy(temporary::close)
                    .isInstanceOf(ClusterwrightException.class)
                    .hasMessage(
                            "temporary cluster demo was not destroyed completely and may be billed; reason: the cluster"
                                    + " manager has been closed; try again: clusterwright destroy demo (ClusterManager.destroy)")
                    .hasCauseInstanceOf(IllegalStateException.class);
            assertThat(provider.existing).isNotEmpty();
        }

        @Test
        void doesNothingAfterDestroy() {
            try (TemporaryCluster temporary = create()) {
                DestroyReport report = temporary.destroy();
                assertThat(report.deleted()).contains(NETWORK);
                assertThat(temporary.destroy()).isSameAs(report);
                requireNothing();
                create(); // of another process: the end of this block must not delete it
            }
            assertThat(provider.existing).contains(NETWORK);
        }

        @Test
        void triesAgainWhatDestroyLeft() {
            provider.undeletable.add(NETWORK);
            try (TemporaryCluster temporary = create()) {
                assertThat(temporary.destroy().left()).containsOnlyKeys(NETWORK);
                provider.undeletable.clear();
            }
            requireNothing();
        }

        @Test
        void destroysTheNodesOfAResize() {
            try (TemporaryCluster temporary = create()) {
                provider.manager(folder).resize(temporary.cluster().name(), 4).close();
                assertThat(provider.machines).hasSize(4);
            }
            requireNothing();
        }

        @Test
        void acceptsThatSomeoneElseDestroyedTheCluster() {
            try (TemporaryCluster temporary = create()) {
                provider.manager(folder).destroy(temporary.cluster().name());
            }
            requireNothing();
        }
    }

    @Nested
    class Creating {
        private static final String REFUSAL = "cluster demo was not created: cluster demo exists (provider %s), and a"
                + " temporary cluster is deleted at its end; give the spec another name, use ClusterManager.create or open"
                + " for a cluster that stays, or delete the existing cluster: clusterwright destroy demo";

        @Test
        void refusesAnExistingClusterAndLeavesItAsItIs() throws IOException {
            provider.manager(folder).create(MemoryProvider.demo(3).build()).close();
            Path journal = folder.resolve("clusters/demo/journal.jsonl");
            String before = Files.readString(journal);
            List<ResourceId> made = List.copyOf(provider.existing);

            assertThatThrownBy(TemporaryClusterTest.this::create)
                    .isInstanceOf(ClusterwrightException.class)
                    .hasMessage(REFUSAL, "memory");

            assertThat(provider.existing).containsExactlyElementsOf(made);
            assertThat(provider.machines).hasSize(3);
            assertThat(journal).hasContent(before);
            provider.manager(folder).open(DEMO).close();
        }

        @Test
        void refusesADamagedRecordAndLeavesItAsItIs() throws IOException {
            provider.manager(folder).create(MemoryProvider.demo(2).build()).close();
            Path journal = folder.resolve("clusters/demo/journal.jsonl");
            Files.writeString(journal, "not a journal\n");

            assertThatThrownBy(TemporaryClusterTest.this::create)
                    .isInstanceOf(ClusterwrightException.class)
                    .hasMessageContaining("cluster demo");

            assertThat(provider.machines).hasSize(2);
            assertThat(journal).hasContent("not a journal\n");
        }

        @Test
        void leavesNothingWhenTheCreationFails() {
            MemoryBackend.failing = "join";
            assertThatThrownBy(TemporaryClusterTest.this::create)
                    .isInstanceOf(CreateFailedException.class)
                    .hasMessageContaining("everything made for it was deleted");
            requireNothing();
        }
    }
}
