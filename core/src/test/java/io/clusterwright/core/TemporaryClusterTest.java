package io.clusterwright.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.clusterwright.core.internal.concurrent.Tasks;
import io.clusterwright.core.internal.concurrent.Threads;
import io.clusterwright.core.internal.lifecycle.TemporaryClusters;
import io.clusterwright.core.plan.Step;
import io.clusterwright.core.spec.ClusterSpec;
import io.clusterwright.core.type.ClusterName;
import io.clusterwright.core.type.ClusterwrightException;
import io.clusterwright.core.type.OperationInterruptedException;
import java.io.BufferedReader;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class TemporaryClusterTest extends LifecycleFixture {
    private static final ResourceId NETWORK = new ResourceId("network", "demo");
    private static final String LEFT = "temporary cluster demo was not destroyed completely and may be billed; left:"
            + " network demo: network demo is busy; try again: clusterwright destroy demo (ClusterManager.destroy)";

    private static final Duration LIMIT = Duration.ofMinutes(1);

    @AfterEach
    void destroyOpen() {
        provider.undeletable.clear();
        TemporaryClusters.destroyOpen(LIMIT);
    }

    private TemporaryCluster create() {
        return provider.manager(folder).createTemporary(MemoryProvider.demo(2).build(), options());
    }

    private void requireNothing() {
        assertThat(provider.existing).isEmpty();
        assertThat(store().clusters()).isEmpty();
    }

    @Nested
    class Closing {
        @Test
        void destroysTheClusterAndReportsToTheListener() {
            try (TemporaryCluster temporary = create()) {
                assertThat(temporary.cluster().run(Command.of("hostname")).succeeded())
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
                                    + " manager is closed; try again: clusterwright destroy demo (ClusterManager.destroy)")
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
    class AnotherClusterOfTheName {
        @Test
        void stays() {
            try (TemporaryCluster temporary = create()) {
                replace();
                assertThat(temporary.destroy()).isEqualTo(new DestroyReport(List.of(), Map.of()));
            }
            requireTheOther();
        }

        @Test
        void staysWhileItIsBeingChanged() {
            try (TemporaryCluster temporary = create()) {
                replace();
                try (StateStore.Writer held = store().open(DEMO)) {
                    assertThat(held).isNotNull();
                    temporary.close();
                }
            }
            requireTheOther();
        }

        @Test
        void staysWhenItIsMadeJustBeforeTheRecordIsLocked() {
            AtomicBoolean armed = new AtomicBoolean();
            StateStore store = store();
            StateStore replacing = (StateStore) Proxy.newProxyInstance(
                    getClass().getClassLoader(), new Class<?>[] {StateStore.class}, (proxy, method, arguments) -> {
                        if (method.getName().equals("open") && armed.compareAndSet(true, false)) {
                            replace();
                        }
                        return method.invoke(store, arguments);
                    });
            TemporaryCluster temporary = ClusterManager.builder(provider)
                    .stateStore(replacing)
                    .build()
                    .createTemporary(MemoryProvider.demo(2).build());
            armed.set(true);
            temporary.close();
            assertThat(armed).isFalse();
            requireTheOther();
        }

        @Test
        void staysInAnotherStateFolder(@TempDir Path other) {
            try (TemporaryCluster temporary = create()) {
                provider.manager(folder).destroy(temporary.cluster().name());
                provider.ids.clear();
                provider.manager(other).create(MemoryProvider.demo(3).build()).close();
            }
            assertThat(provider.machines).hasSize(3);
        }

        private void replace() {
            ClusterManager another = provider.manager(folder);
            another.destroy(DEMO);
            another.create(MemoryProvider.demo(3).build()).close();
        }

        private void requireTheOther() {
            assertThat(provider.machines).hasSize(3);
            provider.manager(folder).open(DEMO).close();
        }
    }

    @Nested
    class EndOfTheProgram {
        @Test
        void destroysAllOpenClustersAtTheSameTime(@TempDir Path otherFolder) {
            CyclicBarrier both = new CyclicBarrier(2);
            CreateOptions options = CreateOptions.standard().listener(event -> {
                if (begins(event, Step.DESTROY)) {
                    await(both);
                }
            });
            MemoryProvider other = new MemoryProvider();
            ClusterManager clusters = provider.manager(folder);
            TemporaryCluster first =
                    clusters.createTemporary(MemoryProvider.demo(2).build(), options);
            other.manager(otherFolder).createTemporary(MemoryProvider.demo(3).build(), options);

            assertThat(TemporaryClusters.destroyOpen(LIMIT)).isEmpty();

            requireNothing();
            assertThat(other.existing).isEmpty();
            assertThat(both.isBroken()).isFalse();
            // The main thread leaves its try block meanwhile.
            first.close();
            clusters.close();
            assertThat(TemporaryClusters.destroyOpen(LIMIT)).isEmpty();
        }

        @Test
        void interruptsACreationWhichRollsBack() throws InterruptedException {
            CountDownLatch begun = blockMachines();
            FutureTask<TemporaryCluster> creation = new FutureTask<>(TemporaryClusterTest.this::create);
            Threads.start("test", creation);
            begun.await();
            assertThat(provider.existing).contains(NETWORK);

            assertThat(TemporaryClusters.destroyOpen(LIMIT)).isEmpty();

            requireNothing();
            assertThatThrownBy(creation::get)
                    .cause()
                    .isInstanceOf(OperationInterruptedException.class)
                    .hasMessage("cluster demo was not created: interrupted; everything created for it was deleted");
        }

        @Test
        void interruptsAResizeAndDestroysTheCluster() throws InterruptedException {
            ClusterManager clusters = provider.manager(folder);
            clusters.createTemporary(MemoryProvider.demo(2).build());
            CountDownLatch begun = blockMachines();
            FutureTask<Cluster> resize = new FutureTask<>(() -> clusters.resize(DEMO, 4));
            Threads.start("test", resize);
            begun.await();

            assertThat(TemporaryClusters.destroyOpen(LIMIT)).isEmpty();

            requireNothing();
            assertThatThrownBy(resize::get).hasCauseInstanceOf(OperationInterruptedException.class);
        }

        @Test
        void leavesTheChangeOfAnotherClusterAlone() throws Exception {
            CountDownLatch release = new CountDownLatch(1);
            CountDownLatch begun = new CountDownLatch(1);
            provider.beforeMachines = () -> {
                begun.countDown();
                Tasks.interruptibly("interrupted by the test", release::await);
            };
            FutureTask<Cluster> creation = new FutureTask<>(
                    () -> provider.manager(folder).create(MemoryProvider.demo(2).build()));
            Threads.start("test", creation);
            begun.await();

            assertThat(TemporaryClusters.destroyOpen(LIMIT)).isEmpty();

            release.countDown();
            creation.get().close();
            assertThat(provider.machines).hasSize(2);
        }

        @Test
        void namesACreationThatDoesNotEnd() throws InterruptedException {
            CountDownLatch release = new CountDownLatch(1);
            CountDownLatch begun = new CountDownLatch(1);
            provider.beforeMachines = () -> {
                begun.countDown();
                Tasks.uninterruptibly(() -> {
                    Tasks.interruptibly("interrupted by the test", release::await);
                    return begun;
                });
            };
            FutureTask<TemporaryCluster> creation = new FutureTask<>(TemporaryClusterTest.this::create);
            Threads.start("test", creation);
            begun.await();

            assertThat(TemporaryClusters.destroyOpen(Duration.ofMillis(20)))
                    .containsExactly("temporary cluster demo may exist and be billed: its creation did not end within"
                            + " 20 ms; destroy it: clusterwright destroy demo (ClusterManager.destroy)");

            release.countDown();
            assertThatThrownBy(creation::get).hasCauseInstanceOf(OperationInterruptedException.class);
            requireNothing();
        }

        @Test
        void namesWhatCouldNotBeDestroyedAndTriesAgain() {
            provider.undeletable.add(NETWORK);
            create();

            assertThat(TemporaryClusters.destroyOpen(LIMIT)).containsExactly(LEFT);

            provider.undeletable.clear();
            assertThat(TemporaryClusters.destroyOpen(LIMIT)).isEmpty();
            requireNothing();
        }

        @Test
        void forgetsAClosedCluster() {
            provider.undeletable.add(NETWORK);
            assertThatThrownBy(create()::close).hasMessage(LEFT);
            provider.undeletable.clear();

            assertThat(TemporaryClusters.destroyOpen(LIMIT)).isEmpty();

            assertThat(provider.existing).containsExactly(NETWORK);
        }

        /** 143 is the status of a program that SIGTERM ended. */
        @ParameterizedTest
        @CsvSource({"SIGTERM, 143", "System.exit, 3"})
        void destroysTheClusterOfARealProcess(String cause, int status) throws IOException, InterruptedException {
            Process process = new ProcessBuilder(
                            ProcessHandle.current().info().command().orElse("java"),
                            "-cp",
                            System.getProperty("java.class.path"),
                            "-XX:TieredStopAtLevel=1",
                            Program.class.getName(),
                            folder.toString())
                    .redirectError(ProcessBuilder.Redirect.INHERIT)
                    .start();
            try (BufferedReader lines = process.inputReader()) {
                assertThat(lines.readLine()).isEqualTo("open");
                assertThat(store().clusters()).containsExactly(DEMO);

                if (cause.equals("SIGTERM")) {
                    process.toHandle().destroy();
                } else {
                    process.outputWriter().append('\n').flush();
                }

                assertThat(lines.lines())
                        .containsSubsequence(
                                "cluster other was not created: this program is ending",
                                "temporary cluster demo is being destroyed: this program is ending",
                                "deleted network demo");
                assertThat(process.waitFor()).isEqualTo(status);
                assertThat(store().clusters()).isEmpty();
            } finally {
                process.destroyForcibly();
            }
        }

        /** Returns when the creation of machines waits for an interrupt. */
        private CountDownLatch blockMachines() {
            CountDownLatch begun = new CountDownLatch(1);
            provider.beforeMachines = () -> {
                begun.countDown();
                Tasks.interruptibly("interrupted", new CountDownLatch(1)::await);
            };
            return begun;
        }

        private static void await(CyclicBarrier barrier) {
            try {
                barrier.await(1, TimeUnit.MINUTES);
            } catch (InterruptedException | BrokenBarrierException | TimeoutException e) {
                throw new IllegalStateException(e);
            }
        }
    }

    private static boolean begins(ClusterEvent event, Step step) {
        return event instanceof ClusterEvent.StepStarted started && started.step() == step;
    }

    /** Waits in the try block of a temporary cluster, and tries to make and to change clusters while it is destroyed. */
    static final class Program {
        public static void main(String[] arguments) throws IOException {
            ClusterManager clusters = new MemoryProvider().manager(Path.of(arguments[0]));
            CreateOptions options = CreateOptions.standard().listener(event -> {
                if (begins(event, Step.DESTROY)) {
                    refused(() -> clusters.createTemporary(MemoryProvider.demo(1)
                            .name(new ClusterName("other"))
                            .build()));
                    refused(() -> clusters.resize(DEMO, 4));
                } else if (event instanceof ClusterEvent.StepProgress progress) {
                    System.out.println(progress.line());
                }
            });
            ClusterSpec spec = MemoryProvider.demo(2).build();
            try (clusters;
                    TemporaryCluster temporary = clusters.createTemporary(spec, options)) {
                temporary.cluster().run(Command.of("hostname")).orThrow();
                System.out.println("open");
                if (System.in.read() >= 0) {
                    System.exit(3);
                }
            }
        }

        private static void refused(Runnable work) {
            try {
                work.run();
            } catch (ClusterwrightException e) {
                System.out.println(e.getMessage());
            }
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
                    .hasMessageContaining("everything created for it was deleted");
            requireNothing();
        }
    }
}
