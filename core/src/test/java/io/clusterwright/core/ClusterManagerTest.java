package io.clusterwright.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.clusterwright.core.ClusterEvent.NodePhase;
import io.clusterwright.core.ClusterSummary.ClusterPhase;
import io.clusterwright.core.plan.Finding;
import io.clusterwright.core.plan.Severity;
import io.clusterwright.core.plan.Step;
import io.clusterwright.core.spec.ClusterSpec;
import io.clusterwright.core.spec.Customization.Script;
import io.clusterwright.core.spec.Customization.Updates;
import io.clusterwright.core.spec.InvalidSpecException;
import io.clusterwright.core.type.ClusterName;
import io.clusterwright.core.type.NodeName;
import io.clusterwright.core.type.OperationInterruptedException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class ClusterManagerTest extends LifecycleFixture {
    private static ClusterSpec spec(int count) {
        return ClusterSpec.builder("demo")
                .region("westus")
                .nodes(n -> n.count(count)
                        .prefix("demo")
                        .firstIndex(11)
                        .quorum(Math.min(count, 2))
                        .size("Standard_A9")
                        .deadline(Duration.ofMillis(200)))
                .image(i -> i.customize(c -> c.updates(Updates.securityHoldingKernel())))
                .build();
    }

    private Cluster create(ClusterSpec spec) {
        ClusterManager manager = manager();
        return manager.create(spec, options());
    }

    @Nested
    class Creating {
        @Test
        void buildsTheImageThenBootsAndJoinsEveryNode() {
            try (Cluster cluster = create(spec(3))) {
                assertThat(cluster.nodes()).extracting(Node::name).containsExactly(node(11), node(12), node(13));
                assertThat(MemoryBackend.CALLS.subList(0, 3)).containsExactly("update", "customize", "deprovision");
                assertThat(MemoryBackend.CALLS.subList(3, 4)).containsExactly("join demo-boottest of 1");
                assertThat(MemoryBackend.CALLS.subList(4, 7))
                        .containsExactlyInAnyOrder("join demo11 of 3", "join demo12 of 3", "join demo13 of 3");
                assertThat(provider.machines).containsOnlyKeys(node(11), node(12), node(13));
                assertThat(provider.images).hasSize(2);
            }
        }

        @Test
        void objectsShowWhatTheyAre() {
            try (Cluster cluster = create(spec(2))) {
                assertThat(cluster).hasToString("cluster demo of demo[11-12]");
            }
            assertThat(manager()).hasToString("clusters on memory");
            assertThat(CreateOptions.standard().keepOnFailure().limit(Duration.ofHours(1)))
                    .hasToString("options [KEEP_ON_FAILURE] within PT1H");
        }

        @Test
        void usesTheImageOfAnUnchangedRecipeAgain() {
            create(spec(2)).close();
            String image = provider.images.get(1);
            assertThat(manager().pruneImages())
                    .as("the image is in use")
                    .extracting(StoredImage::name)
                    .doesNotContain(image);
            assertThat(manager().destroy(DEMO, events::add).images())
                    .extracting(StoredImage::name)
                    .containsExactly(image);
            MemoryBackend.reset();

            create(spec(3)).close();

            assertThat(MemoryBackend.CALLS).noneMatch(call -> call.startsWith("customize"));
        }

        @Test
        void usesTheImageOfAnotherClusterOfTheSameRecipe() {
            create(spec(2)).close();
            MemoryBackend.reset();
            ClusterSpec other = ClusterSpec.builder("other")
                    .region("westus")
                    .nodes(n -> n.count(1).prefix("node").size("Standard_A9").deadline(Duration.ofMillis(200)))
                    .network(n -> n.addressSpace("10.99.0.0/24"))
                    .image(i -> i.customize(c -> c.updates(Updates.securityHoldingKernel())))
                    .build();

            create(other).close();

            assertThat(MemoryBackend.CALLS).containsExactly("join node1 of 1");
        }

        @Test
        void waitsForAnImageThatAnotherClusterBuilds() {
            provider.othersWork.add(image -> {});
            provider.othersWork.add(image -> {
                provider.images.add(image);
                provider.proven.add(image);
            });

            create(spec(1)).close();

            assertThat(MemoryBackend.CALLS).containsExactly("join demo11 of 1");
            assertThat(lines())
                    .filteredOn(line -> line.startsWith("waiting for image "))
                    .singleElement()
                    .asString()
                    .endsWith(": cluster other builds it");
            assertThat(store().clusters()).containsExactly(DEMO);
        }

        @Test
        void keepsAnImageThatAnotherCreationProvedWhileThisOneStoodStill() {
            List<String> name = new ArrayList<>();
            provider.othersWork.add(name::add);
            MemoryBackend.meanwhile = call -> {
                if (call.equals("customize")) {
                    provider.images.add(name.get(0));
                    provider.proven.add(name.get(0));
                }
            };

            assertThatThrownBy(() -> manager().create(spec(1), options()))
                    .hasMessageContaining("another creation has built image " + name.get(0) + " meanwhile");

            assertThat(provider.images).contains(name.get(0));
            assertThat(provider.proven).contains(name.get(0));
        }

        @Test
        void buildsTheImageWhereTheOtherBuilderFailed() {
            provider.othersWork.add(image -> {});

            create(spec(1)).close();

            assertThat(MemoryBackend.CALLS).contains("update", "customize", "join demo11 of 1");
        }

        private List<String> lines() {
            return events.stream()
                    .filter(ClusterEvent.StepProgress.class::isInstance)
                    .map(event -> ((ClusterEvent.StepProgress) event).line())
                    .toList();
        }

        @Test
        void preparesTheUpdatedBaseAndLeavesNothingElse() {
            ClusterManager manager = manager();
            manager.buildUpdatedBase(spec(2), options());
            assertThat(provider.images).singleElement().asString().startsWith("updates-");
            assertThat(provider.existing).isEmpty();
            assertThat(store().clusters()).isEmpty();

            manager.buildUpdatedBase(spec(2), options());
            assertThat(MemoryBackend.CALLS).containsExactly("update");
        }

        @Test
        void keepsTheUpdatedBaseForAnotherRecipe() {
            create(spec(2)).close();
            manager().destroy(DEMO, events::add);
            MemoryBackend.reset();
            ClusterSpec other = spec(2).toBuilder()
                    .image(i -> i.customize(c -> c.packages("nfs-common")))
                    .build();

            create(other).close();

            assertThat(MemoryBackend.CALLS).contains("customize").doesNotContain("update");
        }

        @Test
        void customisesEachNodeWhenNothingIsCaptured() {
            ClusterSpec spec = spec(2).toBuilder().image(i -> i.capture(false)).build();
            create(spec).close();
            assertThat(MemoryBackend.CALLS)
                    .containsExactlyInAnyOrder(
                            "update", "update", "customize", "customize", "join demo11 of 2", "join demo12 of 2");
            assertThat(provider.images).isEmpty();
        }

        /** Limits and groups are those of the login: a session that was kept had those of before, in every job. */
        @Test
        void logsInAgainWhereItHasCustomised() {
            ClusterSpec spec = spec(2).toBuilder().image(i -> i.capture(false)).build();
            create(spec).close();
            assertThat(MemoryBackend.CONNECTS).containsExactlyInAnyOrderEntriesOf(Map.of(node(11), 2, node(12), 2));
        }

        private List<NodePhase> phasesOf(NodeName node) {
            return events.stream()
                    .filter(ClusterEvent.NodeChanged.class::isInstance)
                    .map(ClusterEvent.NodeChanged.class::cast)
                    .filter(event -> event.node().equals(node))
                    .map(ClusterEvent.NodeChanged::phase)
                    .toList();
        }

        @Test
        void restartsALateNodeBeforeItReplacesIt() {
            MemoryBackend.SILENT.add(node(13));
            provider.curedByRestart.add(node(13));
            try (Cluster cluster = create(spec(3))) {
                assertThat(cluster.nodes()).hasSize(3);
            }
            assertThat(phasesOf(node(13)))
                    .containsExactly(
                            NodePhase.CREATING,
                            NodePhase.BOOTING,
                            NodePhase.RESTARTING,
                            NodePhase.READY,
                            NodePhase.JOINED);
        }

        @Test
        void replacesANodeThatStaysSilentAfterItsRestart() {
            MemoryBackend.SILENT.add(node(13));
            create(spec(3)).close();
            assertThat(phasesOf(node(13)))
                    .containsExactly(
                            NodePhase.CREATING,
                            NodePhase.BOOTING,
                            NodePhase.RESTARTING,
                            NodePhase.REPLACING,
                            NodePhase.FAILED);
        }

        @Test
        void replacesASilentNodeAndContinuesWithAQuorum() {
            MemoryBackend.SILENT.add(node(13));
            try (Cluster cluster = create(spec(3))) {
                assertThat(cluster.nodes()).extracting(Node::name).containsExactly(node(11), node(12));
            }
            assertThat(events)
                    .anySatisfy(event -> assertThat(event)
                            .isInstanceOfSatisfying(
                                    ClusterEvent.Noticed.class,
                                    noticed ->
                                            assertThat(noticed.finding().code()).isEqualTo("CW-NODES-001")));
            assertThat(MemoryBackend.CALLS).contains("join demo11 of 2", "join demo12 of 2");
        }

        @Test
        void everyStepHasAStartAndAnEndEvent() {
            create(spec(2)).close();
            List<Step> started = events.stream()
                    .filter(ClusterEvent.StepStarted.class::isInstance)
                    .map(event -> ((ClusterEvent.StepStarted) event).step())
                    .toList();
            List<Step> finished = events.stream()
                    .filter(ClusterEvent.StepFinished.class::isInstance)
                    .map(event -> ((ClusterEvent.StepFinished) event).step())
                    .toList();
            assertThat(started)
                    .containsExactly(
                            Step.NETWORK,
                            Step.UPDATES,
                            Step.TEMPLATE,
                            Step.CUSTOMIZE,
                            Step.DEPROVISION,
                            Step.CAPTURE,
                            Step.BOOT_TEST,
                            Step.NODES);
            assertThat(finished).isEqualTo(started);
        }

        @ParameterizedTest
        @ValueSource(classes = {IllegalStateException.class, LinkageError.class, IOException.class})
        void survivesAListenerThatThrows(Class<? extends Throwable> thrown) {
            List<ClusterEvent> seen = new ArrayList<>();
            ClusterManager manager = manager();
            manager.create(spec(2), CreateOptions.standard().listener(event -> {
                        seen.add(event);
                        sneak(thrown);
                    }))
                    .close();
            assertThat(provider.machines).hasSize(2);
            assertThat(seen).hasSizeGreaterThan(2);
        }

        /** As code in other languages may, without a clause for it. */
        @SuppressWarnings("unchecked")
        private static <T extends Throwable> void sneak(Class<? extends Throwable> type) throws T {
            try {
                throw (T) type.getConstructor(String.class).newInstance("listener");
            } catch (ReflectiveOperationException e) {
                throw new AssertionError(e);
            }
        }

        @Test
        void goesOnWhileAListenerWaitsForIt() {
            CountDownLatch machines = new CountDownLatch(1);
            provider.beforeMachines = machines::countDown;
            List<Boolean> reached = new CopyOnWriteArrayList<>();
            manager()
                    .create(spec(2), CreateOptions.standard().listener(event -> {
                        try {
                            reached.add(machines.await(30, TimeUnit.SECONDS));
                        } catch (InterruptedException e) {
                            reached.add(false);
                        }
                    }))
                    .close();
            assertThat(reached).hasSizeGreaterThan(2).containsOnly(true);
        }

        @Test
        void refusesAPlanWithErrorsBeforeCreatingAnything() {
            provider.findings = List.of(new Finding("CW-TEST-001", Severity.ERROR, "", "it cannot be", "change it"));
            assertThatThrownBy(() -> create(spec(2)))
                    .isInstanceOf(SpecRefusedException.class)
                    .hasMessageContaining("CW-TEST-001")
                    .hasMessageContaining("change it");
            assertThat(provider.existing).isEmpty();
            assertThat(store().clusters()).isEmpty();
        }

        @Test
        void namesTheProcessThatChangesTheClusterBeforeAnErrorOfThePlan() {
            create(spec(2)).close();
            provider.findings = List.of(new Finding("CW-TEST-001", Severity.ERROR, "", "it is in use", "change it"));
            try (StateStore.Writer held = store().open(spec(2).name())) {
                assertThat(held).isNotNull();
                assertThatThrownBy(() -> create(spec(2)))
                        .isInstanceOf(ClusterException.InUse.class)
                        .hasMessageContaining("cluster demo is being changed by process "
                                + ProcessHandle.current().pid());
                assertThatThrownBy(() -> manager().resize(spec(2).name(), 3, CreateOptions.standard()))
                        .isInstanceOf(ClusterException.InUse.class);
            }
            assertThatThrownBy(() -> create(spec(2))).isInstanceOf(SpecRefusedException.class);
        }

        @Test
        void refusesWithTheErrorOfTheImageList() {
            provider.findings = List.of(new Finding("CW-TEST-001", Severity.ERROR, "", "not for you", "be root"));
            provider.closed = true;
            assertThatThrownBy(() -> create(spec(2)))
                    .isInstanceOf(SpecRefusedException.class)
                    .hasMessageContaining("not for you");
        }

        @Test
        void refusesASpecWithAMissingScript() {
            ClusterSpec spec = spec(2).toBuilder()
                    .image(image ->
                            image.customize(customize -> customize.addScript(Script.of("missing", "missing.sh"))))
                    .build();
            assertThatThrownBy(() -> manager().plan(spec))
                    .isInstanceOf(InvalidSpecException.class)
                    .hasMessageContaining("image.customize.scripts[0].path: cannot read")
                    .hasMessageContaining("missing.sh")
                    .hasMessageContaining("a path in a spec is relative to the folder of the spec");
        }

        @Test
        void leavesOutSuppressedFindings() {
            provider.findings = List.of(new Finding("CW-TEST-001", Severity.ERROR, "", "it cannot be", "change it"));
            ClusterSpec spec =
                    spec(2).toBuilder().suppress(List.of("CW-TEST-001")).build();
            create(spec).close();
            assertThat(provider.machines).hasSize(2);
        }
    }

    @Nested
    class Failing {
        @Test
        void deletesEverythingItCreated() {
            MemoryBackend.failing = "customize";
            assertThatThrownBy(() -> create(spec(2)))
                    .isInstanceOf(CreateFailedException.class)
                    .hasMessageContaining("customize failed as the test wanted")
                    .hasMessageContaining("everything created for it was deleted");
            assertThat(provider.existing).isEmpty();
            assertThat(store().clusters()).isEmpty();
            assertThat(folder.resolve("clusters")).doesNotExist();
        }

        @Test
        void namesWhatCouldNotBeDeletedAndKeepsTheRecord() {
            ResourceId network = new ResourceId("network", "demo");
            provider.undeletable.add(network);
            MemoryBackend.failing = "join";
            assertThatThrownBy(() -> create(spec(2)))
                    .isInstanceOfSatisfying(
                            CreateFailedException.class,
                            e -> assertThat(e.left()).containsExactly(network))
                    .hasMessageContaining("network demo is busy");
            assertThat(store().clusters()).containsExactly(DEMO);

            provider.undeletable.clear();
            DestroyReport report = manager().destroy(DEMO, events::add);
            assertThat(report.deleted()).contains(network);
            assertThat(provider.existing).isEmpty();
        }

        @Test
        void keepsResourcesOnFailureWhenRequested() {
            MemoryBackend.failing = "customize";
            ClusterManager manager = manager();
            assertThatThrownBy(() -> manager.create(
                            spec(2), CreateOptions.standard().keepOnFailure().listener(events::add)))
                    .hasMessageContaining("its resources were kept");
            assertThat(provider.existing).hasSize(2);
        }

        @Test
        void failsWhenTheQuorumIsMissed() {
            provider.refused.add(node(11));
            assertThatThrownBy(() -> create(spec(2)))
                    .hasCauseInstanceOf(NodesFailedException.class)
                    .hasMessageContaining("1 nodes are ready and 2 are required (nodes.quorum)")
                    .hasMessageContaining("no capacity for demo11");
            assertThat(provider.existing).isEmpty();
        }

        @Test
        void anInterruptRollsBackAndKeepsTheFlag() {
            ClusterManager manager = manager();
            Thread caller = Thread.currentThread();
            provider.beforeMachines = caller::interrupt;
            try {
                assertThatThrownBy(() -> manager.create(spec(2)))
                        .isInstanceOf(OperationInterruptedException.class)
                        .hasMessageContaining("cluster demo was not created: interrupted")
                        .hasMessageContaining("everything created for it was deleted")
                        .cause()
                        .matches(cause -> cause instanceof CreateFailedException failed && failed.interrupted());
                assertThat(Thread.currentThread().isInterrupted()).isTrue();
            } finally {
                Thread.interrupted();
            }
            assertThat(provider.existing).isEmpty();
        }

        @Test
        void aSecondInterruptDoesNotCutTheRollBackShort() {
            ClusterManager manager = manager();
            Thread caller = Thread.currentThread();
            for (int i = 12; i < 19; i++) {
                provider.refused.add(node(i));
            }
            provider.beforeDeletion = caller::interrupt;
            try {
                assertThatThrownBy(() -> manager.create(spec(8)))
                        .hasMessageContaining("everything created for it was deleted");
                assertThat(Thread.currentThread().isInterrupted()).isTrue();
            } finally {
                Thread.interrupted();
            }
            assertThat(provider.existing).isEmpty();
        }
    }

    @Nested
    class Converging {
        @Test
        void createsOnlyMissingNodes() {
            create(spec(3)).close();
            provider.machines.remove(node(12));
            MemoryBackend.CALLS.clear();

            try (Cluster cluster = create(spec(3))) {
                assertThat(cluster.nodes()).hasSize(3);
            }
            assertThat(MemoryBackend.CALLS)
                    .doesNotContain("customize")
                    .contains("join demo11 of 3", "join demo12 of 3", "join demo13 of 3");
        }

        @Test
        void writesAddressesChosenByTheProviderAndKeepsThem() {
            provider.choosesAddresses = true;
            try (Cluster cluster = create(spec(2))) {
                List<String> addresses = addresses(cluster);
                assertThat(addresses).allMatch(address -> address.startsWith("10.255.0."));
                MemoryBackend.TOLD.remove(new NodeName("demo-boottest"));
                assertThat(MemoryBackend.TOLD).containsOnlyKeys(node(11), node(12));
                assertThat(MemoryBackend.TOLD.keySet()).allMatch(node -> addresses.equals(told(node)));
            }
            try (Cluster cluster = create(spec(3))) {
                assertThat(addresses(cluster)).hasSize(3).doesNotHaveDuplicates();
                assertThat(told(node(11))).isEqualTo(addresses(cluster));
                assertThat(told(node(13))).isEqualTo(addresses(cluster));
            }
            assertThat(provider.machines).hasSize(3);
        }

        private static List<String> told(NodeName node) {
            return MemoryBackend.TOLD.get(node).stream()
                    .map(member -> member.address().toString())
                    .toList();
        }

        private List<String> addresses(Cluster cluster) {
            return cluster.nodes().stream()
                    .map(each -> each.address().toString())
                    .toList();
        }

        @Test
        void deletesSurplusNodes() {
            create(spec(3)).close();
            try (Cluster cluster = create(spec(2))) {
                assertThat(cluster.nodes()).extracting(Node::name).containsExactly(node(11), node(12));
            }
            assertThat(provider.machines).containsOnlyKeys(node(11), node(12));
        }

        @Test
        void resumesAfterTheCreatingProcessDied() throws IOException {
            create(spec(2)).close();
            Path journal = folder.resolve("clusters/demo/journal.jsonl");
            String whole = Files.readString(journal);
            Files.writeString(journal, whole.substring(0, whole.length() - 10));

            try (Cluster cluster = create(spec(2))) {
                assertThat(cluster.nodes()).hasSize(2);
            }
        }
    }

    @Nested
    class Remembering {
        @Test
        void opensAClusterOfAnotherProcess() {
            create(spec(2)).close();
            try (Cluster cluster = manager().open(DEMO)) {
                NodeResults results = cluster.run(Command.of("hostname"));
                assertThat(results.succeeded()).isTrue();
                assertThat(results.groupedByOutput()).containsOnlyKeys("demo11", "demo12");
            }
            assertThat(manager().list()).singleElement().satisfies(summary -> {
                assertThat(summary.phase()).isEqualTo(ClusterPhase.READY);
                assertThat(summary.nodes()).hasSize(2);
                assertThat(summary).hasToString("demo on memory, ready, with demo[11-12]");
            });
        }

        @Test
        void theTextOfAStoreNamesItsFolder() {
            assertThat(StateStore.inFolder(folder)).hasToString("state folder " + folder);
        }

        @Test
        void listsClusters() {
            create(spec(2)).close();
            assertThatThrownBy(() -> manager().open(new ClusterName("demmo")))
                    .isInstanceOfSatisfying(
                            ClusterException.NotFound.class,
                            absent -> assertThat(absent.cluster()).hasToString("demmo"))
                    .hasMessage("there is no cluster demmo; the clusters are demo");
        }

        @Test
        void keepsSecretsOutOfTheJournalInFilesOfTheOwner() throws IOException {
            create(spec(2)).close();
            assertThat(folder.resolve("clusters/demo/journal.jsonl")).content().doesNotContain("private of");
            try (Stream<Path> secrets = Files.list(folder.resolve("clusters/demo/secrets"))) {
                assertThat(secrets.toList())
                        .isNotEmpty()
                        .allSatisfy(secret -> assertThat(
                                        PosixFilePermissions.toString(Files.getPosixFilePermissions(secret)))
                                .isEqualTo("rw-------"));
            }
        }

        @Test
        void admitsOneWriterAtATime() {
            try (StateStore.Writer writer = store().open(DEMO)) {
                writer.append("{}");
                assertThatThrownBy(() -> store().open(DEMO))
                        .isInstanceOf(ClusterException.InUse.class)
                        .hasMessageContaining("is being changed by process "
                                + ProcessHandle.current().pid());
            }
        }

        @Test
        void destroyOfAnUnknownClusterDoesNothing() {
            DestroyReport report = manager().destroy(new ClusterName("nobody"), events::add);
            assertThat(report.deleted()).isEmpty();
            assertThat(report.left()).isEmpty();
            assertThat(events).isEmpty();
        }

        @Test
        void destroysResourcesFoundByTheirTagOnly() {
            create(spec(2)).close();
            provider.existing.add(new ResourceId("disk", "demo11"));
            DestroyReport report = manager().destroy(DEMO, events::add);
            assertThat(report.deleted()).contains(new ResourceId("disk", "demo11"));
            assertThat(provider.existing).isEmpty();
        }

        @Test
        void destroyCompletesWhenInterrupted() {
            create(spec(2)).close();
            for (int i = 11; i < 31; i++) {
                provider.existing.add(new ResourceId("disk", "demo" + i));
            }
            Thread.currentThread().interrupt();
            try {
                DestroyReport report = manager().destroy(DEMO, events::add);
                assertThat(report.left()).isEmpty();
                assertThat(Thread.currentThread().isInterrupted()).isTrue();
            } finally {
                Thread.interrupted();
            }
            assertThat(provider.existing).isEmpty();
        }

        @Test
        void destroysByTagWhatADamagedJournalLacks() throws IOException {
            create(spec(2));
            Path journal = folder.resolve("clusters/demo/journal.jsonl");
            Files.writeString(journal, "not a journal\n" + Files.readString(journal));

            DestroyReport report = manager().destroy(DEMO, events::add);

            assertThat(report.left()).isEmpty();
            assertThat(provider.existing).isEmpty();
            assertThat(journal).doesNotExist();
        }

        @Test
        void keepsADamagedJournalWithoutResources() throws IOException {
            create(spec(2));
            provider.existing.clear();
            Path journal = folder.resolve("clusters/demo/journal.jsonl");
            Files.writeString(journal, "not a journal\n");

            assertThatThrownBy(() -> manager().destroy(DEMO, events::add))
                    .hasMessageContaining(
                            "the record of cluster demo is damaged and has no cluster id: line 1 of " + journal);
            assertThat(journal).exists();
        }
    }
}
