package io.clusterwright.core.internal.state;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.clusterwright.core.ClusterSummary.ClusterPhase;
import io.clusterwright.core.ResourceId;
import io.clusterwright.core.StateStore;
import io.clusterwright.core.internal.text.TextResource;
import io.clusterwright.core.spec.ClusterSpec;
import io.clusterwright.core.spec.SpecReader;
import io.clusterwright.core.spi.Machine;
import io.clusterwright.core.type.ClusterId;
import io.clusterwright.core.type.ClusterName;
import io.clusterwright.core.type.ClusterwrightException;
import io.clusterwright.core.type.Interconnect;
import io.clusterwright.core.type.Ipv4Address;
import io.clusterwright.core.type.NodeName;
import io.clusterwright.core.type.SshPublicKey;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Records of each format are kept as test data in {@code journals}: {@code format-0.jsonl} and so on. */
class RecordFormatTest {
    private static final ClusterName DEMO = new ClusterName("demo");
    private static final Instant CREATED = Instant.parse("2026-11-28T08:00:00Z");
    private static final String KEY =
            "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8g";

    @TempDir
    Path folder;

    private FileStateStore store() {
        return new FileStateStore(folder);
    }

    private Path journal() {
        return folder.resolve("clusters/demo/journal.jsonl");
    }

    private ClusterRecord record(String text) throws IOException {
        store().open(DEMO).close();
        Files.writeString(journal(), text);
        return new ClusterRecords(store(), "local").readable(DEMO).orElseThrow();
    }

    private static String kept(int format) {
        String name = "/journals/format-" + format + ".jsonl";
        return TextResource.read(RecordFormatTest.class.getResourceAsStream(name), name);
    }

    /** The journal with more fields in the spec. */
    private static String withFields(String journal, String fields) {
        return journal.replace("\\\"timeToLive", fields.replace("\"", "\\\"") + ",\\\"timeToLive");
    }

    static IntStream formats() {
        return IntStream.rangeClosed(0, RecordFormat.NUMBER);
    }

    @ParameterizedTest
    @MethodSource("formats")
    void readsTheRecordsOfEachFormat(int format) throws IOException {
        ClusterRecord record = record(kept(format));

        assertThat(record).isInstanceOf(ClusterState.class);
        assertThat(record.id()).isEqualTo(new ClusterId(DEMO, "3f09c1d27a5be804"));
        assertThat(record.provider()).isEqualTo("local");
        assertThat(record.phase()).isEqualTo(ClusterPhase.READY);
        assertThat(record.created()).contains(CREATED);
        assertThat(record.expires()).contains(CREATED.plusSeconds(8 * 3600));
        assertThat(record.machines()).containsOnlyKeys(new NodeName("demo1"), new NodeName("demo2"));
        assertThat(record.resources()).hasToString("[network demo, machine demo1, machine demo2]");
        assertThat(record.spec()).isNotNull().satisfies(spec -> {
            assertThat(spec.nodes().count()).isEqualTo(2);
            assertThat(spec.image().customize().packages()).containsExactly("nfs-common");
        });
    }

    /** A format that changes needs a new number, and its journal among the test data. */
    @Test
    void writesTheFormatOfItsNumber() {
        StringBuilder written = new StringBuilder();
        StateStore.Writer writer = new StateStore.Writer() {
            @Override
            public void append(String entry) {
                written.append(entry.replaceFirst("\"by\":\"[^\"]*\",", "")).append('\n');
            }

            @Override
            public void forget() {}

            @Override
            public void close() {}
        };
        Journal journal =
                new Journal(new ClusterId(DEMO, "3f09c1d27a5be804"), writer, Clock.fixed(CREATED, ZoneOffset.UTC));
        ClusterSpec spec = SpecReader.read(
                        "{name: demo, region: westus, nodes: {count: 2}, timeToLive: 8h,"
                                + " image: {customize: {packages: [nfs-common]}}}",
                        "demo.yaml")
                .toBuilder()
                .baseFolder(Path.of("/work"))
                .build();
        journal.began(spec, "local", ClusterPhase.CREATING, false);
        journal.creating(new ResourceId("network", "demo"));
        journal.created(new ResourceId("network", "demo"));
        for (int i = 1; i <= 2; i++) {
            Machine machine = machine(i);
            journal.creating(machine.resource());
            journal.created(machine.resource());
            journal.booting(machine);
            journal.machine(machine);
        }
        journal.phase(ClusterPhase.READY);

        assertThat(written.toString()).isEqualTo(kept(RecordFormat.NUMBER));
    }

    private static Machine machine(int number) {
        return new Machine(
                new NodeName("demo" + number),
                Ipv4Address.of("10.32.0." + (3 + number)),
                new ResourceId("machine", "demo" + number),
                SshPublicKey.of(KEY),
                Interconnect.NONE);
    }

    @Test
    void readsAnOlderRecordWithoutTheFieldsThatAreGoneOrStricterNow() throws IOException {
        String old = withFields(kept(0), "\"gone\":{\"a\":1},\"suppress\":7");
        assertThat(old).contains("gone");

        ClusterRecord record = record(old);

        assertThat(record).isInstanceOf(ClusterState.class);
        assertThat(record.machines()).hasSize(2);
        assertThat(record.spec())
                .isNotNull()
                .satisfies(spec -> assertThat(spec.nodes().count()).isEqualTo(2));
    }

    @Nested
    class OfANewerVersion {
        private static final String BEGINNING =
                "the record of cluster demo was written by version 2.0.0, which knows more than" + " this version";

        private String newer(String change) {
            String text = kept(1).replaceFirst("\"format\":1,", "\"format\":1,\"by\":\"2.0.0\",");
            return switch (change) {
                case "format" -> text.replaceFirst("\"format\":1", "\"format\":2");
                case "entry" -> text + "{\"at\":\"2026-11-28T09:00:00Z\",\"entry\":\"paused\"}\n";
                case "value" -> text.replaceFirst("\"NONE\"", "\"ULTRA\"");
                case "spec" -> withFields(text, "\"network\":{\"addressSpace\":\"fd00::/48\"}");
                case "text" -> text.replaceFirst("\"format\":1", "\"format\":\"x\"");
                case "null" -> text.replaceFirst("\"format\":1", "\"format\":null");
                case "large" -> text.replaceFirst("\"format\":1", "\"format\":4294967297");
                case "field" -> withFields(text, "\"storage\":1");
                default -> throw new AssertionError(change);
            };
        }

        @ParameterizedTest
        @ValueSource(strings = {"format", "entry", "field", "value", "spec", "text", "null", "large"})
        void isNamedWithItsVersionAndNeverDamaged(String change) throws IOException {
            ClusterRecord record = record(newer(change));

            assertThat(record.phase()).isEqualTo(ClusterPhase.NEWER);
            assertThat(record.damage()).isEmpty();
            assertThat(record.newer())
                    .hasValueSatisfying(reason -> assertThat(reason)
                            .startsWith(BEGINNING)
                            .contains(journal().toString())
                            .contains("Use version 2.0.0 of clusterwright for this cluster, or upgrade this one")
                            .doesNotContain("damaged", "destroy", "adopt"));
            assertThat(record.knownId()).contains(new ClusterId(DEMO, "3f09c1d27a5be804"));
            assertThat(record.resources()).isNotEmpty();
            assertThatThrownBy(() -> new ClusterRecords(store(), "local").find(DEMO))
                    .isExactlyInstanceOf(ClusterwrightException.class)
                    .hasMessage(record.newer().orElseThrow());
        }

        @Test
        void isNamedByWhatIsNotKnown() throws IOException {
            assertThat(record(newer("format")).newer().orElseThrow())
                    .contains("line 1 of " + journal() + " has format 2, and this version reads formats up to 1");
            assertThat(record(newer("entry")).newer().orElseThrow()).contains("has the entry \"paused\"");
            assertThat(record(newer("field")).newer().orElseThrow()).contains("has the field storage in its spec");
            assertThat(record(newer("value")).newer().orElseThrow()).contains("there is no interconnect \"ULTRA\"");
            assertThat(record(newer("spec")).newer().orElseThrow())
                    .contains("cannot be read: in its spec, network.addressSpace: ");
        }

        @Test
        void hasNoVersionWhereTheRecordNamesNone() throws IOException {
            assertThat(record(kept(1).replaceFirst("\"format\":1", "\"format\":2"))
                            .newer())
                    .hasValueSatisfying(reason -> assertThat(reason)
                            .startsWith("the record of cluster demo was written by a newer version, which knows more"));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"\"x\"", "null", "1.9", "-1"})
    void aFormatThatIsNoNumberIsDamagedAndNotOld(String format) throws IOException {
        assertThat(record(kept(1).replaceFirst("\"format\":1", "\"format\":" + format))
                        .damage())
                .hasValueSatisfying(reason -> assertThat(reason).contains("the format " + format + " is no number"));
    }

    @Test
    void onlyAnotherVersionThatIsNotOlderMayKnowMore() {
        assertThat(RecordFormat.mayKnowMore("")).isFalse();
        assertThat(RecordFormat.mayKnowMore("2.0.0")).isTrue();
    }

    @Test
    void aMachineIsBootingUntilItIsReadyOrGone() throws IOException {
        String booting = kept(1).lines()
                .filter(line -> !line.contains("\"machine\",\"node\":\"demo2\""))
                .reduce("", (text, line) -> text + line + "\n");

        ClusterRecord record = record(booting);
        assertThat(record.machines()).containsOnlyKeys(new NodeName("demo1"));
        assertThat(record.booting()).containsOnlyKeys(new NodeName("demo2"));
        assertThat(record(kept(1)).booting()).isEmpty();
        assertThat(record(
                                booting
                                        + "{\"at\":\"2026-11-28T08:00:00Z\",\"entry\":\"deleted\",\"kind\":\"machine\",\"name\":\"demo2\"}\n")
                        .booting())
                .isEmpty();
    }

    @Test
    void anAdoptedRecordKeepsTheTimeOfCreation() throws IOException {
        store().open(DEMO).close();
        try (StateStore.Writer writer = store().open(DEMO)) {
            new Journal(
                            new ClusterId(DEMO, "3f09c1d27a5be804"),
                            writer,
                            Clock.fixed(CREATED.plusSeconds(3600), ZoneOffset.UTC))
                    .adopted(
                            SpecReader.read("{name: demo, region: westus, nodes: {count: 2}}", "s"),
                            "local",
                            Optional.of(CREATED));
            writer.append("{\"at\":\"2026-11-28T09:00:00Z\",\"entry\":\"ready\"}");
        }
        assertThat(ClusterRecords.all(store()))
                .singleElement()
                .satisfies(record -> assertThat(record.created()).contains(CREATED));
    }
}
