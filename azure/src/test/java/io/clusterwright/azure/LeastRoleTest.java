package io.clusterwright.azure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import io.clusterwright.azure.emulator.ArmClient;
import io.clusterwright.azure.emulator.ArmEmulator;
import io.clusterwright.azure.internal.arm.AccessRight;
import io.clusterwright.core.ClusterManager;
import io.clusterwright.core.StateStore;
import io.clusterwright.core.internal.json.Json;
import io.clusterwright.core.spec.ClusterSpec;
import io.clusterwright.core.spec.ExtensionSpec;
import io.clusterwright.core.spec.NetworkSpec;
import io.clusterwright.core.spec.NetworkSpec.SshAccess;
import io.clusterwright.core.spec.Placement;
import io.clusterwright.core.spi.Machine;
import io.clusterwright.core.spi.MachineProvider.MachineOutcome;
import io.clusterwright.core.spi.ProviderMachines;
import io.clusterwright.core.spi.ScriptChannel.Language;
import io.clusterwright.core.spi.ScriptChannel.Script;
import io.clusterwright.core.type.NodeName;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Holds the least role of {@code examples/azure-role.json} to the requests of plan, create, stop, start, resize, adopt and destroy, and to what these refer
 * to: who makes an interface in a subnet, for one, needs the right to join the subnet.
 */
class LeastRoleTest extends ScaleSetFixture {
    private static final Path ROLE = Path.of("..", "examples", "azure-role.json");
    private static final Pattern PART =
            Pattern.compile("/subscriptions/[^/]+/resourceGroups/[^/]+/providers/.+", Pattern.CASE_INSENSITIVE);

    /**
     * The right that a reference to a part of this type needs. Sources: Azure documentation, "Azure permissions for Networking";
     * kubernetes-sigs/cloud-provider-azure#1999 (pools), Azure/aad-pod-identity#550 (subnets), hashicorp/packer#7906 (images).
     */
    private static final Map<String, String> LINKED = Map.of(
            "Microsoft.Network/virtualNetworks/subnets", "/join/action",
            "Microsoft.Network/networkSecurityGroups", "/join/action",
            "Microsoft.Network/publicIPAddresses", "/join/action",
            "Microsoft.Network/networkInterfaces", "/join/action",
            "Microsoft.Network/loadBalancers/backendAddressPools", "/join/action",
            "Microsoft.Compute/galleries/images/versions", "/read",
            "Microsoft.Compute/virtualMachines", "/read",
            "Microsoft.Compute/virtualMachineScaleSets", "/write");

    /** What is made or deleted together with a machine. */
    private static final List<String> WITH_DISK =
            List.of("Microsoft.Compute/disks/write", "Microsoft.Compute/disks/delete");

    private static final List<String> WITH_INTERFACE = List.of("Microsoft.Network/networkInterfaces/delete");

    @TempDir
    private Path folder;

    private static ClusterSpec.Builder spec(Placement.Kind kind, Consumer<NetworkSpec.Builder> network) {
        return ClusterSpec.builder("cluster")
                .region("westeurope")
                .timeToLive(Duration.ofHours(8))
                .nodes(n -> n.count(2).firstIndex(11).size("Standard_HB120rs_v3"))
                .network(n -> network.accept(n.addressSpace("10.42.0.0/16").subnet("Subnet-1", "10.42.0.0/22")))
                .image(i -> i.base("microsoft-dsvm:ubuntu-hpc:2204:latest"))
                .placement(new Placement(kind, true));
    }

    private static void open(NetworkSpec.Builder network, SshAccess.External external, int prefix) {
        network.ssh(ssh -> {
            ssh.external(external).addAllowFrom("203.0.113.0/24");
            if (prefix > 0) {
                ssh.portPrefix(prefix);
            }
        });
    }

    private static List<ClusterSpec> specs(String subnet) {
        return List.of(
                spec(Placement.Kind.AVAILABILITY_SET, n -> open(n, SshAccess.External.ALL, 101))
                        .addExtension(ExtensionSpec.builder()
                                .name("InfiniBandDriverLinux")
                                .build())
                        .build(),
                spec(Placement.Kind.NONE, n -> open(n, SshAccess.External.HEAD, 0))
                        .build(),
                spec(Placement.Kind.SCALE_SET, n -> open(n, SshAccess.External.HEAD, 0))
                        .build(),
                spec(Placement.Kind.SCALE_SET, n -> {
                            open(n, SshAccess.External.NONE, 0);
                            n.addressSpace("10.45.0.0/16")
                                    .subnet(s -> s.id(subnet).range("10.45.0.0/24"));
                        })
                        .build());
    }

    private void life(AzureProvider azure, ClusterSpec spec) {
        azure.inspect(spec);
        log.end = spec.timeToLive().map(Instant.now()::plus);
        Map<NodeName, Machine> machines = made(create(azure, spec, spec.nodes().names()));
        assertThat(machines).hasSize(2);
        List<Machine> all = List.copyOf(machines.values());
        all.forEach(machine -> {
            azure.endpoint(ID, machine);
            azure.state(ID, machine);
            assertThatThrownBy(() -> azure.console(ID, machine)).hasMessageContaining("boot diagnostics are off");
            azure.installExtensions(ID, spec, machine, extension -> {});
        });
        azure.relay(ID, all.get(0)).run(new Script(Language.POSIX_SHELL, "true"), Duration.ofMinutes(1));
        azure.stop(ID, all);
        azure.start(ID, all);
        assertThat(azure.marked()).hasSize(1);
        azure.marked(ID.name());
        adopt(azure, spec);
        resize(azure, spec, all);
        if (spec.placement().kind() == Placement.Kind.AVAILABILITY_SET) {
            azure.capture(ID, all.get(0), "image", "", 1);
            azure.proven("image");
            azure.images();
            azure.deleteImage("image");
        }
        azure.delete(ID, all.get(1).resource());
        log.reversed().forEach(resource -> azure.delete(ID, resource));
        azure.remaining(ID).forEach(resource -> azure.delete(ID, resource));
        assertThat(azure.remaining(ID)).isEmpty();
        log.announced.clear();
    }

    /** In a folder without a record of the cluster. */
    private void adopt(AzureProvider azure, ClusterSpec spec) {
        Path state = folder.resolve("state").resolve(spec.placement().kind() + "-" + UUID.randomUUID());
        try (ClusterManager manager = ClusterManager.builder(ProviderMachines.of(azure))
                .stateStore(StateStore.inFolder(state))
                .build()) {
            assertThat(manager.adoptable(spec.name())).hasSize(1);
            assertThat(manager.adopt(ID, spec, event -> {}).nodes()).hasSize(2);
        }
    }

    /** To three nodes and back to two. */
    private void resize(AzureProvider azure, ClusterSpec spec, List<Machine> before) {
        ClusterSpec larger = spec.withNodeCount(3);
        azure.inspect(larger);
        before.forEach(machine -> log.members.put(machine.name(), machine));
        List<Machine> added = new ArrayList<>();
        azure.createNetwork(larger, log);
        azure.createMachines(
                larger,
                requests(larger, larger.nodes().names()).subList(2, 3),
                log,
                outcome -> added.add(((MachineOutcome.Made) outcome).machine()));
        azure.inspect(spec);
        added.forEach(machine -> azure.delete(ID, machine.resource()));
        assertThat(added).hasSize(1);
        log.members.clear();
    }

    private Set<String> rights() throws IOException {
        int ofOthers;
        try (ArmEmulator emulator = ArmEmulator.builder()
                .coresPerFamily(60_000)
                .regionalCores(60_000)
                .recordTo(folder.resolve("requests"))
                .start()) {
            ArmClient other = new ArmClient(emulator);
            other.prepare();
            ofOthers = emulator.requests().size();
            for (ClusterSpec spec : specs(other.network("virtualNetworks/vn/subnets/s"))) {
                life(connect(emulator), spec);
            }
            ClusterSpec plan = spec(Placement.Kind.NONE, n -> open(n, SshAccess.External.HEAD, 0))
                    .image(i -> i.base("almalinux:almalinux-hpc:8-hpc-gen2:latest"))
                    .build();
            connect(emulator).inspect(plan);
        }
        Set<String> rights = new TreeSet<>(String.CASE_INSENSITIVE_ORDER);
        try (Stream<Path> files = Files.list(folder.resolve("requests"))) {
            for (Path file : files.sorted().skip(ofOthers).toList()) {
                JsonNode request = ArmClient.JSON.readTree(file.toFile()).path("request");
                rights.add(AccessRight.of(
                                request.path("method").asText(),
                                request.path("path").asText())
                        .replaceFirst("^microsoft[.]", "Microsoft."));
                addLinked(rights, request.path("path").asText(), request.path("body"));
            }
        }
        return rights;
    }

    private static void addLinked(Set<String> rights, String path, JsonNode body) {
        if (body.path("deleteOption").asText().equals("Delete")) {
            rights.addAll(body.has("createOption") ? WITH_DISK : WITH_INTERFACE);
        }
        body.forEach(value -> {
            if (value.isContainerNode()) {
                addLinked(rights, path, value);
            } else if (PART.matcher(value.asText()).matches()
                    && !value.asText().toLowerCase(Locale.ROOT).startsWith(path.toLowerCase(Locale.ROOT))) {
                String type = AccessRight.of("GET", value.asText()).replaceFirst("/read$", "");
                if (LINKED.containsKey(type)) {
                    rights.add(type + LINKED.get(type));
                }
            }
        });
    }

    @Test
    void theRoleHasTheRightsOfEveryRequestAndNoOther() throws IOException {
        Set<String> rights = rights();
        if (Boolean.getBoolean("clusterwright.update")) {
            Files.writeString(
                    ROLE,
                    "{\n  \"Name\": \"Clusterwright\",\n  \"AssignableScopes\": [\"/subscriptions/ID\"],\n  \"Actions\": [\n    \""
                            + String.join("\",\n    \"", rights) + "\"\n  ]\n}\n");
        }

        Set<String> listed = new TreeSet<>(String.CASE_INSENSITIVE_ORDER);
        Json.MAPPER.readTree(ROLE.toFile()).path("Actions").forEach(action -> listed.add(action.asText()));
        assertThat(listed).containsExactlyElementsOf(rights);
    }
}
