package io.clusterwright.mpi.internal.agent;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.clusterwright.core.RunningCommand;
import io.clusterwright.mpi.LocalSession;
import io.clusterwright.mpi.spi.JobFolder;
import io.clusterwright.mpi.spi.LaunchCommand;
import java.io.ByteArrayOutputStream;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** With real processes of this machine. */
class WatchdogScriptTest {
    private static final Duration SOON = Duration.ofSeconds(20);

    private final JobFolder folder = new JobFolder(
            "cwjob-00000001" + String.format("%08x", ProcessHandle.current().pid()));
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private RunningCommand running;
    private Process process;

    @AfterEach
    void endWhatATestLeft() {
        if (running != null) {
            running.close();
        }
        if (process != null) {
            process.destroyForcibly();
        }
    }

    @Test
    void runsAProgramWithItsArgumentsAndItsStatus() {
        start(List.of(
                "/bin/sh", "-c", "printf '%s|' \"$@\" \"$CLUSTERWRIGHT_JOB\"; exit 3", "x", "a b", "", "'", "é\n$"));

        assertThat(running.await(SOON)).hasValue(3);
        assertThat(text()).isEqualTo("a b||'|é\n$|" + folder.token() + "|");
    }

    @Test
    void givesTheProgramNoInput() {
        start(List.of("readlink", "/proc/self/fd/0"));

        assertThat(running.await(SOON)).hasValue(0);
        assertThat(text()).isEqualTo("/dev/null\n");
    }

    @Test
    void endsTheProgramAndAllOfTheJobWhenTheInputEnds() throws Exception {
        stranger();
        start(List.of("/bin/sh", "-c", "trap '' TERM HUP INT; setsid sleep 60 & echo up; while :; do sleep 60; done"));
        await().atMost(SOON).until(() -> text().equals("up\n"));

        running.endInput();

        assertThat(running.await(SOON)).isPresent();
        assertThat(process.waitFor(5, TimeUnit.SECONDS)).isTrue();
        assertThat(new LocalSession().run(WatchdogScript.end(folder)).stdout()).isEqualTo("clusterwright-sweep 0 0\n");
    }

    @Test
    void saysNothingWhereThereIsNoAnswer() {
        assertThat(WatchdogScript.answer("sh: not found")).isEqualTo(Optional.empty());
    }

    /** A process of the job that no command here started. */
    private void stranger() throws Exception {
        ProcessBuilder builder = new ProcessBuilder("sleep", "60");
        builder.environment().put(JobFolder.VARIABLE, folder.token());
        process = builder.start();
    }

    private void start(List<String> program) {
        running = new LocalSession().start(WatchdogScript.hold(), (stream, bytes, length) -> {
            synchronized (out) {
                out.write(bytes, 0, length);
            }
        });
        running.send(WatchdogScript.program(folder, new LaunchCommand(program)));
    }

    private String text() {
        synchronized (out) {
            return out.toString(UTF_8);
        }
    }
}
