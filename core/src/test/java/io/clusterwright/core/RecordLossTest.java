package io.clusterwright.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.clusterwright.core.spec.ClusterSpec;
import io.clusterwright.core.type.ClusterId;
import io.clusterwright.core.type.ClusterName;
import io.clusterwright.core.type.ClusterwrightException;
import io.clusterwright.core.type.NodeName;
import io.clusterwright.core.type.Secret;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.DateTimeException;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The record cannot be written: new work stops, and what deletes goes on. */
final class RecordLossTest extends LifecycleFixture {
    private static final int MOST = 200;

    private ClusterManager manager(StateStore store) {
        return ClusterManager.builder(provider).stateStore(store).build();
    }

    private static ClusterSpec spec(int count) {
        return MemoryProvider.demo(count).build();
    }

    @Test
    void aFailedCreationDeletesAllAtEveryPosition() {
        int failures =
                atEveryPosition(1, store -> manager(store).create(spec(2)).close(), (failure, position) -> {
                    assertThat(failure)
                            .as("position %s", position)
                            .isInstanceOf(ClusterwrightException.class)
                            .hasMessageContaining("no room for");
                    assertThat(provider.existing).as("position %s", position).isEmpty();
                    assertThat(store().clusters()).as("position %s", position).isEmpty();
                    provider.images.clear();
                });
        assertThat(failures).isGreaterThan(10);
        assertThat(provider.machines).hasSize(2);
    }

    @Test
    void aDestructionDeletesAllAtEveryPosition() {
        for (int position = 1; position < 8; position++) {
            manager().create(spec(2)).close();
            DestroyReport report = manager(new Failing(folder, position)).destroy(DEMO);
            assertThat(report.left()).isEmpty();
            assertThat(report.deleted()).hasSize(3);
            assertThat(provider.existing).isEmpty();
            assertThat(folder.resolve("clusters")).doesNotExist();
        }
    }

    @Test
    void aFailedGrowthKeepsTheNodesAndSaysThatTheyRemain() {
        manager().create(spec(2)).close();
        int failures =
                atEveryPosition(1, store -> manager(store).resize(DEMO, 3).close(), (failure, position) -> {
                    assertThat(failure)
                            .isInstanceOf(ClusterwrightException.class)
                            .hasMessageContaining("no room for entry");
                    assertThat(provider.machines)
                            .as("position %s: %s", position, failure)
                            .containsOnlyKeys(new NodeName("demo11"), new NodeName("demo12"));
                    assertThat(provider.existing).contains(new ResourceId("network", "demo"));
                    if (position == 1) {
                        assertThat(failure).hasMessageEndingWith("; nothing was deleted or made");
                    } else if (failure instanceof CreateFailedException known) {
                        assertThat(known)
                                .hasMessageContaining(
                                        "; everything created for it was deleted; of what was there before, demo[11-12]"
                                                + " remain, and are billed where machines are: create the cluster again to"
                                                + " complete it, or destroy it");
                        assertThat(known.left()).contains(new ResourceId("machine", "demo11"));
                    }
                });
        assertThat(failures).isGreaterThan(3);
        assertThat(provider.machines).hasSize(3);
        assertThat(manager().destroy(DEMO).left()).isEmpty();
        assertThat(provider.existing).isEmpty();
    }

    @Test
    void stopsAndStartsAreRepeatableAtEveryPosition() {
        manager().create(spec(2)).close();
        atEveryPosition(
                1,
                store -> manager(store).stop(DEMO),
                (failure, position) -> assertThat(failure).isInstanceOf(ClusterwrightException.class));
        atEveryPosition(
                1,
                store -> manager(store).start(DEMO).close(),
                (failure, position) -> assertThat(failure).isInstanceOf(ClusterwrightException.class));
        assertThat(manager().list())
                .singleElement()
                .hasFieldOrPropertyWithValue("phase", ClusterSummary.ClusterPhase.READY);
        assertThat(manager().destroy(DEMO).left()).isEmpty();
    }

    @Test
    void aFailedAdoptionKeepsTheKeysAndIsRepeatableAtEveryPosition() throws IOException {
        manager().create(spec(2)).close();
        Path record = folder.resolve("clusters/demo");
        Files.delete(record.resolve("journal.jsonl"));
        ClusterId id = manager().untracked().get(0).id();

        int failures =
                atEveryPosition(1, store -> manager(store).adopt(id, spec(2), event -> {}), (failure, position) -> {
                    assertThat(failure)
                            .isInstanceOf(ClusterwrightException.class)
                            .hasMessageContaining("no room for");
                    assertThat(record.resolve("secrets/login"))
                            .as("position %s", position)
                            .exists();
                    assertThat(manager().list())
                            .as("position %s", position)
                            .allMatch(found -> found.damage()
                                    .filter(damage -> damage.endsWith("ends in the middle of an adoption"))
                                    .isPresent());
                });

        assertThat(failures).isGreaterThan(3);
        manager().resize(DEMO, 3).close();
        assertThat(provider.machines).hasSize(3);
    }

    @Test
    void theFirstErrorIsReportedAndTheOthersAreSuppressed() {
        MemoryBackend.failing = "customize";
        provider.queryFails = true;
        assertThatThrownBy(() -> manager().create(spec(2)))
                .isInstanceOf(CreateFailedException.class)
                .hasMessageContaining("customize failed as the test wanted")
                .hasMessageContaining("its clean-up did not finish: no answer to the query")
                .hasMessageContaining("destroy the cluster to try again");
        assertThat(store().clusters()).containsExactly(DEMO);
        provider.queryFails = false;
        assertThat(manager().destroy(DEMO).left()).isEmpty();
    }

    @Test
    void anUnexpectedErrorOfTheCleanUpHidesNeitherTheFailureNorWhatIsLeft() {
        MemoryBackend.failing = "customize";
        provider.onQuery = () -> {
            throw new DateTimeException("not a time");
        };
        assertThatThrownBy(() -> manager().create(spec(2)))
                .isInstanceOf(CreateFailedException.class)
                .hasMessageContaining("customize failed as the test wanted")
                .hasMessageContaining("its clean-up did not finish: not a time: destroy the cluster to try again");
    }

    @Test
    void aListOfPastChecksThatCannotBeKeptOrReadFailsNothing() throws IOException {
        ForeignImageCheck.answer = CheckReport.Status.PASSED;
        try (Cluster cluster = manager().create(spec(2))) {
            Files.createDirectories(folder.resolve("clusters/demo/secrets/checks/in the way"));

            assertThat(manager().verify(cluster)).extracting(CheckReport::check).contains("foreign-image");
            assertThat(manager().describe(DEMO, List.of(), 1).nodes()).hasSize(2);
        }
    }

    @Test
    void aFailedGrowthKeepsNoHostKeyOfANodeThatIsGone() {
        manager().create(spec(2)).close();
        provider.refused.add(node(13));

        assertThatThrownBy(() -> manager().resize(DEMO, 3)).hasMessageContaining("no capacity for demo13");

        assertThat(store().secrets(DEMO).get("host-demo12")).isPresent();
        assertThat(store().secrets(DEMO).get("host-demo13")).isEmpty();
        assertThat(folder.resolve("clusters/demo/secrets/host-demo13.pub")).doesNotExist();
    }

    @Test
    @Tag("breadth")
    void creationOnAFullDiskLeavesNothingAndSucceedsOnceThereIsRoom() throws IOException {
        try (FullDisk disk = new FullDisk(folder.resolve("small"))) {
            StateStore store = StateStore.inFolder(disk.folder());
            int failures = 0;
            for (int pages = 0; pages < 12; pages++) {
                disk.leave(pages);
                Throwable failure =
                        catchThrowable(() -> manager(store).create(spec(2)).close());
                if (failure == null) {
                    disk.fill();
                    assertThat(manager(store).destroy(DEMO).left()).isEmpty();
                } else {
                    failures++;
                    assertThat(failure)
                            .isInstanceOf(ClusterwrightException.class)
                            .hasMessageContaining(disk.folder().toString())
                            .hasMessageContaining("No space left on device");
                }
                assertThat(provider.existing).as("%s pages: %s", pages, failure).isEmpty();
                assertThat(disk.folder().resolve("clusters"))
                        .as("%s pages: %s", pages, failure)
                        .doesNotExist();
                provider.images.clear();
            }
            assertThat(failures).isGreaterThan(3);
            disk.empty();
            manager(store).create(spec(2)).close();
            assertThat(provider.machines).hasSize(2);
        }
    }

    @Test
    void aDamagedRecordStopsNoOtherCluster() throws IOException {
        manager().create(spec(2)).close();
        store().open(new ClusterName("torn")).close();
        Files.writeString(folder.resolve("clusters/torn/journal.jsonl"), "{\"entry\":\n");

        assertThat(manager().list()).extracting(ClusterSummary::name).containsExactly(DEMO, new ClusterName("torn"));
        assertThat(ClusterManager.list(store()).get(1).damage())
                .hasValueSatisfying(reason -> assertThat(reason)
                        .contains("line 1 of " + folder.resolve("clusters/torn/journal.jsonl") + " cannot be read"));
        manager().open(DEMO).close();
    }

    /** Fails at every position of the journal in turn; returns their number once the work succeeds. */
    private int atEveryPosition(int first, Consumer<StateStore> work, Judge judge) {
        for (int position = first; position < MOST; position++) {
            StateStore store = new Failing(folder, position);
            Throwable failure = catchThrowable(() -> work.accept(store));
            if (failure == null) {
                return position - first;
            }
            judge.judge(failure, position);
        }
        throw new AssertionError("fails at more than " + MOST + " positions");
    }

    private interface Judge {
        void judge(Throwable failure, int position);
    }

    /** A store in a folder that has no room from one of its entries on. */
    private static final class Failing implements StateStore {
        private final StateStore real;
        private final int position;
        private final AtomicInteger entries = new AtomicInteger();

        Failing(Path folder, int position) {
            this.real = StateStore.inFolder(folder);
            this.position = position;
        }

        @Override
        public List<ClusterName> clusters() {
            return real.clusters();
        }

        @Override
        public List<String> read(ClusterName cluster) {
            return real.read(cluster);
        }

        @Override
        public Optional<String> owner() {
            return real.owner();
        }

        @Override
        public Optional<String> makeOwner() {
            return real.makeOwner();
        }

        @Override
        public SecretStore secrets(ClusterName cluster) {
            SecretStore secrets = real.secrets(cluster);
            return new SecretStore() {
                @Override
                public Optional<Secret> get(String name) {
                    return secrets.get(name);
                }

                @Override
                public void put(String name, Secret secret) {
                    if (entries.get() >= position) {
                        throw new ClusterwrightException("no room for secret " + name);
                    }
                    secrets.put(name, secret);
                }

                @Override
                public void remove(String name) {
                    secrets.remove(name);
                }
            };
        }

        @Override
        public Writer open(ClusterName cluster) {
            Writer writer = real.open(cluster);
            return new Writer() {
                @Override
                public void append(String entry) {
                    int number = entries.incrementAndGet();
                    if (number >= position) {
                        throw new ClusterwrightException("no room for entry " + number);
                    }
                    writer.append(entry);
                }

                @Override
                public void forget() {
                    writer.forget();
                }

                @Override
                public void close() {
                    writer.close();
                }
            };
        }
    }
}
