package io.clusterwright.mpi.check;

import static org.assertj.core.api.Assertions.assertThat;

import io.clusterwright.core.plan.Finding;
import io.clusterwright.core.spec.MpiFlavour;
import io.clusterwright.mpi.LocalSession;
import io.clusterwright.mpi.LocalTarget;
import io.clusterwright.mpi.MpichEnd;
import io.clusterwright.mpi.job.MpiInstallation;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Launchers that end with status 0 and have not done what was asked. */
class HostnameCheckTest {
    @TempDir
    private Path folder;

    @Test
    void passesWhenEveryNodeAnsweredInOneWorld() throws Exception {
        HostnameCheck.Report report = check("clusterwright-host here 2", "clusterwright-host gone.example.org 2");

        assertThat(report.answered()).containsExactly(LocalSession.NODE, LocalTarget.GONE);
        assertThat(report.silent()).isEmpty();
        assertThat(MpichEnd.others(report.result())).extracting(Finding::code).containsOnly("CW-MPI-005");
        assertThat(report.succeeded()).isTrue();
    }

    @Test
    void failsWhenRanksFormSeparateWorlds() throws Exception {
        HostnameCheck.Report report = check("clusterwright-host here 1", "clusterwright-host gone 1");

        assertThat(report.result().exitStatus()).hasValue(0);
        assertThat(report.succeeded()).isFalse();
        assertThat(report.result().findings())
                .filteredOn(finding -> finding.code().equals("CW-MPI-006"))
                .singleElement()
                .extracting(Finding::message)
                .isEqualTo(
                        "the job has 2 ranks, and the ranks report a world of size 1: they run as" + " separate jobs");
    }

    @Test
    void namesTheNodeThatKeptSilent() throws Exception {
        HostnameCheck.Report report = check("clusterwright-host here 2", "clusterwright-host here 2");

        assertThat(report.succeeded()).isFalse();
        assertThat(report.silent()).containsExactly(LocalTarget.GONE);
        assertThat(report.result().findings())
                .extracting(Finding::message)
                .contains("no rank answered from gone; the launcher ended with status 0; its last output: "
                        + "clusterwright-host here 2 / clusterwright-host here 2");
    }

    @Test
    void reportsTheStatusOfASilentLauncher() throws Exception {
        HostnameCheck.Report report = checkScript("kill -PIPE $$");

        assertThat(report.succeeded()).isFalse();
        assertThat(report.result().findings())
                .extracting(Finding::message)
                .contains(
                        "the launcher ended without output (the launcher ended with status 141 and printed nothing); it was started again",
                        "no rank answered from gone,here; the launcher ended with status 141 and printed nothing");
    }

    @Test
    void startsASilentLauncherOnceMore() throws Exception {
        Path seen = folder.resolve("seen");
        HostnameCheck.Report report = checkScript("if [ ! -e " + seen + " ]; then\n: >" + seen
                + "\nsetsid sleep 100 >/dev/null 2>&1 &\nexit 0\nfi\n"
                + "echo clusterwright-host here 2; echo clusterwright-host gone 2");

        assertThat(report.succeeded()).isTrue();
        assertThat(MpichEnd.others(report.result()))
                .extracting(Finding::code)
                .containsExactlyInAnyOrder("CW-MPI-003", "CW-MPI-005", "CW-MPI-024");
    }

    @Test
    void namesAForeignHost() throws Exception {
        HostnameCheck.Report report =
                check("clusterwright-host here 2", "clusterwright-host gone 2", "clusterwright-host stranger 2");

        assertThat(report.succeeded()).isFalse();
        assertThat(report.result().findings()).extracting(Finding::code).contains("CW-MPI-009");
    }

    private HostnameCheck.Report check(String... output) throws Exception {
        return checkScript("cat <<'END'\n" + String.join("\n", output) + "\nEND");
    }

    private HostnameCheck.Report checkScript(String script) throws Exception {
        Path mpirun = Files.writeString(folder.resolve("mpirun"), "#!/bin/sh\n" + script + "\n");
        Files.setPosixFilePermissions(mpirun, PosixFilePermissions.fromString("rwx------"));
        return HostnameCheck.on(LocalTarget.withNodeThatIsGone())
                .installation(new MpiInstallation(MpiFlavour.MPICH, "4.0.2", mpirun.toString()))
                .run(Duration.ofSeconds(30));
    }
}
