package io.clusterwright.core.spec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.clusterwright.core.spec.Customization.FileCopy;
import io.clusterwright.core.spec.Customization.Script;
import io.clusterwright.core.spec.MpiInstall.MpiSource;
import io.clusterwright.core.spec.Verification.LatencyLimit;
import io.clusterwright.core.type.InvalidValueException;
import java.math.BigDecimal;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

class ClusterSpecTest {
    private static ClusterSpec.Builder eight() {
        return ClusterSpec.builder("cluster")
                .region("westus")
                .nodes(n -> n.count(8).size("Standard_A9"));
    }

    @Nested
    class WhatFollowsFromOtherValues {
        @Test
        void defaultsFollowIntoACopy() {
            ClusterSpec copy = eight().build().toBuilder()
                    .name("other")
                    .nodes(n -> n.count(4))
                    .network(n -> n.addressSpace("192.168.4.0/22"))
                    .build();
            assertThat(copy.resourceGroup()).isEqualTo("other-rg");
            assertThat(copy.nodes().prefix()).isEqualTo("other");
            assertThat(copy.nodes().quorum()).isEqualTo(4);
            assertThat(copy.network().name()).isEqualTo("other-vnet");
            assertThat(copy.network().subnet().range()).hasToString("192.168.4.0/24");
        }

        @Test
        void keepsAnExplicitValueInACopy() {
            ClusterSpec copy = eight().nodes(n -> n.prefix("n").quorum(3)).build().toBuilder()
                    .name("other")
                    .build();
            assertThat(copy.nodes().prefix()).isEqualTo("n");
            assertThat(copy.nodes().quorum()).isEqualTo(3);
        }

        @Test
        void isTheWholeOfASmallAddressSpace() {
            ClusterSpec spec =
                    eight().network(n -> n.addressSpace("10.0.0.0/27")).build();
            assertThat(spec.network().subnet().range()).hasToString("10.0.0.0/27");
        }

        @Test
        void isTheSubnetsRangeOfANetworkThatExists() {
            String id = "/subscriptions/00000000-0000-0000-0000-000000000001/resourceGroups/hub/providers"
                    + "/Microsoft.Network/virtualNetworks/v/subnets/s";
            ClusterSpec byId = eight().network(
                            n -> n.subnet(s -> s.id(id).range("10.67.0.0/24")).firstAddress("10.67.0.10"))
                    .build();
            assertThat(byId.network().addressSpace()).hasToString("10.67.0.0/24");
            assertThat(byId.toJson()).doesNotContain("addressSpace");
            ClusterSpec byName = eight().network(n -> n.existing(true).subnet("hpc", "10.67.0.0/24"))
                    .build();
            assertThat(byName.network().addressSpace()).hasToString("10.67.0.0/24");
            assertThat(byName.toBuilder()
                            .network(n -> n.addressSpace("10.67.0.0/16"))
                            .build()
                            .network()
                            .addressSpace())
                    .hasToString("10.67.0.0/16");
            assertThat(eight().network(n -> n.existing(true))
                            .build()
                            .network()
                            .subnet()
                            .range())
                    .hasToString("10.32.0.0/24");
            assertThat(eight().build().network().addressSpace()).hasToString("10.32.0.0/16");
        }

        @Test
        void isTheIndexBeforeTheFirstNodes() {
            ClusterSpec spec = eight().nodes(n -> n.firstIndex(11))
                    .headNode(h -> h.size("A4"))
                    .build();
            assertThat(spec.headNode().orElseThrow().index()).isEqualTo(10);
            assertThat(spec.headNode().orElseThrow().name()).hasToString("cluster10");
        }
    }

    @Nested
    class ABuilder {
        @Test
        void takesAPartAsAValueOrByDescription() {
            NodeGroup nodes = NodeGroup.builder().count(8).size("Standard_A9").build();
            assertThat(ClusterSpec.builder("cluster")
                            .region("westus")
                            .nodes(nodes)
                            .build())
                    .isEqualTo(eight().build());
        }

        @Test
        void replacesWithThePluralAndAppendsWithAdd() {
            Customization.Builder builder =
                    Customization.builder().packages("a", "b").addPackage("c");
            assertThat(builder.build().packages()).containsExactly("a", "b", "c");
            assertThat(builder.packages(List.of("d")).build().packages()).containsExactly("d");
        }

        @Test
        void returnsUnmodifiableCollections() {
            ClusterSpec spec = eight().putTag("a", "b").build();
            assertThatThrownBy(() -> spec.tags().put("c", "d")).isInstanceOf(UnsupportedOperationException.class);
            assertThatThrownBy(() -> spec.suppress().add("c")).isInstanceOf(UnsupportedOperationException.class);
            assertThatThrownBy(() -> spec.on().clear()).isInstanceOf(UnsupportedOperationException.class);
        }

        @Test
        void refusesAWrongValueAtOnce() {
            assertThatThrownBy(() -> NodeGroup.builder().count(0))
                    .isInstanceOf(InvalidValueException.class)
                    .hasMessage("invalid number of nodes \"0\": use 1 to 100000 (example: 8)");
            assertThatThrownBy(() -> new CostCap("EUR", new BigDecimal("1E+999999999")))
                    .isInstanceOf(InvalidValueException.class);
            assertThatThrownBy(() -> MpiSettings.builder().netmask("172.16.0.0/255.0.255.0"))
                    .hasMessageContaining("172.16.0.0/255.255.0.0");
            assertThatThrownBy(() -> new LatencyLimit(Double.NaN, 0)).isInstanceOf(InvalidValueException.class);
            assertThatThrownBy(() -> Script.of("a", "b").timeout(Duration.ZERO))
                    .isInstanceOf(InvalidValueException.class);
            assertThatThrownBy(() -> MpiSource.archive("ftp://x/y", "0".repeat(64)))
                    .hasMessageContaining("https://");
            assertThatThrownBy(() -> FileCopy.of("a", "relative")).hasMessageContaining("absolute path");
        }

        @Test
        void reportsEverythingThatIsMissing() {
            assertThat(refusal(
                            builder -> builder.hpcPack(p -> p.burst(b -> b.cloudService("x"))),
                            ClusterSpec.builder("c")))
                    .containsExactly(
                            "nodes.count: count is missing: give the number of nodes, such as 8",
                            "hpcPack.burst.storageAccount: storageAccount is missing: give the name of a storage account,"
                                    + " such as hpc1burststore");
        }
    }

    @Nested
    class ARuleBetweenValues {
        @Test
        void keepsTheQuorumWithinTheCount() {
            refused("nodes.quorum: quorum is 9, and count is 8", spec -> spec.nodes(n -> n.quorum(9)));
        }

        @Test
        void refusesBurstHoursThatDoNotFitTheAvailability() {
            refused(
                    "hpcPack.burst.hours: availability is automatic, and hours is missing",
                    spec -> spec.hpcPack(
                            p -> p.burst(b -> burst(b).availability(HpcPackBurst.Availability.AUTOMATIC))));
            refused(
                    "hpcPack.burst.hours: hours has no effect without availability: automatic",
                    spec -> spec.hpcPack(p -> p.burst(b -> burst(b).hours("mon-fri 08:00-18:00"))));
            refused(
                    "hpcPack.burst.hours: the end 08:00 is not after the start 18:00",
                    spec -> spec.hpcPack(p -> p.burst(b -> burst(b).availability(HpcPackBurst.Availability.AUTOMATIC)
                            .hours("sat,mon-wed 18:00-08:00"))));
            assertThatThrownBy(() -> HpcPackBurst.builder().hours("weekdays 8-18"))
                    .hasMessageContaining("mon-fri 08:00-18:00");
        }

        private HpcPackBurst.Builder burst(HpcPackBurst.Builder burst) {
            return burst.cloudService("hpc1-burst").storageAccount("hpc1store");
        }

        @Test
        void refusesTwoWaysToNameNodes() {
            refused(
                    "nodes.namePattern: namePattern and firstIndex both name the nodes",
                    spec -> spec.nodes(n -> n.namePattern("N%1%").firstIndex(2)));
        }

        @Test
        void refusesInvalidNames() {
            refused(
                    "nodes.prefix: ",
                    spec -> spec.nodes(n -> n.prefix("a".repeat(61)).firstIndex(95)));
        }

        @Test
        void refusesAHeadNodeNamedLikeANode() {
            refused(
                    "headNode.index: the first node has index 0, so the head node has no index before it",
                    spec -> spec.nodes(n -> n.firstIndex(0)).headNode(h -> h.size("A4")));
            refused(
                    "headNode.index: the head node and a compute node have the same name cluster3",
                    spec -> spec.headNode(h -> h.size("A4").index(3)));
            refused(
                    "headNode.name: the head node and a compute node have the same name",
                    spec -> spec.headNode(h -> h.size("A4").name("cluster8")));
        }

        @Test
        void refusesAddressesOutsideTheirRange() {
            refused(
                    "network.subnet.range: 10.1.0.0/24 is not inside",
                    spec -> spec.network(n -> n.subnet("Subnet-1", "10.1.0.0/24")));
            refused(
                    "network.subnet.range: 10.67.0.0/24 is not inside of the address space 10.32.0.0/16",
                    spec -> spec.network(
                            n -> n.existing(true).addressSpace("10.32.0.0/16").subnet("hpc", "10.67.0.0/24")));
            refused(
                    "network.firstAddress: 10.32.0.10 is not inside of the subnet 10.67.0.0/24",
                    spec -> spec.network(
                            n -> n.existing(true).subnet("hpc", "10.67.0.0/24").firstAddress("10.32.0.10")));
            refused(
                    "network.firstAddress: 10.33.0.4 is not inside",
                    spec -> spec.network(n -> n.firstAddress("10.33.0.4")));
            refused(
                    "network.firstAddress: 10.32.0.3 is one of",
                    spec -> spec.network(n -> n.firstAddress("10.32.0.3")));
            refused(
                    "network.firstAddress: 8 nodes from 10.32.0.248 reach past 10.32.0.254",
                    spec -> spec.network(n -> n.firstAddress("10.32.0.248")));
            assertThat(eight().network(n -> n.firstAddress("10.32.0.247")).build())
                    .isNotNull();
        }

        @Test
        void keepsAcceptedHostKeysWithinARange() {
            refused(
                    "image.customize.ssh.acceptRange: hostKeys is accept-in-range, and acceptRange is missing",
                    spec -> spec.image(
                            i -> i.customize(c -> c.ssh(s -> s.hostKeys(SshTrust.HostKeys.ACCEPT_IN_RANGE)))));
            refused(
                    "image.customize.ssh.acceptRange: acceptRange has no effect",
                    spec -> spec.image(i -> i.customize(c -> c.ssh(s -> s.acceptRange("10.32.0.*")))));
            assertThatThrownBy(() -> SshTrust.clusterKey().acceptingHostKeysIn("*"))
                    .hasMessageContaining("10.32.0.*");
        }

        @Test
        void refusesScriptsOfOneName() {
            refused(
                    "image.customize.scripts[1].name: scripts[0] and scripts[1] have the same name, a",
                    spec -> spec.image(i ->
                            i.customize(c -> c.addScript(Script.of("a", "x")).addScript(Script.of("a", "y")))));
        }

        @Test
        void showsAValueAsItIsWritten() {
            assertThatThrownBy(() -> eight().timeToLive(Duration.ZERO).build())
                    .hasMessageContaining("invalid time to live \"0s\"");
            assertThatThrownBy(() -> new Verification.BandwidthLimit(1_000_000_001))
                    .hasMessageContaining("\"1000000001\"");
            assertThatThrownBy(() -> SpecReader.read(
                            "name: demo\nregion: westeurope\nnodes: {count: 1}\nimage: {customize: {mpi: {install: {packages:"
                                    + " /opt/*.rpm, archive: 'https://example.org/a.tgz'}}}}\n",
                            "demo.yaml"))
                    .hasMessageContaining("packages and archive both name the source of the MPI");
        }

        @Test
        void refusesAQuoteInThePathOfAWindowsProgram() {
            assertThatThrownBy(() -> new HpcPackSpec.FirewallRule("app", "C:\\a\"b & c.exe"))
                    .hasMessageContaining("invalid path of a program");
        }

        @Test
        void refusesFilesAtOnePath() {
            refused(
                    "image.customize.files[1].to: files[0] and files[1] have the same to, /etc/motd",
                    spec -> spec.image(i -> i.customize(
                            c -> c.addFile(FileCopy.of("a", "/etc/motd")).addFile(FileCopy.of("b", "/etc/motd")))));
        }

        @Test
        void refusesTagsThatTheLibraryOrAzureTakesAsAnotherOne() {
            refused(
                    "tags.owner: the tags Owner and owner differ only in case, and Azure takes them as one tag",
                    spec -> spec.putTag("Owner", "cfd").putTag("owner", "fem"));
            assertThatThrownBy(() -> eight().putTag("Clusterwright-Id", "x").build())
                    .hasMessageContaining("invalid tag name \"Clusterwright-Id\"")
                    .hasMessageContaining("does not begin with clusterwright");
        }

        @Test
        void refusesInvalidOverlays() {
            refused(
                    "on.local.nodes.count: invalid number of nodes \"0\"",
                    spec -> spec.putOn("local", Map.of("nodes", Map.of("count", 0))));
            refused("on.local.nods: the cluster spec has no field nods", spec -> spec.putOn("local", "nods: {}"));
        }

        private void refused(String problem, Consumer<ClusterSpec.Builder> change) {
            assertThat(refusal(change, eight())).singleElement().asString().startsWith(problem);
        }
    }

    @Test
    void equalityIgnoresTheBaseFolder() {
        ClusterSpec spec = eight().build();
        assertThat(spec.toBuilder().baseFolder(Path.of("x")).build()).isEqualTo(spec);
        assertThat(spec.toBuilder().baseFolder(Path.of("x")).build().resolve("a.sh"))
                .isEqualTo(Path.of("x", "a.sh"));
    }

    private static List<String> refusal(Consumer<ClusterSpec.Builder> change, ClusterSpec.Builder builder) {
        return catchThrowableOfType(InvalidSpecException.class, () -> {
                    change.accept(builder);
                    builder.build();
                })
                .problems()
                .stream()
                .map(SpecProblem::toString)
                .toList();
    }
}
