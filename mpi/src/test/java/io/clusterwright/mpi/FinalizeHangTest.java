package io.clusterwright.mpi;

import static org.assertj.core.api.Assertions.assertThat;

import io.clusterwright.core.plan.Finding;
import io.clusterwright.core.spec.MpiFlavour;
import io.clusterwright.mpi.job.JobResult;
import io.clusterwright.mpi.job.OutputLine;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** MPICH 4.0.2 mostly does not end a job over UCX and TCP of which one rank comes 3 s late to MPI_Finalize. */
@Tag("breadth")
@Timeout(300)
class FinalizeHangTest {
    private static final boolean SOAK = Boolean.getBoolean("clusterwright.soak");

    /** Enough for looks after 4, 12 and 28 s, and for three more, 4 s apart, if only the last of those sees bytes unread. */
    private static final Duration LONGEST = Duration.ofSeconds(45);

    @TempDir
    private Path folder;

    @Test
    void ranksThatWaitForEachOtherInFinalizeAreEndedAndReported() throws Exception {
        JobResult result = run("slow", LONGEST);
        for (int again = 0; again < 8 && (result.succeeded() || isAllPolling(result)); again++) {
            result = run("slow", LONGEST);
        }

        assertThat(result.outcome()).as("%s", result).isEqualTo(JobResult.Outcome.HUNG);
        assertThat(result.outputTail()).extracting(OutputLine::text).anyMatch(line -> line.startsWith("heat "));
        assertThat(result.gravestFinding().orElseThrow().message())
                .startsWith("the remaining ranks waited for each other in MPI_Finalize of MPICH 4.0.2");
        assertThat(result.duration()).isLessThan(Duration.ofSeconds(60));
        assertThat(result.rankFailures()).isEmpty();
        assertThat(result.isClean()).as("%s", result.leftovers()).isTrue();
    }

    /**
     * On busy cores all ranks may hang polling, which nothing tells from work that polls: then the time limit ends the
     * job, and says why it may have hung.
     */
    private static boolean isAllPolling(JobResult result) {
        return result.outcome() == JobResult.Outcome.TIMED_OUT
                && result.findings().stream().anyMatch(finding -> finding.code().equals("CW-MPI-022"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"busy", "sleep"})
    void ranksThatComputeOrSleepAreLeftAlone(String mode) throws Exception {
        JobResult result = run(mode, Duration.ofSeconds(SOAK ? 50 : 3));

        assertThat(result.outcome()).as("%s", result).isEqualTo(JobResult.Outcome.TIMED_OUT);
        assertThat(result.findings()).extracting(Finding::code).doesNotContain("CW-MPI-028");
    }

    private JobResult run(String mode, Duration limit) throws Exception {
        MpiJob job = MpiJob.of(Heat.build(MpiFlavour.MPICH, folder).toString(), mode, "3", "20");
        // Bridges of other tests come and go, and MPICH would begin on one of them.
        return job.environment("UCX_TLS", "tcp,self")
                .environment("UCX_NET_DEVICES", "lo")
                .flavour(MpiFlavour.MPICH)
                .on(LocalTarget.alone(4))
                .run(limit);
    }
}
