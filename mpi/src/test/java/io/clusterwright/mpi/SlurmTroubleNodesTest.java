package io.clusterwright.mpi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.clusterwright.core.plan.Finding;
import io.clusterwright.core.spec.MpiFlavour;
import io.clusterwright.core.type.ClusterwrightException;
import io.clusterwright.core.type.NodeName;
import io.clusterwright.linux.junit.LocalCluster;
import io.clusterwright.mpi.check.HostnameCheck;
import io.clusterwright.mpi.check.MemlockCheck;
import io.clusterwright.mpi.job.JobResult;
import io.clusterwright.mpi.job.LaunchFailure;
import io.clusterwright.mpi.job.OutputLine;
import io.clusterwright.mpi.job.RankFailure;
import java.nio.file.Path;
import java.time.Duration;
import java.util.OptionalInt;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Jobs that a real Slurm cannot start as asked, and who is told. */
@Tag("breadth")
@LocalCluster(nodes = 3)
class SlurmTroubleNodesTest extends WithSlurm {

    @ParameterizedTest
    @CsvSource({
        "none, NPmpich2, 'the PMI plugin none tells no rank of the others'",
        "pmix, NPmpich2, 'NPmpich2 loads .*/libmpich.so.12, which does not speak pmix'",
        "pmix, /bin/sh, 'the job.s MPI, .*/libmpich.so.12, does not speak pmix'"
    })
    void refusesJobsWhoseRanksWouldBeAlone(String plugin, String program, String why) {
        int before = slurm.jobsSoFar();

        JobResult result = MpiJob.of(program)
                .ranksPerNode(1)
                .flavour(MpiFlavour.MPICH)
                .on(target.pmi(plugin))
                .run(MINUTE);

        assertThat(result.succeeded()).isFalse();
        assertThat(message(result, "CW-MPI-042")).matches(".*each rank would run as a separate job: " + why);
        assertThat(result.duration()).isLessThan(Duration.ofSeconds(10));
        assertThat(slurm.jobsSoFar()).isEqualTo(before);
    }

    @Test
    void hostnameCheckReportsSingleRanks() {
        HostnameCheck.Report report = HostnameCheck.on(target.pmi("none"))
                .installation(installed(MpiFlavour.MPICH))
                .run(MINUTE);

        assertThat(report.succeeded()).isFalse();
        assertThat(report.result().findings()).extracting(Finding::code).contains("CW-MPI-042");
    }

    /** The plugin is for another kind of machine: nothing is known before, and each rank ends well. */
    @Test
    void distinguishesSingleRanksThatSucceed() {
        HostnameCheck.Report names = HostnameCheck.on(target.pmi("cray_shasta"))
                .installation(installed(MpiFlavour.MPICH))
                .run(MINUTE);

        assertThat(names.result().exitStatus()).hasValue(0);
        assertThat(names.succeeded()).isFalse();
        assertThat(names.result().findings()).extracting(Finding::code).contains("CW-MPI-006");
    }

    @Test
    void refusesTheMpiOfAnotherLauncher() {
        JobResult result = MpiJob.of("NPmpich2")
                .ranksPerNode(1)
                .flavour(MpiFlavour.OPEN_MPI)
                .on(target)
                .run(MINUTE);

        assertThat(message(result, "CW-MPI-042"))
                .contains("NPmpich2 loads ", "libmpich.so.12, which does not speak pmix");
    }

    @Test
    void failsWithAPluginThatSlurmLacks() {
        JobResult result = MpiJob.of("NPmpich2")
                .ranksPerNode(1)
                .flavour(MpiFlavour.MPICH)
                .on(target.pmi("nosuch"))
                .run(MINUTE);

        assertThat(result.exitStatus().orElseThrow()).isPositive();
        assertThat(result.findings()).extracting(Finding::code).contains("CW-DIAG-612");
    }

    /** Slurm would let such a job wait without end. */
    @Test
    void refusesMoreRanksThanANodeHasCpus() {
        int before = slurm.jobsSoFar();
        MpiJob job = MpiJob.of("hostname").ranks(7).flavour(MpiFlavour.MPICH);

        JobResult result = job.on(target).run(MINUTE);

        assertThat(result.succeeded()).isFalse();
        assertThat(message(result, "CW-MPI-044"))
                .endsWith("Slurm counts 2 CPUs on " + names().get(0) + ", and the job needs 3 there");
        assertThat(result.duration()).isLessThan(Duration.ofSeconds(10));
        assertThatThrownBy(() -> job.on(target).submit())
                .isInstanceOf(ClusterwrightException.class)
                .hasMessageContainingAll("Slurm counts 2 CPUs on " + names().get(0), "--ppn", "--overcommit");
        assertThat(slurm.jobsSoFar()).isEqualTo(before);

        JobResult sharing = job.on(target.addOption("--overcommit")).run(MINUTE);
        assertThat(sharing.succeeded()).as("%s", sharing).isTrue();
        assertThat(sharing.ranks()).isEqualTo(7);
    }

    @ParameterizedTest
    @EnumSource(
            value = MpiFlavour.class,
            names = {"MPICH", "OPEN_MPI"})
    void namesTheRankThatCalledAbort(MpiFlavour flavour, @TempDir Path folder) throws Exception {
        JobResult result = MpiJob.of("./heat", "abort", "1", "20", "5")
                .flavour(flavour)
                .ranks(6)
                .stageIn(Heat.build(flavour, folder), "heat")
                .on(target)
                .run(MINUTE);

        assertThat(result.firstFailure())
                .as("%s", result)
                .contains(new RankFailure(
                        OptionalInt.of(1), names().get(0).value(), OptionalInt.of(5), OptionalInt.empty(), true));
        assertThat(result.findings())
                .extracting(Finding::message)
                .filteredOn(message -> message.contains("first to fail"))
                .allMatch(message -> message.equals(
                        "rank 1 on " + names().get(0) + " was the first to fail: it called MPI_Abort with status 5"));
    }

    @Test
    void oneRankNeedsNoPmi() {
        MpiJob.of("hostname")
                .ranks(1)
                .flavour(MpiFlavour.MPICH)
                .on(target.pmi("none"))
                .run(MINUTE)
                .orThrow();
    }

    @Test
    void refusesToStartInAnotherFolder() {
        JobResult result =
                run(MpiJob.of("pwd").workingDirectory("/no such folder").ranks(1));

        assertThat(result.succeeded()).isFalse();
        assertThat(message(result, "CW-DIAG-610")).contains("Slurm ran the program in /tmp");
        assertThat(result.outputTail()).extracting(OutputLine::text).anyMatch(line -> line.contains("/no such folder"));
    }

    @Test
    void namesTheNodeThatIsDownWithItsReason() {
        NodeName last = names().get(2);
        slurm.root(0, "scontrol", "update", "nodename=" + last, "state=down", "reason=fan is broken");
        try {
            JobResult result = run(MpiJob.of("hostname"));

            assertThat(result.succeeded()).isFalse();
            assertThat(result.launchFailures())
                    .containsExactly(new LaunchFailure(
                            last.value(),
                            LaunchFailure.REFUSED_BY_SCHEDULER,
                            false,
                            "Slurm says down (fan is broken)"));
            assertThat(message(result, "CW-MPI-001"))
                    .isEqualTo("Slurm could not use " + last + ": Slurm says down (fan is broken)");
            assertThat(result.duration()).isLessThan(Duration.ofSeconds(10));
        } finally {
            slurm.root(0, "scontrol", "update", "nodename=" + last, "state=resume");
        }
    }

    @Test
    void namesTheNodeWhoseSlurmdDied() {
        NodeName last = names().get(2);
        slurm.killSlurmd(2);
        try {
            JobResult result = run(MpiJob.of("hostname"));

            assertThat(result.succeeded()).isFalse();
            assertThat(result.launchFailures()).extracting(LaunchFailure::host).contains(last.value());
            assertThat(message(result, "CW-MPI-001")).startsWith("Slurm could not use " + last);
            assertThat(result.duration()).isLessThan(Duration.ofSeconds(20));
        } finally {
            slurm.startSlurmd(2);
        }
    }

    @Test
    void endsSoonWithoutAController() {
        slurm.root(0, "sed", "-i", "s/^MessageTimeout=.*/MessageTimeout=1/", "/etc/slurm/slurm.conf");
        slurm.root(0, "/bin/sh", "-c", "kill -STOP $(cat /run/slurmctld.pid)");
        try {
            JobResult result = run(MpiJob.of("hostname"));

            assertThat(result.succeeded()).isFalse();
            assertThat(message(result, "CW-MPI-001"))
                    .isEqualTo("Slurm could not use " + names().get(0)
                            + ": sinfo got no answer from the Slurm controller");
            assertThat(result.duration()).isLessThan(Duration.ofSeconds(30));
            assertThat(result.isClean()).as("%s", result.leftovers()).isTrue();
        } finally {
            slurm.root(0, "/bin/sh", "-c", "kill -CONT $(cat /run/slurmctld.pid)");
            slurm.root(0, "sed", "-i", "s/^MessageTimeout=.*/MessageTimeout=5/", "/etc/slurm/slurm.conf");
        }
    }

    @Test
    void reportsALowerMemlockLimitUnderSlurm() {
        assertThat(MemlockCheck.lessUnderSlurm(target, MINUTE)).isEmpty();
        slurm.root(1, "/bin/sh", "-c", "prlimit --memlock=65536:65536 --pid $(cat /run/slurmd.pid)");
        try {
            assertThat(MemlockCheck.lessUnderSlurm(target, MINUTE))
                    .singleElement()
                    .satisfies(finding -> {
                        assertThat(finding.code()).isEqualTo("CW-MPI-041");
                        assertThat(finding.message())
                                .startsWith("a rank that Slurm starts on " + names().get(1)
                                        + " may lock 64 KiB, and an SSH session");
                    });
        } finally {
            slurm.root(1, "/bin/sh", "-c", "kill $(cat /run/slurmd.pid)");
            await().atMost(Duration.ofSeconds(10))
                    .until(() -> slurm.root(1, "/bin/sh", "-c", "pgrep -x slurmd || true")
                            .stdout()
                            .isBlank());
            slurm.startSlurmd(1);
        }
    }
}
