package io.clusterwright.mpi.internal.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.clusterwright.core.plan.Finding;
import io.clusterwright.core.spec.MpiFlavour;
import io.clusterwright.core.type.Ipv4Address;
import io.clusterwright.core.type.NodeName;
import io.clusterwright.mpi.MpiJob;
import io.clusterwright.mpi.job.JobResult;
import io.clusterwright.mpi.job.Leftovers;
import io.clusterwright.mpi.job.MpiInstallation;
import io.clusterwright.mpi.job.QueuedJobStatus;
import io.clusterwright.mpi.job.QueuedJobStatus.State;
import io.clusterwright.mpi.spi.LaunchNode;
import io.clusterwright.mpi.spi.LaunchRequest;
import io.clusterwright.mpi.spi.ScheduledJob;
import io.clusterwright.mpi.spi.SchedulerTarget;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The results of jobs that a scheduler ran, by the states that it reports. */
class SchedulerEngineTest {
    private static final int NONE = -1;

    /** A queue whose jobs have this state. */
    private record Queue(QueuedJobStatus end) implements SchedulerTarget {
        @Override
        public List<LaunchNode> nodes() {
            return List.of(new LaunchNode(NodeName.of("node1"), Ipv4Address.of("10.32.0.4"), 1));
        }

        @Override
        public ScheduledJob submit(LaunchRequest request, Duration limit) {
            return find("1");
        }

        @Override
        public ScheduledJob find(String id) {
            return new Ended(id, end);
        }

        @Override
        public SchedulerTarget only(Collection<NodeName> names) {
            return this;
        }

        @Override
        public Optional<MpiInstallation> installation() {
            return Optional.of(new MpiInstallation(MpiFlavour.MPICH, "4.2", "mpiexec"));
        }
    }

    private record Ended(String id, QueuedJobStatus status) implements ScheduledJob {
        @Override
        public String name() {
            return "job " + id;
        }

        @Override
        public String output() {
            return "";
        }

        @Override
        public Map<NodeName, Leftovers> cancel(String reason) {
            return Map.of();
        }
    }

    private static JobResult run(QueuedJobStatus end) {
        return MpiJob.of("app").on(new Queue(end)).run(Duration.ofMinutes(1));
    }

    @ParameterizedTest
    @CsvSource({
        "SUCCEEDED, -1, -1, ENDED, 0, true",
        "SUCCEEDED, 0, -1, ENDED, 0, true",
        "FAILED, 3, -1, ENDED, 3, false",
        "FAILED, -1, 9, ENDED, 137, false",
        "FAILED, -1, -1, ENDED, -1, false",
        "CANCELLED, -1, 15, CANCELLED, -1, false",
        "TIMED_OUT, 0, -1, TIMED_OUT, -1, false",
        "UNKNOWN, -1, -1, LOST, -1, false"
    })
    void aJobEndsAsItsSchedulerReports(
            State state, int exit, int signal, JobResult.Outcome outcome, int status, boolean succeeded) {
        QueuedJobStatus end = QueuedJobStatus.of(state, "word", "");
        JobResult result = run(exit != NONE ? end.withExitStatus(exit) : signal != NONE ? end.withSignal(signal) : end);

        assertThat(result.outcome()).isEqualTo(outcome);
        assertThat(result.exitStatus().orElse(NONE)).isEqualTo(status);
        assertThat(result.succeeded()).isEqualTo(succeeded);
    }

    @Test
    void aFailureWithoutStatusIsExplainedByItsState() {
        JobResult result = run(QueuedJobStatus.of(State.FAILED, "NODE_FAIL", ""));

        assertThat(result.summary()).contains("ended with an unknown exit status");
        assertThat(result.findings())
                .extracting(Finding::message)
                .containsExactly("job 1 failed: its state is NODE_FAIL");
    }
}
