package io.clusterwright.windows.hpcpack;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.clusterwright.windows.wine.Recorder;
import io.clusterwright.windows.wine.Wine;
import io.clusterwright.windows.wine.WineExtension;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.parallel.ResourceLock;

/** Runs a stand-in for job, a real Windows program. */
@Tag("breadth")
@ExtendWith(WineExtension.class)
@ResourceLock("wine")
class JobClientTest {
    private static final HpcPackJob JOB = HpcPackJob.named("run 1")
            .addTask(HpcPackTask.of("mpiexec -c 1 app.exe").property("IsRerunnable", ""));

    private static JobClient client(Wine wine, Map<String, String> variables) throws IOException {
        new Recorder(wine).alias("job");
        List<String> words = new ArrayList<>(List.of("env", "--chdir=" + wine.folder(), "RECORD_TO=job.out"));
        wine.environment().forEach((name, value) -> words.add(name + "=" + value));
        variables.forEach((name, value) -> words.add(name + "=" + value));
        words.addAll(wine.command("").subList(0, 1));
        return JobClient.create().through(words);
    }

    @Test
    void returnsTheNumberOfTheJob(Wine wine) throws IOException {
        JobClient client = client(wine, Map.of("RECORDER_SAYS", "Job has been submitted. ID: 42."));
        assertThat(client.submit(JOB)).isEqualTo(42);
    }

    @Test
    void readsViewsAndLists(Wine wine) throws IOException {
        JobClient client = client(wine, Map.of("RECORDER_SAYS", "State : Running"));
        assertThat(client.view("job", "view", "42")).containsExactly(Map.entry("State", "Running"));
        assertThat(client.list("job", "list", "/format:list")).containsExactly(Map.of("State", "Running"));
    }

    @Test
    void doesNotWaitForAPassword(Wine wine) throws IOException {
        HpcPackException.CommandFailed failed = catchThrowableOfType(
                HpcPackException.CommandFailed.class,
                () -> client(wine, Map.of("RECORDER_MODE", "ask")).submit(JOB));

        assertThat(failed)
                .hasMessageContaining("job submit \"/jobname:run 1\" mpiexec -c 1 app.exe ended with 1")
                .hasMessageContaining("run hpccred setcreds once as this user")
                .hasMessageContaining("no password was given");
        assertThat(failed.exitStatus()).hasValue(1);
    }

    @Test
    void endsACommandThatHangs(Wine wine) throws IOException {
        JobClient client = client(wine, Map.of("RECORDER_MODE", "hang")).deadline(Duration.ofSeconds(3));
        long start = System.nanoTime();

        HpcPackException.CommandFailed failed =
                catchThrowableOfType(HpcPackException.CommandFailed.class, () -> client.submit(JOB));

        assertThat(failed)
                .hasMessageContaining("did not end within 3000 ms and was stopped")
                .hasMessageContaining("hpccred setcreds");
        assertThat(failed.exitStatus()).isEmpty();
        assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(30));
    }

    @Test
    void reportsOutputWithoutAJobNumber(Wine wine) throws IOException {
        assertThatThrownBy(() -> client(wine, Map.of("RECORDER_SAYS", "hello")).submit(JOB))
                .hasMessageContaining("printed no job id; run job list before you submit it again: hello");
    }

    @Test
    void reportsMissingClientUtilities() {
        assertThatThrownBy(() -> JobClient.create().run("no-such-job", List.of()))
                .isInstanceOf(HpcPackException.CommandFailed.class)
                .hasMessageContaining("install HPC Pack's client utilities, or use the REST client");
    }
}
