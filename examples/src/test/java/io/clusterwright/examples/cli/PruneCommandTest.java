package io.clusterwright.examples.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.clusterwright.azure.AzureMachines;
import io.clusterwright.azure.emulator.ArmEmulator;
import io.clusterwright.core.ResourceId;
import io.clusterwright.core.internal.json.Json;
import io.clusterwright.core.spec.ClusterSpec;
import io.clusterwright.core.spec.OperatingSystem;
import io.clusterwright.core.spec.SpecReader;
import io.clusterwright.core.spi.Bootstrap;
import io.clusterwright.core.spi.ImageSource;
import io.clusterwright.core.spi.Machine;
import io.clusterwright.core.spi.MachineProvider;
import io.clusterwright.core.spi.MachineProvider.MachineOutcome;
import io.clusterwright.core.spi.MachineProvider.MachineRequest;
import io.clusterwright.core.spi.MachineProvider.ResourceLog;
import io.clusterwright.core.spi.NodeBackend;
import io.clusterwright.core.spi.ProviderMachines;
import io.clusterwright.core.type.ClusterId;
import io.clusterwright.core.type.Ipv4Address;
import io.clusterwright.core.type.NodeName;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;

/** The captured images of other users of a subscription, by command. */
class PruneCommandTest {
    private static final ClusterSpec SPEC = SpecReader.read("""
            name: prune
            region: westeurope
            nodes: {count: 2, size: Standard_HB120rs_v3}
            network: {addressSpace: 10.46.0.0/16, ssh: {external: none}}
            placement: {kind: availability-set}
            image: {base: "microsoft-dsvm:ubuntu-hpc:2204:latest"}
            """, "prune");
    private static final String OTHER = "00000000000000ab";

    private final Console console = new Console();

    /** Captures two images: one of another state folder, and one without a mark. */
    private static void capture(ArmEmulator emulator) {
        ClusterId cluster = ClusterId.random(SPEC.name());
        ResourceLog log = new ResourceLog() {
            @Override
            public ClusterId cluster() {
                return cluster;
            }

            @Override
            public void creating(ResourceId resource) {}

            @Override
            public void created(ResourceId resource) {}

            @Override
            public void deleted(ResourceId resource) {}
        };
        NodeBackend backend = NodeBackend.of(OperatingSystem.LINUX);
        String login = backend.newKeyPair("login").publicKey().toString();
        List<MachineRequest> requests = new ArrayList<>();
        for (NodeName node : SPEC.nodes().names()) {
            requests.add(new MachineRequest(
                    node,
                    Ipv4Address.of("10.46.0.11").plus(requests.size()),
                    SPEC.nodes().requireSize(),
                    new ImageSource.Base(SPEC.image().base()),
                    new Bootstrap(node, SPEC.login().user(), List.of(login), backend.newKeyPair("host"))));
        }
        ProviderMachines machines =
                (ProviderMachines) AzureMachines.onLoopback(emulator.url(), emulator.subscriptionId())
                        .privateAddresses(true)
                        .pollInterval(Duration.ofMillis(20))
                        .build();
        try (MachineProvider azure = machines.open()) {
            azure.createNetwork(SPEC, log);
            List<Machine> made = new CopyOnWriteArrayList<>();
            azure.createMachines(SPEC, requests, log, outcome -> made.add(((MachineOutcome.Made) outcome).machine()));
            azure.capture(cluster, made.get(0), "image-other", OTHER, 1);
            azure.capture(cluster, made.get(1), "image-unmarked", "", 1);
        }
    }

    private int images(ArmEmulator emulator, String... options) {
        List<String> arguments = new ArrayList<>(List.of(
                "images",
                "--on",
                "azure",
                "--endpoint",
                emulator.url().toString(),
                "--subscription",
                emulator.subscriptionId()));
        arguments.addAll(List.of(options));
        console.clear();
        return console.run(arguments.toArray(String[]::new));
    }

    @Test
    void imagesOfOthersAreDeletedForEveryoneOnly() throws IOException {
        try (ArmEmulator emulator = ArmEmulator.builder()
                .coresPerFamily(12_000)
                .retryAfter(Duration.ZERO)
                .start()) {
            capture(emulator);
            assertThat(images(emulator, "--captured")).isZero();
            assertThat(console.out().lines())
                    .anyMatch(line -> line.startsWith("azure:image-other ") && line.endsWith(" MB other"))
                    .anyMatch(line -> line.startsWith("azure:image-unmarked ") && line.endsWith(" MB unmarked"));

            assertThat(images(emulator, "--prune", "--json")).isZero();
            assertThat(console.out().strip()).isEqualTo("[ ]");
            assertThat(console.errors())
                    .contains("image-other", "image-unmarked")
                    .contains("of others; delete one: clusterwright image delete NAME --on azure;")
                    .contains("delete all: clusterwright images --prune --everyone --on azure");

            assertThat(images(emulator, "--prune", "--everyone", "--json")).isZero();
            JsonNode deleted = Json.MAPPER.readTree(console.out());
            assertThat(deleted).hasSize(2).allMatch(image -> !image.path("own").asBoolean(true));
            assertThat(deleted)
                    .extracting(image -> image.path("owner").asText("none"))
                    .containsExactlyInAnyOrder(OTHER, "none");
            assertThat(console.errors()).isEmpty();
            assertThat(images(emulator, "--captured")).isZero();
            assertThat(console.out()).isEqualTo("no images\n");
        }
    }

    @Test
    void refusesEveryoneWithoutPrune() {
        assertThat(console.run("images", "--everyone")).isEqualTo(2);
        assertThat(console.errors()).contains("write --prune --everyone");
    }
}
