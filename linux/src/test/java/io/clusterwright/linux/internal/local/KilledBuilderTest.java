package io.clusterwright.linux.internal.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.clusterwright.core.ResourceId;
import io.clusterwright.core.spi.MachineProvider.MachineOutcome;
import io.clusterwright.core.spi.MachineProvider.ResourceLog;
import io.clusterwright.core.type.ClusterId;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A process that makes a cluster is killed at many moments; another one then removes what is left. */
@Tag("breadth")
class KilledBuilderTest {

    @ParameterizedTest
    @CsvSource({
        "creating network, 0",
        "creating network, 10",
        "creating network, 40",
        "creating network, 80",
        "created network, 0",
        "creating machine, 0",
        "creating machine, 20",
        "creating machine, 60",
        "creating machine, 120",
        "creating machine, 200",
        "creating machine, 350",
        "created machine, 0",
        "done, 0"
    })
    void leavesNothingAfterDeleting(String moment, long delayMillis) throws Exception {
        try (Lab lab = new Lab("lm-killed", "10.45.0.0/16")) {
            MachineSnapshot before = lab.snapshot();
            Process child = new ProcessBuilder(
                            ProcessHandle.current().info().command().orElse("java"),
                            "-cp",
                            System.getProperty("java.class.path"),
                            "-XX:TieredStopAtLevel=1",
                            Builder.class.getName(),
                            lab.folder.toString())
                    .redirectErrorStream(true)
                    .start();
            try (BufferedReader lines =
                    new BufferedReader(new InputStreamReader(child.getInputStream(), StandardCharsets.UTF_8))) {
                List<String> seen = new ArrayList<>();
                String line = lines.readLine();
                while (line != null && !line.startsWith(moment)) {
                    seen.add(line);
                    line = lines.readLine();
                }
                assertThat(line).as(seen.toString()).isNotNull();
                // The moment of the kill is the point of this test, so here time has to pass.
                TimeUnit.MILLISECONDS.sleep(delayMillis);
            } finally {
                child.destroyForcibly().waitFor();
            }

            lab.destroy();
            assertThat(lab.machines.remaining(lab.cluster())).isEmpty();
            await().atMost(Duration.ofSeconds(5))
                    .untilAsserted(() -> assertThat(lab.snapshot()).isEqualTo(before));
        }
    }

    @Test
    void recordThatWasBeingWrittenGoesWithItsCluster() throws Exception {
        try (Lab lab = new Lab("lm-unwritten", "10.45.0.0/16").network()) {
            Path run = lab.folders.run();
            Path other = Files.createFile(run.resolve(".lm-unwritten-2.json-7.new"));
            Files.createFile(run.resolve(".lm-unwritten.json-1234567890.new"));

            lab.destroy();

            try (Stream<Path> left = Files.list(run)) {
                assertThat(left).containsExactly(other);
            }
        }
    }

    /** Makes a network and four nodes and says what it is about to do. */
    static final class Builder {
        public static void main(String[] arguments) throws Exception {
            Lab lab = new Lab("lm-killed", "10.45.0.0/16", Path.of(arguments[0]));
            ResourceLog log = new ResourceLog() {
                @Override
                public ClusterId cluster() {
                    return lab.cluster();
                }

                @Override
                public void creating(ResourceId resource) {
                    say("creating " + resource);
                }

                @Override
                public void created(ResourceId resource) {
                    say("created " + resource);
                }

                @Override
                public void deleted(ResourceId resource) {}
            };
            var requests = List.of(
                    lab.request(11, Lab.THIS_SYSTEM),
                    lab.request(12, Lab.THIS_SYSTEM),
                    lab.request(13, Lab.THIS_SYSTEM),
                    lab.request(14, Lab.THIS_SYSTEM));
            lab.machines.createNetwork(lab.spec, log);
            lab.machines.createMachines(lab.spec, requests, log, outcome -> {
                if (outcome instanceof MachineOutcome.Failed failed) {
                    say("failed " + failed.cause());
                }
            });
            say("done");
            Files.exists(lab.folder);
            TimeUnit.SECONDS.sleep(30);
        }

        private static synchronized void say(String line) {
            System.out.println(line);
            System.out.flush();
        }
    }
}
