package io.clusterwright.mpi.internal.slurm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.clusterwright.mpi.job.QueuedJob;
import io.clusterwright.mpi.job.QueuedJobStatus.State;
import java.util.List;
import org.junit.jupiter.api.Test;

class SlurmQueueTest {

    @Test
    void readsEachJob() {
        List<QueuedJob.Listed> jobs = SlurmQueue.parse("""
                7|RUNNING|None|hpcuser|node[1-2]|cwjob-0123456789abcdef
                8|PENDING|Resources|other||a|b
                9|COMPLETED|None|hpcuser|node1|sh
                """);

        assertThat(jobs).extracting(QueuedJob.Listed::id).containsExactly("7", "8", "9");
        assertThat(jobs)
                .extracting(job -> job.status().state())
                .containsExactly(State.RUNNING, State.WAITING, State.SUCCEEDED);
        assertThat(jobs.get(1).status().reason()).isEqualTo("Resources");
        assertThat(jobs.get(1).name()).isEqualTo("a|b");
        assertThat(jobs.get(1).nodes()).isEmpty();
        assertThat(jobs.get(0).nodes()).isEqualTo("node[1-2]");
        assertThat(jobs.get(0).user()).isEqualTo("hpcuser");
    }

    @Test
    void anEmptyQueueHasNoJobs() {
        assertThat(SlurmQueue.parse("")).isEmpty();
    }

    @Test
    void refusesAnotherText() {
        assertThatThrownBy(() -> SlurmQueue.parse("slurm_load_jobs error")).hasMessageContaining("squeue printed");
    }
}
