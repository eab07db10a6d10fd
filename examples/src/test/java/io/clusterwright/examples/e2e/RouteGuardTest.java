package io.clusterwright.examples.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

@Tag("breadth")
class RouteGuardTest {
    private static final TestCluster CLUSTER = new TestCluster("e2e-route", 73, 2);

    @RegisterExtension
    private final Machine machine = Machine.ofThisJvm(CLUSTER);

    @Test
    void withoutTheBridgeNoPacketForAClusterLeavesTheMachine() {
        MachineSnapshot before = MachineSnapshot.of(CLUSTER, machine.state());
        machine.create(CLUSTER);
        assertThat(machine.run(List.of("ip", "route", "get", CLUSTER.address(1)))
                        .stdout())
                .contains("dev " + CLUSTER.bridge());

        assertThat(machine.run(List.of("ip", "link", "del", CLUSTER.bridge())).status())
                .isZero();

        for (String address : List.of(CLUSTER.address(1), CLUSTER.address(2), "10.73.255.254")) {
            Program.Ended route = machine.run(List.of("ip", "route", "get", address));
            assertThat(route.status()).as(address + ": " + route).isPositive();
            assertThat(route.stderr()).as(address).containsIgnoringCase("no route to host");
        }
        Program.Ended run = machine.fails("run %s -- true", CLUSTER.name());
        assertThat(run.stdout() + run.stderr())
                .contains("use the address " + CLUSTER.address(1) + " of cluster " + CLUSTER.name())
                .contains("its route leads nowhere and not to the cluster's bridge " + CLUSTER.bridge())
                .contains("nothing was sent");

        Program.Ended destroyed = machine.succeeds("destroy %s", CLUSTER.name());
        assertThat(MachineSnapshot.of(CLUSTER, machine.state())).isEqualTo(before);
    }
}
