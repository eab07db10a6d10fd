package io.clusterwright.azure.emulator.junit;

import static org.assertj.core.api.Assertions.assertThat;

import io.clusterwright.azure.emulator.ArmEmulator;
import io.clusterwright.azure.emulator.SeenRequest;
import io.clusterwright.core.ClusterManager;
import io.clusterwright.core.plan.Finding;
import io.clusterwright.core.plan.Plan;
import io.clusterwright.core.plan.Severity;
import io.clusterwright.core.spec.ClusterSpec;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

@EmulatedAzure(setup = EmulatedAzureTest.SmallQuota.class)
class EmulatedAzureTest {
    private final ArmEmulator emulator;

    EmulatedAzureTest(ArmEmulator emulator) {
        this.emulator = emulator;
    }

    private static ClusterSpec spec(int nodes) {
        return ClusterSpec.builder("junit")
                .region("westeurope")
                .nodes(n -> n.count(nodes).prefix("node").firstIndex(1).size("Standard_HB120rs_v3"))
                .network(n -> n.addressSpace("10.32.0.0/16").subnet("test", "10.32.0.0/24"))
                .build();
    }

    @Test
    void answersAnyClientOfResourceManager() throws IOException, InterruptedException {
        URI list = URI.create(emulator.url() + "/subscriptions?api-version=2022-12-01");
        HttpResponse<String> answer = HttpClient.newHttpClient()
                .send(HttpRequest.newBuilder(list).build(), HttpResponse.BodyHandlers.ofString());
        assertThat(answer.statusCode()).isEqualTo(200);
        assertThat(answer.body()).contains(emulator.subscriptionId());
    }

    @Test
    void plansWithTheQuotaOfTheSetup(ClusterManager manager) {
        Plan possible = manager.plan(spec(1));
        assertThat(possible.isFeasible()).as(possible.toText()).isTrue();
        Plan tooLarge = manager.plan(spec(2));
        assertThat(tooLarge.findings())
                .filteredOn(finding -> finding.severity() == Severity.ERROR)
                .extracting(Finding::message)
                .anySatisfy(message -> assertThat(message).contains("standardHBv3Family"));
        assertThat(emulator.requests()).isNotEmpty().noneMatch(SeenRequest::isWrite);
    }

    @Nested
    class InANestedClass {
        @Test
        void sharesTheEmulatorOfTheOuterClass(ArmEmulator parameter) {
            assertThat(parameter).isSameAs(emulator);
        }
    }

    /** One machine's cores. */
    static final class SmallQuota implements EmulatedAzure.Setup {
        @Override
        public void set(ArmEmulator.Builder emulator) {
            emulator.putFamilyLimit("standardHBv3Family", 120);
        }
    }
}
