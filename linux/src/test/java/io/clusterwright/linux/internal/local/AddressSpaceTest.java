package io.clusterwright.linux.internal.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.clusterwright.core.NodeUnreachableException;
import io.clusterwright.core.internal.file.PrivateFiles;
import io.clusterwright.core.plan.Finding;
import io.clusterwright.core.plan.Severity;
import io.clusterwright.core.spi.Machine;
import io.clusterwright.linux.local.LocalMachines;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("breadth")
class AddressSpaceTest {

    @Test
    void twoClustersLiveSideBySide(@TempDir Path folder) throws Exception {
        try (Lab one = new Lab("lm-one", "10.42.0.0/16");
                Lab two = new Lab("lm-two", "10.43.0.0/16")) {
            Machine first = one.network().boot(Lab.THIS_SYSTEM, 11).get(0);
            Machine second = two.network().boot(Lab.THIS_SYSTEM, 11).get(0);
            assertThat(one.output(first, "hostname")).isEqualTo("lm-one-11");
            assertThat(two.output(second, "hostname")).isEqualTo("lm-two-11");
            assertThat(one.ssh(first, "timeout 5 bash -c '</dev/tcp/" + second.address() + "/22'")
                            .exit())
                    .isNotZero();
            one.destroy();
            assertThat(two.output(second, "hostname")).isEqualTo("lm-two-11");
        }
    }

    @Test
    void aSpaceThatAnotherClusterHasIsRefusedAndNothingIsMade() throws Exception {
        try (Lab owner = new Lab("lm-owner", "10.42.0.0/16");
                Lab late = new Lab("lm-late", "10.42.128.0/17")) {
            owner.network();
            MachineSnapshot before = late.snapshot();

            assertThat(late.machines.inspect(late.spec).findings())
                    .filteredOn(finding -> finding.severity() == Severity.ERROR)
                    .singleElement()
                    .satisfies(finding -> {
                        assertThat(finding.code()).isEqualTo("CW-LOCAL-005");
                        assertThat(finding.message())
                                .isEqualTo("10.42.128.0/17 is in use on this machine: it overlaps with the route "
                                        + "10.42.0.0/16, which belongs to cluster lm-owner");
                        assertThat(finding.remedy()).contains("let the program that made cluster lm-owner destroy it");
                    });
            assertThatThrownBy(late::network)
                    .isInstanceOf(LocalMachinesException.class)
                    .hasMessageContaining("cluster lm-owner")
                    .hasMessageContaining("addressSpace: 10.32.0.0/16");
            assertThat(late.announced).isEmpty();
            assertThat(late.snapshot()).isEqualTo(before);
        }
    }

    /** As after a test run that was killed: its folder is no folder that the program knows. */
    @Test
    void theRemedyFreesTheAddressesOfAClusterInAnotherFolder() throws Exception {
        try (Lab owner = new Lab("lm-stray", "10.42.0.0/16");
                Lab late = new Lab("lm-after", "10.42.0.0/16")) {
            owner.network();
            String remedy = late.machines.inspect(late.spec).findings().stream()
                    .filter(finding -> finding.code().equals("CW-LOCAL-005"))
                    .findFirst()
                    .orElseThrow()
                    .remedy();

            HostCommand.of("sh", "-c", remedy.substring(remedy.indexOf("run: ") + 5))
                    .orThrow("follow the remedy");

            late.network();
            assertThat(KernelRoutes.links()).noneMatch(link -> link.belongsTo(new LinkNames(owner.cluster())));
        }
    }

    @Test
    void aSpaceThatIsRoutedElsewhereIsRefused() {
        KernelRoutes.Route route = KernelRoutes.all().stream()
                .filter(each -> !each.device().isEmpty() && !each.device().startsWith("cw"))
                .findFirst()
                .orElseThrow();
        assertThat(LocalMachines.create()
                        .open()
                        .inspect(Lab.spec("lm-routed", wide(route)))
                        .findings())
                .extracting(Finding::message)
                .anyMatch(message ->
                        message.contains("route " + route.destination() + " on interface " + route.device()));
    }

    private static String wide(KernelRoutes.Route route) {
        return io.clusterwright.core.type.AddressRange.of(route.destination().address(0) + "/"
                        + Math.min(24, route.destination().prefixLength()))
                .toString();
    }

    @Test
    void withoutItsBridgeAClusterIsNotDialled() throws Exception {
        try (Lab lab = new Lab("lm-guard", "10.42.0.0/16")) {
            Machine node = lab.network().boot(Lab.THIS_SYSTEM, 11).get(0);
            String bridge = new LinkNames(lab.cluster()).bridge();
            assertThat(lab.machines.endpoint(lab.cluster(), node)).hasToString(node.address() + ":22");

            HostCommand.of("ip", "link", "set", bridge, "down").orThrow("break it for a while");
            assertThatThrownBy(() -> lab.machines.endpoint(lab.cluster(), node))
                    .isInstanceOf(NodeUnreachableException.class)
                    .hasMessageContaining("nothing was sent")
                    .hasMessageEndingWith("or run: ip link set " + bridge + " up");
            HostCommand.of("ip", "link", "set", bridge, "up").orThrow("repair it");
            assertThat(lab.machines.endpoint(lab.cluster(), node)).hasToString(node.address() + ":22");

            HostCommand.of("ip", "link", "del", bridge).orThrow("break it");

            assertThatThrownBy(() -> lab.machines.endpoint(lab.cluster(), node))
                    .isInstanceOf(LocalMachinesException.class)
                    .hasMessageContaining("its route leads nowhere and not to the cluster's bridge " + bridge);
            assertThat(HostCommand.of("ip", "route", "get", node.address().toString())
                            .run("look")
                            .stderr())
                    .contains("No route to host");

            lab.network();
            assertThat(KernelRoutes.interfaceTo(node.address())).contains(bridge);
        }
    }

    @Test
    void theSameClusterWithOtherAddressesIsRefused() throws Exception {
        try (Lab lab = new Lab("lm-moved", "10.42.0.0/16")) {
            lab.network();
            assertThatThrownBy(() -> lab.machines.createNetwork(Lab.spec("lm-moved", "10.43.0.0/16"), lab.log))
                    .hasMessageContaining("it exists with the address space 10.42.0.0/16");
            lab.destroy();
            assertThat(new ClusterBridge(lab.cluster()).guards()).isEmpty();
        }
    }

    /** The end of the last cluster removes the folder of clusters while it is empty, as here, where a new cluster waits for the lock. */
    @Test
    void aClusterBeginsWhileTheFolderOfClustersGoes() throws Exception {
        try (Lab lab = new Lab("lm-begins", "10.42.0.0/16")) {
            DurableFiles.createFolders(lab.folders.store());
            FutureTask<Lab> begun = new FutureTask<>(lab::network);
            Thread beginning = new Thread(begun);
            FolderLock.holding(lab.folders.store(), () -> {
                beginning.start();
                await().until(() -> beginning.getState() == Thread.State.WAITING);
                PrivateFiles.removeIfEmpty(lab.folders.run());
            });

            assertThat(begun).succeedsWithin(Duration.ofSeconds(30));
            lab.destroy();
        }
    }
}
