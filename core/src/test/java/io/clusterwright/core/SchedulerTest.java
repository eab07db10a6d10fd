package io.clusterwright.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.clusterwright.core.internal.planning.PlanData;
import io.clusterwright.core.plan.Plan;
import io.clusterwright.core.plan.PlanStep;
import io.clusterwright.core.plan.Step;
import io.clusterwright.core.spec.ClusterSpec;
import io.clusterwright.core.spec.Scheduler;
import io.clusterwright.core.type.ClusterName;
import io.clusterwright.core.type.Secret;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.ResourceLock;

/** When the scheduler of a description is told of its nodes, and what it is told. */
@ResourceLock(MemoryBackend.LOCK)
final class SchedulerTest {
    private static final ClusterName NAME = new ClusterName("demo");

    @TempDir
    Path folder;

    private final MemoryProvider provider = new MemoryProvider();
    private final List<ClusterEvent> events = Collections.synchronizedList(new ArrayList<>());

    @BeforeEach
    void forget() {
        MemoryBackend.reset();
    }

    private ClusterManager manager() {
        return provider.manager(folder);
    }

    private static ClusterSpec spec(Scheduler scheduler) {
        return MemoryProvider.demo(2).scheduler(scheduler).build();
    }

    private void create(Scheduler scheduler) {
        ClusterManager manager = manager();
        manager.create(spec(scheduler), CreateOptions.standard().listener(events::add))
                .close();
    }

    @Test
    void startsOnceAfterEveryNodeJoined() {
        create(Scheduler.SLURM);

        assertThat(MemoryBackend.CALLS).containsOnlyOnce("scheduler of demo[11-12]");
        assertThat(MemoryBackend.CALLS).last().isEqualTo("scheduler of demo[11-12]");
        assertThat(events)
                .filteredOn(ClusterEvent.StepFinished.class::isInstance)
                .extracting(event -> ((ClusterEvent.StepFinished) event).step())
                .containsSubsequence(Step.NODES, Step.SCHEDULER);
    }

    @Test
    void isUpdatedWhenNodesJoinLeaveOrStart() {
        create(Scheduler.SLURM);
        MemoryBackend.CALLS.clear();

        try (Cluster larger = manager().resize(NAME, 3, CreateOptions.standard().listener(events::add))) {
            assertThat(larger.nodes()).hasSize(3);
        }
        manager()
                .resize(NAME, 1, CreateOptions.standard().listener(events::add))
                .close();
        manager().stop(NAME, events::add);
        manager().start(NAME, events::add).close();

        assertThat(MemoryBackend.CALLS)
                .filteredOn(call -> call.startsWith("scheduler"))
                .containsExactly("scheduler of demo[11-13]", "scheduler of demo11", "scheduler of demo11");
    }

    @Test
    void keepsOneKeyAmongTheSecretsForTheLifeOfTheCluster() throws Exception {
        create(Scheduler.SLURM);
        manager()
                .resize(NAME, 3, CreateOptions.standard().listener(events::add))
                .close();

        assertThat(MemoryBackend.SCHEDULER_KEYS).hasSize(2).containsOnly(MemoryBackend.SCHEDULER_KEYS.get(0));
        Secret key = MemoryBackend.SCHEDULER_KEYS.get(0);
        assertThat(key.reveal()).matches("[0-9a-f]{256}");
        assertThat(key.reveal().chars().distinct().count()).isGreaterThan(8);
        Path record = folder.resolve("clusters/demo");
        assertThat(Files.readString(record.resolve("secrets/scheduler"))).isEqualTo(key.reveal());
        assertThat(Files.readString(record.resolve("journal.jsonl"))).doesNotContain(key.reveal());
        assertThat(events.toString()).doesNotContain(key.reveal());
        assertThat(manager().destroy(NAME, events::add).left()).isEmpty();
        assertThat(record).doesNotExist();
    }

    @Test
    void keyDiffersBetweenClusters() {
        create(Scheduler.SLURM);
        manager().destroy(NAME, events::add);
        create(Scheduler.SLURM);

        assertThat(MemoryBackend.SCHEDULER_KEYS).hasSize(2).doesNotHaveDuplicates();
    }

    @Test
    void aSchedulerThatDoesNotStartFailsTheCreation() {
        MemoryBackend.failing = "scheduler";

        assertThatThrownBy(() -> create(Scheduler.SLURM))
                .isInstanceOf(CreateFailedException.class)
                .hasMessageContaining("scheduler of demo[11-12] failed as the test wanted")
                .hasMessageContaining("everything made for it was deleted");
        assertThat(provider.machines).isEmpty();
    }

    @Test
    void isIgnoredWithoutASchedulerInTheSpecOrABackend() {
        create(Scheduler.NONE);
        manager().destroy(NAME, events::add);
        create(Scheduler.HPC_PACK);

        assertThat(MemoryBackend.CALLS).noneMatch(call -> call.startsWith("scheduler"));
    }

    @Test
    void appearsInThePlanAndChangesTheImage() {
        Plan with = manager().plan(spec(Scheduler.SLURM));
        Plan without = manager().plan(spec(Scheduler.NONE));

        assertThat(with.steps())
                .filteredOn(step -> step.step() == Step.SCHEDULER)
                .extracting(PlanStep::description)
                .containsExactly("slurm: the controller on demo11, every node takes jobs");
        assertThat(without.steps()).extracting(PlanStep::step).doesNotContain(Step.SCHEDULER);
        assertThat(((PlanData) with).image().name())
                .isNotEqualTo(((PlanData) without).image().name());
    }
}
