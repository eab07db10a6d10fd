package io.clusterwright.mpi.internal.agent;

import static org.assertj.core.api.Assertions.assertThat;

import io.clusterwright.mpi.LocalSession;
import io.clusterwright.mpi.LocalTarget;
import io.clusterwright.mpi.job.Leftovers;
import io.clusterwright.mpi.spi.JobFolder;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class LeftoverSweepTest {
    private final JobFolder folder = new JobFolder(
            "cwjob-00000000" + String.format("%08x", ProcessHandle.current().pid()));
    private final LeftoverSweep sweep = new LeftoverSweep(LocalTarget.alone(1), folder);
    private Process process;

    @AfterEach
    void endWhatATestLeft() {
        if (process != null) {
            process.destroyForcibly();
        }
    }

    @Test
    void findsNothingOnACleanNode() {
        assertThat(sweep.end()).containsExactlyEntriesOf(Map.of(LocalSession.NODE, new Leftovers(0, 0, "")));
    }

    @Test
    void endsAProcessKnownByItsEnvironment() throws Exception {
        start("sleep", "60");

        assertThat(sweep.end()).containsEntry(LocalSession.NODE, new Leftovers(1, 0, ""));
        assertThat(process.waitFor(1, TimeUnit.SECONDS)).isTrue();
    }

    @Test
    void endsAProcessKnownByItsCommandLine() throws Exception {
        process = new ProcessBuilder("tail", "-f", "/dev/null", "--retry", "--", "/tmp/" + folder.token() + "/none")
                .redirectErrorStream(true)
                .start();

        assertThat(sweep.end()).containsEntry(LocalSession.NODE, new Leftovers(1, 0, ""));
    }

    @Test
    void killsAProcessThatIgnoresSignals() throws Exception {
        start("sh", "-c", "trap '' TERM HUP INT; echo ready; while :; do sleep 60; done");
        process.getInputStream().read();

        assertThat(sweep.end().get(LocalSession.NODE).remaining()).isZero();
        assertThat(process.waitFor(1, TimeUnit.SECONDS)).isTrue();
    }

    @Test
    void countsWithoutEnding() throws Exception {
        start("sleep", "60");

        assertThat(sweep.countBeside(Map.of())).containsEntry(LocalSession.NODE, new Leftovers(1, 1, ""));
        assertThat(process.isAlive()).isTrue();
    }

    @Test
    void reportsWhyANodeWasSkipped() {
        LeftoverSweep partly = new LeftoverSweep(LocalTarget.withNodeThatIsGone(), folder);

        Leftovers gone = partly.end().get(LocalTarget.GONE);
        assertThat(gone.isClean()).isFalse();
        assertThat(gone.problem()).isEqualTo("nobody answers at gone");
    }

    private void start(String... argv) throws Exception {
        ProcessBuilder builder = new ProcessBuilder(List.of(argv)).redirectErrorStream(true);
        builder.environment().put(JobFolder.VARIABLE, folder.token());
        process = builder.start();
    }
}
