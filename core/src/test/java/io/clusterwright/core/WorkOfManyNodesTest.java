package io.clusterwright.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.clusterwright.core.internal.state.ClusterRecords;
import io.clusterwright.core.spec.ClusterSpec;
import io.clusterwright.core.testing.Growth;
import io.clusterwright.core.type.ClusterName;
import io.clusterwright.core.type.Secret;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.ResourceLock;

/** The life of a cluster takes work that grows with the nodes, not with their square. */
@ResourceLock(MemoryBackend.LOCK)
class WorkOfManyNodesTest {
    private static final ClusterName NAME = new ClusterName("demo");
    private static final String ENTRIES = "entries of the journal";

    @TempDir
    Path folder;

    private static ClusterSpec spec(int nodes) {
        return ClusterSpec.builder(NAME)
                .region("westus")
                .nodes(n -> n.count(nodes).prefix("demo").firstIndex(10_001).size("Standard_A9"))
                .network(n -> n.subnet("Subnet-1", "10.32.0.0/17"))
                .suppress("CW-PLACE-001")
                .build();
    }

    @Test
    void livesWithWorkThatGrowsWithTheNodes() {
        Growth.requireLinear(WorkOfManyNodesTest::life);
    }

    @Test
    void writesAsManyEntriesForEachNode() {
        long few = life(10).of(ENTRIES);
        long more = life(110).of(ENTRIES);
        long most = life(1_110).of(ENTRIES);

        assertThat(most - more).isEqualTo(10 * (more - few));
    }

    @Test
    void appendsAnEntryWithoutTheOthers() {
        Growth.requireLinear(entries -> {
            StateStore store = StateStore.inFolder(folder.resolve(Integer.toString(entries)));
            int written = entries / 10;
            try (StateStore.Writer writer = store.open(NAME)) {
                Growth growth = new Growth().step("append", () -> {
                    for (int i = 0; i < written; i++) {
                        writer.append("{\"entry\":\"creating\",\"kind\":\"machine\",\"name\":\"demo\"}");
                    }
                });
                writer.forget();
                return growth;
            }
        });
    }

    /** What each step of a cluster's life takes, in bytes, and what its journal holds. */
    private static Growth life(int nodes) {
        MemoryBackend.reset();
        MemoryProvider provider = new MemoryProvider();
        CountingStore store = new CountingStore();
        ClusterSpec spec = spec(nodes);
        Growth growth = new Growth();
        provider.onState = growth::tell;
        try (ClusterManager manager =
                ClusterManager.builder(provider).stateStore(store).build()) {
            growth.step("create", () -> {
                try (Cluster cluster =
                        manager.create(spec, CreateOptions.standard().listener(event -> growth.tell()))) {
                    assertThat(cluster.nodes()).hasSize(nodes);
                }
            });
            growth.figure(ENTRIES, store.entries.size());
            growth.figure("characters of the journal", store.characters.get());
            growth.step(
                    "create again",
                    () -> manager.create(spec, CreateOptions.standard().listener(event -> growth.tell()))
                            .close());
            growth.step(
                    "read the record",
                    () -> assertThat(ClusterRecords.all(store).get(0).nodes()).hasSize(nodes));
            growth.step("list", () -> assertThat(manager.list()).hasSize(1));
            growth.step("states", () -> assertThat(manager.states(NAME)).hasSize(nodes));
            growth.step(
                    "describe",
                    () -> assertThat(manager.describe(NAME, List.of(), 1).nodes())
                            .hasSize(nodes));
            growth.step(
                    "ssh access",
                    () -> assertThat(manager.sshAccess(NAME).routes()).hasSize(nodes));
            growth.step(
                    "shrink",
                    () -> manager.resize(
                                    NAME, nodes / 2, CreateOptions.standard().listener(event -> growth.tell()))
                            .close());
            growth.step("stop", () -> manager.stop(NAME, event -> growth.tell()));
            growth.figure("readings of the journal", store.readings.get());
            growth.step("destroy", () -> manager.destroy(NAME, event -> growth.tell()));
        }
        return growth;
    }

    /** A store in memory. */
    private static final class CountingStore implements StateStore {
        final List<String> entries = new ArrayList<>();
        final AtomicLong characters = new AtomicLong();
        final AtomicInteger readings = new AtomicInteger();
        private final Map<String, Secret> secrets = new ConcurrentHashMap<>();

        @Override
        public List<ClusterName> clusters() {
            return entries.isEmpty() ? List.of() : List.of(NAME);
        }

        @Override
        public synchronized List<String> read(ClusterName cluster) {
            readings.incrementAndGet();
            return List.copyOf(entries);
        }

        @Override
        public SecretStore secrets(ClusterName cluster) {
            return new SecretStore() {
                @Override
                public Optional<Secret> get(String name) {
                    return Optional.ofNullable(secrets.get(name));
                }

                @Override
                public void put(String name, Secret secret) {
                    secrets.put(name, secret);
                }

                @Override
                public void remove(String name) {
                    secrets.remove(name);
                }

                @Override
                public Optional<Path> file(String name) {
                    return Optional.of(Path.of(name));
                }
            };
        }

        @Override
        public Writer open(ClusterName cluster) {
            return new Writer() {
                @Override
                public void append(String entry) {
                    synchronized (CountingStore.this) {
                        entries.add(entry);
                        characters.addAndGet(entry.length());
                    }
                }

                @Override
                public void forget() {
                    entries.clear();
                }

                @Override
                public void close() {}
            };
        }
    }
}
