package io.clusterwright.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.clusterwright.core.ClusterSummary.ClusterPhase;
import io.clusterwright.core.plan.Finding;
import io.clusterwright.core.plan.Severity;
import io.clusterwright.core.spec.ClusterSpec;
import io.clusterwright.core.type.ClusterId;
import io.clusterwright.core.type.ClusterName;
import io.clusterwright.core.type.ClusterwrightException;
import io.clusterwright.core.type.NodeName;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.ResourceLock;

/** Clusters at a provider of which a state folder has no record, or a damaged one. */
@ResourceLock(MemoryBackend.LOCK)
final class AdoptionTest {
    private static final ClusterName NAME = new ClusterName("demo");

    @TempDir
    Path mine;

    @TempDir
    Path other;

    private final MemoryProvider provider = new MemoryProvider();
    private final List<ClusterEvent> events = Collections.synchronizedList(new ArrayList<>());

    @BeforeEach
    void create() {
        MemoryBackend.reset();
        manager(mine).create(spec()).close();
    }

    private ClusterManager manager(Path folder) {
        return provider.manager(folder);
    }

    private static ClusterSpec spec() {
        return MemoryProvider.demo(2).build();
    }

    private ClusterId id() {
        return provider.marked().get(0).id();
    }

    private List<String> notices() {
        return events.stream()
                .filter(ClusterEvent.Noticed.class::isInstance)
                .map(event -> ((ClusterEvent.Noticed) event).finding())
                .map(Finding::code)
                .toList();
    }

    private Path journal() {
        return mine.resolve("clusters/demo/journal.jsonl");
    }

    @Test
    void aSecondUserOfANameIsRefusedAndDeletesNothing() {
        ClusterManager second = manager(other);

        assertThat(second.plan(spec()).findings())
                .filteredOn(finding -> finding.code().equals("CW-NAME-006"))
                .singleElement()
                .satisfies(finding -> {
                    assertThat(finding.isError()).isTrue();
                    assertThat(finding.message())
                            .isEqualTo("a cluster of this name already exists (memory) with id " + id().id()
                                    + ", and this state folder has no record of it");
                    assertThat(finding.remedy())
                            .endsWith("adopt demo --id " + id().id() + " --on memory (ClusterManager.adopt)");
                });
        assertThatThrownBy(() -> second.create(spec()))
                .isInstanceOf(SpecRefusedException.class)
                .hasMessageContaining("CW-NAME-006");
        assertThatThrownBy(() -> second.create(
                        spec().toBuilder().suppress(List.of("CW-NAME-006")).build()))
                .isInstanceOf(ClusterwrightException.class)
                .hasMessageContaining(
                        "cluster demo was not created: it exists on memory (memory) with id " + id().id());
        assertThatThrownBy(() -> second.destroy(NAME))
                .isInstanceOf(ClusterwrightException.class)
                .hasMessage("cluster demo was not destroyed: it exists on memory (memory) with id "
                        + id().id()
                        + ", and this state folder has no record of it. It may belong to another user. If it is yours,"
                        + " set CLUSTERWRIGHT_STATE to the state folder that created it (StateStore.in), or run: clusterwright"
                        + " adopt demo --id " + id().id() + " --on memory (ClusterManager.adopt)");
        assertThat(provider.machines).hasSize(2);
        assertThat(other.resolve("clusters")).doesNotExist();
        assertThat(manager(mine).plan(spec()).isFeasible()).isTrue();
    }

    @Test
    void listsAndDeletesWhatHasNoRecord() {
        assertThat(manager(mine).untracked()).isEmpty();
        assertThat(manager(other).untracked()).extracting(MarkedCluster::id).containsExactly(id());
        assertThatThrownBy(() -> manager(mine).destroyUntracked(id(), events::add))
                .hasMessage("memory has no untracked cluster with id " + id() + "; run: clusterwright list --untracked"
                        + " (ClusterManager.untracked)");

        DestroyReport report = manager(other).destroyUntracked(id(), events::add);

        assertThat(report.left()).isEmpty();
        assertThat(report.deleted()).hasSize(3);
        assertThat(provider.existing).isEmpty();
    }

    @Test
    void adoptsAClusterOfAnotherFolderWithoutItsKeys() {
        ClusterManager second = manager(other);
        assertThat(second.adoptable(NAME)).extracting(MarkedCluster::id).containsExactly(id());

        ClusterSummary adopted = second.adopt(id(), spec(), events::add);

        assertThat(adopted.phase()).isEqualTo(ClusterPhase.READY);
        assertThat(adopted.nodes())
                .extracting(Node::name)
                .containsExactly(new NodeName("demo11"), new NodeName("demo12"));
        assertThat(notices()).containsExactly("CW-ADOPT-001");
        assertThat(second.untracked()).isEmpty();
        assertThat(second.stop(NAME).phase()).isEqualTo(ClusterPhase.STOPPED);
        assertThat(second.destroy(NAME).left()).isEmpty();
        assertThat(provider.existing).isEmpty();
        assertThat(other.resolve("clusters")).doesNotExist();
    }

    @Test
    void anAdoptedClusterGetsItsKeysAsTheFindingSays() throws IOException {
        List<Node> nodes = manager(mine).list().get(0).nodes();
        assertThat(manager(other).adopt(id(), spec(), events::add).nodes()).isNotEqualTo(nodes);
        Path journal = other.resolve("clusters/demo/journal.jsonl");
        assertThat(events.toString())
                .contains(
                        "delete the file " + journal,
                        "copy the folder secrets beside it",
                        "clusterwright adopt demo --on ");

        Files.delete(journal);
        try (Stream<Path> secrets = Files.list(mine.resolve("clusters/demo/secrets"))) {
            for (Path secret : secrets.toList()) {
                Files.copy(
                        secret,
                        other.resolve("clusters/demo/secrets").resolve(secret.getFileName()),
                        StandardCopyOption.REPLACE_EXISTING);
            }
        }
        events.clear();

        assertThat(manager(other).adopt(id(), spec(), events::add).nodes()).isEqualTo(nodes);
        assertThat(notices()).isEmpty();
    }

    @Test
    void adoptsAClusterOfWhichNoDescriptionIsKnown() {
        ClusterSummary adopted = manager(other).adopt(id(), events::add);

        assertThat(adopted.nodes()).isEmpty();
        assertThat(manager(other).list()).extracting(ClusterSummary::name).containsExactly(NAME);
        assertThat(events.toString()).contains("it can be listed and destroyed");
        assertThat(manager(other).destroy(NAME).left()).isEmpty();
        assertThat(provider.existing).isEmpty();
    }

    @Test
    void aRecordOfANewerVersionIsLeftAlone() throws IOException {
        Files.writeString(
                journal(), Files.readString(journal()).replace("\"format\":1", "\"format\":2,\"by\":\"2.0.0\""));
        String before = Files.readString(journal());
        Set<ResourceId> existing = Set.copyOf(provider.existing);
        ClusterManager manager = manager(mine);

        for (ThrowingCallable use : List.<ThrowingCallable>of(
                () -> manager.open(NAME),
                () -> manager.create(spec()),
                () -> manager.resize(NAME, 3),
                () -> manager.stop(NAME),
                () -> manager.destroy(NAME),
                () -> manager.adoptable(NAME),
                () -> manager.adopt(id(), events::add),
                () -> manager.sshAccess(NAME))) {
            assertThatThrownBy(use)
                    .hasMessageContaining("the record of cluster demo was written by version 2.0.0, which knows more")
                    .hasMessageContaining("Use version 2.0.0 of clusterwright for this cluster");
        }

        assertThat(Files.readString(journal())).isEqualTo(before);
        assertThat(provider.existing).containsExactlyInAnyOrderElementsOf(existing);
        assertThat(manager.untracked()).isEmpty();
        assertThat(manager.list()).singleElement().satisfies(record -> {
            assertThat(record.phase()).isEqualTo(ClusterPhase.NEWER);
            assertThat(record.newer()).isPresent();
        });
    }

    @Test
    void rebuildsADamagedRecordWithItsKeysAndDescription() throws IOException {
        List<Node> nodes = manager(mine).list().get(0).nodes();
        Optional<Instant> created = manager(mine).list().get(0).created();
        String whole = Files.readString(journal());
        Files.writeString(journal(), whole.replaceFirst("\n", "\n{\"at\":\"2026-01-\n"));
        assertThat(manager(mine).list()).singleElement().satisfies(record -> {
            assertThat(record.phase()).isEqualTo(ClusterPhase.DAMAGED);
            assertThat(record.provider()).isEqualTo("memory");
        });
        assertThatThrownBy(() -> manager(mine).open(NAME))
                .hasMessageContaining("the record of cluster demo is damaged: line 2 of " + journal());

        ClusterSummary rebuilt = manager(mine).adopt(id(), events::add);

        assertThat(rebuilt.nodes()).isEqualTo(nodes);
        assertThat(rebuilt.created()).isEqualTo(created).isPresent();
        assertThat(notices()).isEmpty();
        manager(mine).resize(NAME, 3).close();
        assertThat(provider.machines).hasSize(3);
        assertThat(manager(mine).destroy(NAME).left()).isEmpty();
    }

    @Test
    void rebuildsARecordOfWhichNothingCanBeRead() throws IOException {
        List<Node> nodes = manager(mine).list().get(0).nodes();
        Files.writeString(journal(), "\0\0\0\n");
        assertThat(manager(mine).untracked()).isEmpty();
        assertThat(manager(mine).adoptable(NAME)).hasSize(1);

        ClusterSummary rebuilt = manager(mine).adopt(id(), spec(), events::add);

        assertThat(rebuilt.nodes()).isEqualTo(nodes);
        manager(mine).open(NAME).close();
    }

    @Test
    void anOutageDuringAnAdoptionOrADeletionIsReported() {
        ClusterManager second = manager(other);
        provider.outages.add(new Finding("CW-AZURE-017", Severity.WARNING, "azure", "no answer", "wait"));

        second.adopt(id(), spec(), events::add);
        assertThat(notices()).containsOnlyOnce("CW-ADOPT-001").contains("CW-AZURE-017");
        events.clear();
        second.destroy(NAME, events::add);
        assertThat(notices()).isNotEmpty().containsOnly("CW-AZURE-017");
        events.clear();
        manager(mine).destroy(NAME);
        manager(mine).create(spec()).close();
        manager(other).destroyUntracked(id(), events::add);
        assertThat(notices()).isNotEmpty().containsOnly("CW-AZURE-017");
    }

    @Test
    void refusesAnAdoptionThatIsNone() {
        ClusterId unknown = new ClusterId(NAME, "0123456789abcdef");
        assertThatThrownBy(() -> manager(other).adopt(unknown, events::add))
                .hasMessage(
                        "cluster demo was not adopted: memory has no resources with this name and the id 0123456789abcdef");
        assertThatThrownBy(() -> manager(mine).adopt(id(), events::add))
                .hasMessage(
                        "cluster demo was not adopted: this state folder already has an intact record of cluster demo on"
                                + " memory; there is nothing to adopt");
        assertThatThrownBy(() -> manager(other)
                        .adopt(
                                id(),
                                spec().toBuilder().name(new ClusterName("wing")).build(),
                                events::add))
                .hasMessage("cluster demo was not adopted: the spec is of cluster wing");
        assertThat(other.resolve("clusters")).doesNotExist();
    }

    @Test
    void leavesWhatHoldsThingsOfOthersUnlessAsked() {
        ResourceId network = new ResourceId("network", "demo");
        provider.holding.add(network);

        DestroyReport kept = manager(mine).destroy(NAME);
        assertThat(kept.left()).containsOnlyKeys(network);
        assertThat(kept.left().get(network)).contains("also holds things of others");
        assertThat(StateStore.inFolder(mine).clusters()).containsExactly(NAME);

        assertThat(manager(mine).destroyWithContents(NAME, events::add).left()).isEmpty();
        assertThat(provider.existing).isEmpty();
    }
}
