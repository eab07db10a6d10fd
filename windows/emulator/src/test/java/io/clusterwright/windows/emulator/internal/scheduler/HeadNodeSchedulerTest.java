package io.clusterwright.windows.emulator.internal.scheduler;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.clusterwright.core.type.Secret;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class HeadNodeSchedulerTest {
    @Test
    void remembersTheLastThousandJobsThatEnded() {
        HeadNodeScheduler.Users users = new HeadNodeScheduler.Users("user", Secret.of("a"), Secret.of("b"));
        try (Nodes nodes = new Nodes(List.of(), Duration.ZERO);
                HeadNodeScheduler scheduler =
                        new HeadNodeScheduler(nodes, (task, output) -> 0, new HeadNodeFaults(), users, true)) {
            Job configuring = scheduler.create(Map.of(), "user");
            for (int i = 0; i < 1001; i++) {
                int id = scheduler.create(Map.of(), "user").id();
                scheduler.end(id, Item.State.CANCELED, "");
            }

            assertThat(scheduler.jobs())
                    .hasSize(1001)
                    .contains(configuring)
                    .last()
                    .returns(1002, Job::id);
            assertThatThrownBy(() -> scheduler.job(2)).hasMessage("Job 2 does not exist.");
        }
    }
}
