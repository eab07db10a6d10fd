package io.clusterwright.azure.emulator.junit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.clusterwright.azure.emulator.ArmEmulator;
import io.clusterwright.azure.emulator.Fault;
import io.clusterwright.core.ClusterManager;
import io.clusterwright.core.CreateFailedException;
import io.clusterwright.core.spec.ClusterSpec;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

@EmulatedAzure
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class PendingFaultsTest {
    private final ArmEmulator emulator;

    PendingFaultsTest(ArmEmulator emulator) {
        this.emulator = emulator;
    }

    /** The fault of the page {@code docs/emulated-azure.md}. */
    @Test
    void theFaultOfAScaleSetHitsADefaultCluster(ClusterManager manager) {
        Fault hit =
                Fault.of(Fault.Kind.ALLOCATION_FAILED, "PUT", "**/virtualMachineScaleSets/demo-vmss/virtualMachines/1");
        Fault missed = Fault.of(Fault.Kind.ALLOCATION_FAILED, "PUT", "**/virtualMachines/demo2");
        emulator.faults(hit, missed);
        ClusterSpec spec = ClusterSpec.builder("demo")
                .region("westeurope")
                .nodes(nodes -> nodes.count(2).size("Standard_HB120rs_v3"))
                .image(image -> image.capture(false))
                .build();

        assertThatThrownBy(() -> manager.create(spec))
                .isInstanceOf(CreateFailedException.class)
                .hasStackTraceContaining("AllocationFailed");

        assertThat(emulator.pendingFaults())
                .extracting(Fault::toString)
                .containsExactly("AllocationFailed on PUT **/virtualMachines/demo2");
        emulator.faults();
    }

    @Test
    void saysHowManyHitsAreLeft() throws Exception {
        emulator.faults(
                Fault.of(Fault.Kind.TOO_MANY_REQUESTS, "GET", "/subscriptions")
                        .skip(1)
                        .times(2),
                Fault.of(Fault.Kind.SERVICE_UNAVAILABLE, "GET", "/subscriptions/**")
                        .always());

        assertThat(get("")).isEqualTo(200);
        assertThat(emulator.pendingFaults())
                .extracting(Fault::toString)
                .containsExactly(
                        "TooManyRequests on GET /subscriptions, times 2",
                        "ServiceUnavailable on GET /subscriptions/**, always");

        assertThat(get("")).isEqualTo(429);
        assertThat(get("/" + emulator.subscriptionId())).isEqualTo(503);
        assertThat(emulator.pendingFaults())
                .extracting(Fault::toString)
                .containsExactly("TooManyRequests on GET /subscriptions");

        assertThat(get("")).isEqualTo(429);
        assertThat(emulator.pendingFaults()).isEmpty();
        emulator.faults();
    }

    private int get(String subscription) throws IOException, InterruptedException {
        URI url = URI.create(emulator.url() + "/subscriptions" + subscription + "?api-version=2022-12-01");
        return HttpClient.newHttpClient()
                .send(HttpRequest.newBuilder(url).build(), HttpResponse.BodyHandlers.discarding())
                .statusCode();
    }
}
