package io.clusterwright.mpi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.clusterwright.core.RunningCommand.OutputListener.Stream;
import io.clusterwright.core.plan.Finding;
import io.clusterwright.core.spec.MpiFlavour;
import io.clusterwright.mpi.job.JobFailedException;
import io.clusterwright.mpi.job.JobInterruptedException;
import io.clusterwright.mpi.job.JobResult;
import io.clusterwright.mpi.job.LaunchFailure;
import io.clusterwright.mpi.job.MpiNotFoundException;
import io.clusterwright.mpi.job.OutputLine;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.OptionalInt;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** Jobs on this machine alone, through the real launchers. */
@Tag("breadth")
@ParameterizedClass
@EnumSource(
        value = MpiFlavour.class,
        names = {"MPICH", "OPEN_MPI"})
@Timeout(120)
class MpiJobTest {
    private static final Duration MINUTE = Duration.ofMinutes(1);
    private static final LocalTarget HERE = LocalTarget.alone(2);
    private static final long SEED = 815;

    private final MpiFlavour flavour;
    private final List<OutputLine> lines = Collections.synchronizedList(new ArrayList<>());

    MpiJobTest(MpiFlavour flavour) {
        this.flavour = flavour;
    }

    @Test
    void handsOnEachRanksLines() {
        JobResult result = run(shell("echo out; echo err >&2"));

        assertThat(result.orThrow().exitStatus()).hasValue(0);
        assertThat(result.mpi().flavour()).isEqualTo(flavour);
        assertThat(result.ranks()).isEqualTo(2);
        assertThat(result.isClean()).isTrue();
        assertThat(result.leftovers()).containsKey(LocalSession.NODE);
        assertThat(lines)
                .containsExactlyInAnyOrder(
                        new OutputLine(Stream.STDOUT, OptionalInt.of(0), "out"),
                        new OutputLine(Stream.STDOUT, OptionalInt.of(1), "out"),
                        new OutputLine(Stream.STDERR, OptionalInt.of(0), "err"),
                        new OutputLine(Stream.STDERR, OptionalInt.of(1), "err"));
        assertThat(result.outputTail()).containsExactlyInAnyOrderElementsOf(lines);
    }

    @Test
    void leavesNoFolderBehind() {
        JobResult result = run(shell("pwd").launchOverSsh());

        String staged = result.command().stream()
                .filter(word -> word.contains("hostfile"))
                .filter(word -> word.startsWith("/tmp/"))
                .findFirst()
                .orElseThrow();
        assertThat(Path.of(staged).getParent()).doesNotExist();
        assertThat(Files.exists(Path.of("/tmp"))).isTrue();
    }

    @Test
    void givesTheProgramsExitStatus() {
        JobResult result = run(shell("exit 3").ranks(1));

        assertThat(result.outcome()).isEqualTo(JobResult.Outcome.ENDED);
        assertThat(result.exitStatus()).hasValue(3);
        assertThat(result.succeeded()).isFalse();
        assertThatThrownBy(result::orThrow)
                .isInstanceOf(JobFailedException.class)
                .hasMessageContaining("over 1 ranks ended with exit status 3");
    }

    @Test
    void doesNotSucceedWhenARankIsKilled() {
        JobResult result = run(shell("kill -9 $$").ranks(1));

        assertThat(result.succeeded()).isFalse();
        assertThat(result.exitStatus().orElseThrow()).isNotZero();
    }

    @Test
    void passesArgumentsOnUnchanged() {
        List<String> words = Words.awkward(SEED);

        run(Words.printing(words).ranks(1)).orThrow();

        assertThat(lines)
                .as("seed %d", SEED)
                .extracting(OutputLine::text)
                .containsExactlyElementsOf(words.stream().map(Words::hex).toList());
    }

    @Test
    void passesVariablesOnUnchanged() {
        String value = "a;b,c=d \"e\" 'f' $G\nsecond line: µ";

        run(shell("printf %s \"$V\" | od -An -v -tx1 | tr -d ' \\n'; echo; echo \"<${EMPTY-unset}>\"")
                        .environment("V", value)
                        .environment("EMPTY", "")
                        .ranks(1))
                .orThrow();

        assertThat(lines).extracting(OutputLine::text).containsExactly(Words.hex(value), "<>");
    }

    @Test
    void startsRanksInTheFolderAskedFor() {
        run(MpiJob.of("pwd").workingDirectory("/usr").ranks(1)).orThrow();

        assertThat(lines).extracting(OutputLine::text).containsExactly("/usr");
    }

    @Test
    void endsAJobAtItsTimeLimit() {
        JobResult result = MpiJob.of("sleep", "300").flavour(flavour).on(HERE).run(Duration.ofSeconds(1));

        assertThat(result.outcome()).isEqualTo(JobResult.Outcome.TIMED_OUT);
        assertThat(result.exitStatus()).isEmpty();
        assertThat(result.isClean()).isTrue();
        assertThat(result.duration()).isLessThan(Duration.ofSeconds(30));
    }

    @Test
    void endsProcessesThatIgnoreSignalsOrDetach() throws Exception {
        CountDownLatch ready = new CountDownLatch(2);
        RunningJob running = shell("trap '' TERM INT HUP; setsid sleep 300 & echo ready; while :; do sleep 1; done")
                .flavour(flavour)
                .on(HERE)
                .onOutput(line -> ready.countDown())
                .start();
        ready.await();
        running.cancel();
        running.cancel();

        JobResult result = running.await(MINUTE).orElseThrow();
        assertThat(result.outcome()).isEqualTo(JobResult.Outcome.CANCELLED);
        assertThat(result.leftovers().get(LocalSession.NODE).found()).isPositive();
        assertThat(result.isClean()).isTrue();
    }

    @Test
    void endsTheJobWhenTheWaitingThreadIsInterrupted() {
        Thread waiting = Thread.currentThread();
        PlacedMpiJob job = shell("echo ready; sleep 300")
                .flavour(flavour)
                .ranks(1)
                .on(HERE)
                .onOutput(line -> waiting.interrupt());

        assertThatThrownBy(() -> job.run(MINUTE)).isInstanceOfSatisfying(JobInterruptedException.class, e -> {
            assertThat(e.result().outcome()).isEqualTo(JobResult.Outcome.CANCELLED);
            assertThat(e.result().isClean()).isTrue();
            assertThat(e).hasMessageContaining("interrupted").hasMessageContaining("was cancelled");
        });
        assertThat(Thread.interrupted()).isTrue();
    }

    @Test
    void namesTheNodeThatCannotBeReached() {
        JobResult result = MpiJob.of("hostname")
                .flavour(flavour)
                .on(LocalTarget.withNodeThatIsGone())
                .run(MINUTE);

        assertThat(result.succeeded()).isFalse();
        assertThat(result.launchFailures()).containsExactly(new LaunchFailure("127.0.0.2", 255, false));
        assertThat(result.findings()).extracting(Finding::code).contains("CW-MPI-001");
        assertThat(result.gravestFinding().orElseThrow().message())
                .isEqualTo("the launch node could not log in to gone (127.0.0.2) by ssh");
        assertThat(result.duration()).isLessThan(Duration.ofSeconds(15));
    }

    @Test
    void goesOnWhenTheListenerFails() {
        JobResult result = shell("echo a; echo b")
                .flavour(flavour)
                .ranks(1)
                .on(HERE)
                .onOutput(line -> {
                    lines.add(line);
                    throw new IllegalStateException("no more");
                })
                .run(MINUTE);

        assertThat(result.succeeded()).isTrue();
        assertThat(lines).hasSize(1);
        assertThat(result.outputTail()).hasSize(2);
    }

    @Test
    void refusesAMissingFlavour() {
        assertThatThrownBy(() ->
                        MpiJob.of("true").flavour(MpiFlavour.INTEL_MPI).on(HERE).run(MINUTE))
                .isInstanceOf(MpiNotFoundException.class)
                .hasMessageContaining("on here there is no Intel MPI that can be started; found: [MPICH");
    }

    private JobResult run(MpiJob job) {
        return job.flavour(flavour).on(HERE).onOutput(lines::add).run(MINUTE);
    }

    private static MpiJob shell(String script) {
        return MpiJob.of("/bin/sh", "-c", script);
    }
}
