package io.clusterwright.azure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.clusterwright.azure.emulator.ArmClient;
import io.clusterwright.azure.emulator.ArmEmulator;
import io.clusterwright.azure.emulator.SeenRequest;
import io.clusterwright.core.internal.concurrent.Threads;
import io.clusterwright.core.spec.ClusterSpec;
import io.clusterwright.core.spec.Placement;
import java.io.BufferedReader;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * A process is killed that has made separate machines and a scale set with a time to live, and is about to make others. Azure ends them while no
 * client asks anything.
 */
@Tag("breadth")
class KilledClientTest extends ScaleSetFixture {
    private static final Duration LIFE = Duration.ofHours(8);
    private static final Duration LONGEST = Duration.ofMinutes(3);
    private static final int KILLED = 128 + 9;
    private static final String READY = "ready";
    private static final String BEGUN = "begun";

    private static ClusterSpec spec(Placement.Kind kind, String phase) {
        return TimeToLiveTest.spec(kind, LIFE).toBuilder()
                .resourceGroup(phase + "-" + kind)
                .build();
    }

    /** The client: makes clusters of both kinds, says so, and makes two more. */
    static final class Client extends ScaleSetFixture {
        public static void main(String[] arguments) throws InterruptedException {
            makeBoth(arguments, READY);
            System.out.println(READY);
            makeBoth(arguments, BEGUN);
        }

        private static void makeBoth(String[] arguments, String phase) throws InterruptedException {
            Thread set = Threads.start("set", () -> new Client().make(arguments, Placement.Kind.SCALE_SET, phase));
            new Client().make(arguments, Placement.Kind.AVAILABILITY_SET, phase);
            set.join();
        }

        private void make(String[] arguments, Placement.Kind kind, String phase) {
            ClusterSpec spec = spec(kind, phase);
            log.end = Optional.of(Instant.now().plus(LIFE));
            AzureProvider azure = connect(URI.create(arguments[0]), arguments[1], backend);
            assertThat(made(create(azure, spec, spec.nodes().names()))).hasSize(2);
        }
    }

    private static Process client(ArmEmulator emulator) throws IOException {
        return new ProcessBuilder(
                        ProcessHandle.current().info().command().orElse("java"),
                        "-cp",
                        System.getProperty("java.class.path"),
                        "-XX:TieredStopAtLevel=1",
                        "-XX:+UseSerialGC",
                        Client.class.getName(),
                        emulator.url().toString(),
                        emulator.subscriptionId())
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
    }

    private static void kill(Process client) throws InterruptedException {
        assertThat(client.destroyForcibly().waitFor()).isEqualTo(KILLED);
    }

    private static JsonNode machine(ArmEmulator emulator, String phase, String node) {
        String group = phase + "-" + Placement.Kind.AVAILABILITY_SET;
        return new ArmClient(emulator)
                .get("/subscriptions/" + emulator.subscriptionId() + "/resourceGroups/" + group
                        + "/providers/Microsoft.Compute/virtualMachines/" + node)
                .body();
    }

    private static String power(ArmEmulator emulator, String phase, String node) {
        String id = machine(emulator, phase, node).path("id").asText();
        return new ArmClient(emulator)
                .get(id + "/instanceView")
                .body()
                .path("statuses")
                .findValuesAsText("code")
                .toString();
    }

    private static long instances(ArmEmulator emulator) {
        return emulator.resources().stream()
                .filter(id -> id.matches(".*/virtualMachineScaleSets/[^/]+/virtualMachines/[^/]+"))
                .count();
    }

    /**
     * In the second phase machines are made when the set has begun to grow, and the schedule of the second one, which is written last, never
     * arrives.
     */
    private static final class Moment {
        private final CountDownLatch growing = new CountDownLatch(1);
        private final CountDownLatch killed = new CountDownLatch(1);
        private final Set<String> written = ConcurrentHashMap.newKeySet();

        private static boolean counts(SeenRequest request) {
            return request.method().equals("PUT") && request.path().contains("/" + BEGUN);
        }

        boolean carriesOut(SeenRequest request) {
            if (!counts(request)) {
                return true;
            }
            if (request.path().endsWith("-nic")) {
                return awaits(growing);
            }
            if (request.path().endsWith("shutdown-computevm-cluster12")) {
                awaits(killed);
                return false;
            }
            return true;
        }

        boolean answers(SeenRequest request) {
            boolean again = counts(request) && !written.add(request.path());
            if (again && request.path().contains("/virtualMachineScaleSets/")) {
                growing.countDown();
            }
            return true;
        }

        boolean isWritten(String end) {
            return written.stream().anyMatch(path -> path.endsWith(end));
        }

        private static boolean awaits(CountDownLatch latch) {
            try {
                return latch.await(LONGEST.toSeconds(), TimeUnit.SECONDS);
            } catch (InterruptedException e) {
                return false;
            }
        }
    }

    @Test
    void allEndThatWereReadyOrBeingMadeExceptAMachineWhoseScheduleWasNotWritten() throws Exception {
        Moment moment = new Moment();
        try (ArmEmulator emulator = ArmEmulator.builder()
                .realistic()
                .unreliable(0, 0)
                .throttling(false)
                .coresPerFamily(60_000)
                .regionalCores(60_000)
                .carriesOut(moment::carriesOut)
                .answers(moment::answers)
                .start()) {
            Process client = client(emulator);
            try (BufferedReader lines = client.inputReader()) {
                await().atMost(LONGEST).pollInterval(Duration.ofMillis(20)).until(() -> {
                    emulator.advance(Duration.ofSeconds(5));
                    return lines.ready();
                });
                assertThat(lines.readLine()).isEqualTo(READY);
                await().atMost(LONGEST).pollInterval(Duration.ofMillis(20)).until(() -> {
                    boolean begun = moment.isWritten("virtualMachines/cluster11")
                            || moment.isWritten("virtualMachines/cluster12");
                    emulator.advance(begun ? Duration.ZERO : Duration.ofSeconds(1));
                    return moment.isWritten("shutdown-computevm-cluster11")
                            && moment.isWritten("virtualMachines/cluster12");
                });
            } finally {
                kill(client);
                moment.killed.countDown();
            }
            assertThat(machine(emulator, BEGUN, "cluster11")
                            .at("/properties/provisioningState")
                            .asText())
                    .isEqualTo("Creating");

            emulator.advance(LIFE.minusMinutes(30));
            assertThat(power(emulator, READY, "cluster11")).contains("PowerState/running");
            assertThat(power(emulator, BEGUN, "cluster11")).contains("PowerState/running");
            assertThat(instances(emulator)).isEqualTo(4);
            int asked = emulator.requests().size();
            emulator.advance(Duration.ofMinutes(31));
            emulator.advance(Duration.ofMinutes(5));

            assertThat(emulator.requests()).hasSize(asked);
            assertThat(instances(emulator)).isZero();
            assertThat(power(emulator, READY, "cluster11")).contains("PowerState/deallocated");
            assertThat(power(emulator, READY, "cluster12")).contains("PowerState/deallocated");
            assertThat(power(emulator, BEGUN, "cluster11")).contains("PowerState/deallocated");
            assertThat(power(emulator, BEGUN, "cluster12")).contains("PowerState/running");
            AzureProvider other = connect(emulator, new FirstContact());
            assertThat(other.marked())
                    .singleElement()
                    .satisfies(cluster -> assertThat(cluster.running()).hasSize(1));
        }
    }
}
