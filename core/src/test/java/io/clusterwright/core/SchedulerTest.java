package io.clusterwright.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.clusterwright.core.internal.planning.ComputedPlan;
import io.clusterwright.core.plan.Plan;
import io.clusterwright.core.plan.PlanStep;
import io.clusterwright.core.plan.Step;
import io.clusterwright.core.spec.ClusterSpec;
import io.clusterwright.core.spec.Scheduler;
import io.clusterwright.core.type.Secret;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** When the scheduler of a description is told of its nodes, and what it is told. */
final class SchedulerTest extends LifecycleFixture {
    private static ClusterSpec spec(Scheduler scheduler) {
        return MemoryProvider.demo(2).scheduler(scheduler).build();
    }

    private void create(Scheduler scheduler) {
        ClusterManager manager = manager();
        manager.create(spec(scheduler), options()).close();
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

        try (Cluster larger = manager().resize(DEMO, 3, options())) {
            assertThat(larger.nodes()).hasSize(3);
        }
        manager().resize(DEMO, 1, options()).close();
        manager().stop(DEMO, events::add);
        manager().start(DEMO, events::add).close();

        assertThat(MemoryBackend.CALLS)
                .filteredOn(call -> call.startsWith("scheduler"))
                .containsExactly("scheduler of demo[11-13]", "scheduler of demo11", "scheduler of demo11");
    }

    @Test
    void keepsOneKeyAmongTheSecretsForTheLifeOfTheCluster() throws Exception {
        create(Scheduler.SLURM);
        manager().resize(DEMO, 3, options()).close();

        assertThat(MemoryBackend.SCHEDULER_KEYS).hasSize(2).containsOnly(MemoryBackend.SCHEDULER_KEYS.get(0));
        Secret key = MemoryBackend.SCHEDULER_KEYS.get(0);
        assertThat(key.reveal()).matches("[0-9a-f]{256}");
        assertThat(key.reveal().chars().distinct().count()).isGreaterThan(8);
        Path record = folder.resolve("clusters/demo");
        assertThat(Files.readString(record.resolve("secrets/scheduler"))).isEqualTo(key.reveal());
        assertThat(Files.readString(record.resolve("journal.jsonl"))).doesNotContain(key.reveal());
        assertThat(events.toString()).doesNotContain(key.reveal());
        assertThat(manager().destroy(DEMO, events::add).left()).isEmpty();
        assertThat(record).doesNotExist();
    }

    @Test
    void keyDiffersBetweenClusters() {
        create(Scheduler.SLURM);
        manager().destroy(DEMO, events::add);
        create(Scheduler.SLURM);

        assertThat(MemoryBackend.SCHEDULER_KEYS).hasSize(2).doesNotHaveDuplicates();
    }

    @Test
    void aSchedulerThatDoesNotStartFailsTheCreation() {
        MemoryBackend.failing = "scheduler";

        assertThatThrownBy(() -> create(Scheduler.SLURM))
                .isInstanceOf(CreateFailedException.class)
                .hasMessageContaining("scheduler of demo[11-12] failed as the test wanted")
                .hasMessageContaining("everything created for it was deleted");
        assertThat(provider.machines).isEmpty();
    }

    @Test
    void isIgnoredWithoutASchedulerInTheSpecOrABackend() {
        create(Scheduler.NONE);
        manager().destroy(DEMO, events::add);
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
        assertThat(((ComputedPlan) with).image().name())
                .isNotEqualTo(((ComputedPlan) without).image().name());
    }
}
