package io.clusterwright.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.clusterwright.core.internal.state.ClusterRecords;
import io.clusterwright.core.spec.ClusterSpec;
import io.clusterwright.core.type.ClusterName;
import io.clusterwright.core.type.Secret;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The life of a cluster takes work that grows with the nodes, not with their square. */
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
        long few = life(10).get(ENTRIES);
        long more = life(110).get(ENTRIES);
        long most = life(1_110).get(ENTRIES);

        assertThat(most - more).isEqualTo(10 * (more - few));
    }

    @Test
    void appendsAnEntryWithoutTheOthers() {
        Growth.requireLinear(entries -> {
            StateStore store = StateStore.in(folder.resolve(Integer.toString(entries)));
            int written = entries / 10;
            try (StateStore.Writer writer = store.open(NAME)) {
                Growth growth = Growth.start();
                for (int i = 0; i < written; i++) {
                    writer.append("{\"entry\":\"creating\",\"kind\":\"machine\",\"name\":\"demo\"}");
                }
                long bytes = growth.bytes();
                writer.forget();
                return Map.of("append", bytes);
            }
        });
    }

    /** What each step of a cluster's life takes, in bytes, and what its journal holds. */
    private static Map<String, Long> life(int nodes) {
        MemoryBackend.reset();
        MemoryProvider provider = new MemoryProvider();
        CountingStore store = new CountingStore();
        ClusterSpec spec = spec(nodes);
        Map<String, Long> bytes = new LinkedHashMap<>();
        try (ClusterManager manager =
                ClusterManager.builder(provider).stateStore(store).build()) {
            count(bytes, "create", provider, growth -> {
                try (Cluster cluster =
                        manager.create(spec, CreateOptions.standard().listener(event -> growth.tell()))) {
                    assertThat(cluster.nodes()).hasSize(nodes);
                }
            });
            bytes.put(ENTRIES, (long) store.entries.size());
            bytes.put("characters of the journal", store.characters.get());
            count(
                    bytes,
                    "create again",
                    provider,
                    growth -> manager.create(spec, CreateOptions.standard().listener(event -> growth.tell()))
                            .close());
            count(
                    bytes,
                    "read the record",
                    provider,
                    growth ->
                            assertThat(ClusterRecords.all(store).get(0).nodes()).hasSize(nodes));
            count(bytes, "list", provider, growth -> assertThat(manager.list()).hasSize(1));
            count(
                    bytes,
                    "states",
                    provider,
                    growth -> assertThat(manager.states(NAME)).hasSize(nodes));
            count(
                    bytes,
                    "describe",
                    provider,
                    growth -> assertThat(manager.describe(NAME, List.of(), 1).nodes())
                            .hasSize(nodes));
            count(
                    bytes,
                    "ssh access",
                    provider,
                    growth -> assertThat(manager.sshAccess(NAME).routes()).hasSize(nodes));
            count(
                    bytes,
                    "shrink",
                    provider,
                    growth -> manager.resize(
                                    NAME, nodes / 2, CreateOptions.standard().listener(event -> growth.tell()))
                            .close());
            count(bytes, "stop", provider, growth -> manager.stop(NAME, event -> growth.tell()));
            bytes.put("readings of the journal", (long) store.readings.get());
            count(bytes, "destroy", provider, growth -> manager.destroy(NAME, event -> growth.tell()));
        }
        return bytes;
    }

    private static void count(Map<String, Long> bytes, String what, MemoryProvider provider, Consumer<Growth> work) {
        Growth growth = Growth.start();
        provider.onState = growth::tell;
        work.accept(growth);
        bytes.put(what, growth.bytes());
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
