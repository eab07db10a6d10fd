package io.clusterwright.mpi;

import static org.assertj.core.api.Assertions.assertThat;

import io.clusterwright.core.plan.Finding;
import io.clusterwright.core.spec.MpiFlavour;
import io.clusterwright.mpi.job.JobResult;
import io.clusterwright.mpi.job.MpiInstallation;
import io.clusterwright.mpi.job.RankFailure;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.OptionalInt;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The status of a job is that of its ranks, whatever the launcher makes of it. Real launchers on this machine. */
@Tag("breadth")
@Timeout(120)
class RankStatusTest {
    private static final Duration MINUTE = Duration.ofMinutes(1);
    private static final String RANK = "r=${PMI_RANK:-$OMPI_COMM_WORLD_RANK}; ";
    private static final String HYDRA_FAILS =
            "echo '[mpiexec@here] control_cb (pm/pmiserv/pmiserv_cb.c:208): assert (!closed) failed' >&2; exit 255";

    @TempDir
    private Path folder;

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aLauncherThatFailsAfterItsRanksDoesNotFailTheJob(boolean overSsh) throws Exception {
        JobResult result = run(hydraAnd(HYDRA_FAILS), overSsh, "echo done");

        assertThat(result.exitStatus()).hasValue(0);
        assertThat(result.succeeded()).as("%s", result).isTrue();
        assertThat(result.findings())
                .extracting(Finding::message)
                .contains("every rank ended with status 0, and then the launcher failed with status 255");
        assertThat(result.isClean()).isTrue();
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aRankThatFailedGivesTheStatusOfALauncherThatFailsAsWell(boolean overSsh) throws Exception {
        JobResult result = run(hydraAnd(HYDRA_FAILS), overSsh, RANK + "[ $r = 0 ] || exit 3");

        assertThat(result.exitStatus()).hasValue(3);
        assertThat(result.firstFailure())
                .contains(new RankFailure(OptionalInt.of(1), "here", OptionalInt.of(3), OptionalInt.empty(), true));
        assertThat(result.findings()).extracting(Finding::code).doesNotContain("CW-MPI-026");
    }

    @Test
    void aLauncherThatGoesOnAfterItsRanksIsEnded() throws Exception {
        JobResult result = run(hydraAnd("sleep 300"), true, "echo done");

        assertThat(result.exitStatus()).hasValue(0);
        assertThat(result.findings())
                .extracting(Finding::message)
                .contains(
                        "every rank ended with status 0, and the launcher was still running without output 10 s later, so it was stopped");
        assertThat(result.duration()).isLessThan(Duration.ofSeconds(30));
        assertThat(result.isClean()).isTrue();
    }

    /** Under MPICH a rank that leaves before MPI_Init does not end the others. */
    @ParameterizedTest
    @EnumSource(
            value = MpiFlavour.class,
            names = {"MPICH", "OPEN_MPI"})
    void theFirstRankThatFailsEndsTheOthersWithinSeconds(MpiFlavour flavour) {
        JobResult result = MpiJob.of("/bin/sh", "-c", RANK + "[ $r = 0 ] || exit 3; sleep 300")
                .flavour(flavour)
                .on(LocalTarget.alone(2))
                .run(MINUTE);

        assertThat(result.outcome()).isEqualTo(JobResult.Outcome.ENDED);
        assertThat(result.exitStatus()).hasValue(3);
        assertThat(result.firstFailure())
                .contains(new RankFailure(OptionalInt.of(1), "here", OptionalInt.of(3), OptionalInt.empty(), true));
        assertThat(result.duration()).isLessThan(Duration.ofSeconds(20));
        assertThat(result.isClean()).as("%s", result.leftovers()).isTrue();
    }

    @ParameterizedTest
    @ValueSource(ints = {5, 0})
    void anAbortUnderMpichGivesRankAndStatus(int code) throws Exception {
        JobResult result = heat("abort", "2", "20", Integer.toString(code));

        assertThat(result.exitStatus()).as("%s", result).hasValue(code);
        assertThat(result.firstFailure())
                .contains(new RankFailure(
                        OptionalInt.of(2),
                        "here",
                        code == 0 ? OptionalInt.empty() : OptionalInt.of(code),
                        OptionalInt.empty(),
                        true));
        assertThat(result.findings())
                .extracting(Finding::code)
                .contains("CW-DIAG-513")
                .doesNotContain("CW-DIAG-501");
    }

    @Test
    void aFatalErrorOfMpichGivesRankAndStatus() throws Exception {
        JobResult result = heat("wrong", "2", "20");

        RankFailure first = result.firstFailure().orElseThrow();
        assertThat(first.rank()).as("%s", result).hasValue(2);
        assertThat(first.signal()).isEmpty();
        assertThat(first.exitStatus()).isPresent().isEqualTo(result.exitStatus());
    }

    private JobResult heat(String... words) throws Exception {
        return MpiJob.of(Heat.build(MpiFlavour.MPICH, folder).toString(), words)
                .flavour(MpiFlavour.MPICH)
                .on(LocalTarget.alone(4))
                .run(MINUTE);
    }

    private JobResult run(Path mpirun, boolean overSsh, String script) {
        MpiJob job = MpiJob.of("/bin/sh", "-c", script)
                .installation(new MpiInstallation(MpiFlavour.MPICH, "4.0.2", mpirun.toString()));
        return (overSsh ? job.launchOverSsh() : job).on(LocalTarget.alone(2)).run(MINUTE);
    }

    /** The real Hydra, and what it does in the end in its place. */
    private Path hydraAnd(String end) throws Exception {
        String script = "#!/bin/sh\nmpirun.mpich \"$@\"\n" + end + "\n";
        return Files.setPosixFilePermissions(
                Files.writeString(folder.resolve("mpirun"), script), PosixFilePermissions.fromString("rwx------"));
    }
}
