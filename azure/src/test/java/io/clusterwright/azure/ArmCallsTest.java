package io.clusterwright.azure;

import static org.assertj.core.api.Assertions.assertThat;

import io.clusterwright.azure.emulator.ArmEmulator;
import io.clusterwright.azure.emulator.SeenRequest;
import io.clusterwright.core.spec.ClusterSpec;
import io.clusterwright.core.spec.Placement;
import io.clusterwright.core.spi.Machine;
import io.clusterwright.core.spi.MachineProvider.MachineOutcome;
import io.clusterwright.core.type.NodeName;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The number of calls of Azure Resource Manager that each operation makes; polls of operations, which time decides, are left out. */
class ArmCallsTest extends ScaleSetFixture {
    private record Calls(long reads, long writes) {}

    private ArmEmulator emulator;
    private int seen;

    @ParameterizedTest
    @CsvSource({"SCALE_SET, 4", "SCALE_SET, 40", "AVAILABILITY_SET, 4", "AVAILABILITY_SET, 40"})
    void growsWithNodesOnlyWhereAzureTakesACallPerMachine(Placement.Kind kind, int nodes) {
        ClusterSpec spec = example(kind, nodes);
        Map<String, Calls> calls = new HashMap<>();
        try (ArmEmulator started = emulator()) {
            emulator = started;
            AzureProvider azure = connect(emulator);
            azure.inspect(spec);
            calls.put("inspect", calls());
            azure.createNetwork(spec, log);
            calls.put("network", calls());
            createHead(azure, spec);
            calls.put("head", calls());
            Map<NodeName, MachineOutcome> outcomes =
                    create(azure, spec, spec.nodes().names());
            calls.put("create", calls());
            List<Machine> machines = List.copyOf(made(outcomes).values());
            assertThat(machines).hasSize(nodes);
            azure.stop(ID, machines);
            calls.put("stop", calls());
            azure.start(ID, machines);
            calls.put("start", calls());
        }
        boolean together = kind == Placement.Kind.SCALE_SET;
        assertThat(calls)
                .containsExactlyInAnyOrderEntriesOf(Map.of(
                        "inspect", new Calls(together ? 10 : 9, 0),
                        "network", together ? new Calls(7, 3) : new Calls(9, 4),
                        "head", new Calls(3, 3),
                        "create", together ? new Calls(6, 2) : new Calls(5 + 2L * nodes, 2L * nodes),
                        "stop", new Calls(0, together ? 1 : nodes),
                        "start", new Calls(0, together ? 1 : nodes)));
    }

    /** Since the last call of this. */
    private Calls calls() {
        List<SeenRequest> all = emulator.requests();
        List<SeenRequest> fresh = all.subList(seen, all.size()).stream()
                .filter(request -> !request.path().contains("/operations/"))
                .toList();
        seen = all.size();
        long writes = fresh.stream().filter(SeenRequest::isWrite).count();
        return new Calls(fresh.size() - writes, writes);
    }
}
