package io.clusterwright.core.spec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.clusterwright.core.spec.Customization.FileCopy;
import io.clusterwright.core.spec.Customization.MemlockRule;
import io.clusterwright.core.spec.Customization.Updates;
import io.clusterwright.core.spec.HpcPackSpec.FirewallRule;
import io.clusterwright.core.spec.NetworkSpec.SshAccess;
import io.clusterwright.core.spec.Verification.BandwidthLimit;
import io.clusterwright.core.spec.Verification.LatencyLimit;
import io.clusterwright.core.type.Ipv4Address;
import io.clusterwright.core.type.NodeName;
import io.clusterwright.core.type.UserName;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SpecReaderTest {
    private static final String MINIMAL = """
            name: cluster
            region: westus
            nodes:
              count: 8
              size: Standard_A9
            """;

    private static ClusterSpec read(String more) {
        return SpecReader.read(MINIMAL + more, "spec.yaml");
    }

    private static Path resource(String name) throws URISyntaxException {
        return Path.of(SpecReaderTest.class.getResource(name).toURI());
    }

    @Nested
    class AMinimalSpec {
        private final ClusterSpec spec = read("");

        @Test
        void hasTheDefaultOfEverythingElse() {
            assertThat(spec.operatingSystem()).isEqualTo(OperatingSystem.LINUX);
            assertThat(spec.resourceGroup()).isEqualTo("cluster-rg");
            assertThat(spec.login().user()).hasToString("azureuser");
            assertThat(spec.timeToLive()).isEmpty();
            assertThat(spec.nodes().quorum()).isEqualTo(8);
            assertThat(spec.nodes().deadline()).isEqualTo(Duration.ofMinutes(20));
            assertThat(spec.nodes().names()).hasSize(8).startsWith(NodeName.of("cluster1"));
            assertThat(spec.headNode()).isEmpty();
            assertThat(spec.network().name()).isEqualTo("cluster-vnet");
            assertThat(spec.network().subnet().range()).hasToString("10.32.0.0/24");
            assertThat(spec.network().ssh().external()).isEqualTo(SshAccess.External.HEAD);
            assertThat(spec.image().base()).hasToString("auto");
            assertThat(spec.image().customize().updates()).isEqualTo(Updates.none());
            assertThat(spec.image().customize().ssh()).isEqualTo(SshTrust.clusterKey());
            assertThat(spec.verify().fabric()).isEqualTo(Verification.Fabric.RING);
            assertThat(spec.mpiUser()).isEqualTo(UserName.of("hpcuser"));
            assertThat(spec.baseFolder()).isEqualTo(Path.of(""));
        }

        @Test
        void equalsTheSpecOfTheBuilders() {
            assertThat(spec)
                    .isEqualTo(ClusterSpec.builder("cluster")
                            .region("westus")
                            .nodes(n -> n.count(8).size("Standard_A9"))
                            .build());
        }

        @Test
        void readsJsonThatIsNoYaml() {
            String json = """
                    {"name": "c", "region": "westus", "nodes"
                    \t: {"count": 2, "size": "A9"},
                     "extensions": [{"name": "CustomScript", "settings": {"a": "x\u007f"}}],
                     "image": {"customize": {"files": [{"from": "a", "to": "\\/opt\\/x"}]}}}
                    """;
            for (String name : List.of("spec", "spec.json")) {
                ClusterSpec read = SpecReader.read(json, name);
                assertThat(read.nodes().count()).isEqualTo(2);
                assertThat(read.extensions().get(0).settings()).containsEntry("a", "x\u007f");
                assertThat(read.image().customize().files().get(0).to()).isEqualTo("/opt/x");
                assertThatThrownBy(() -> SpecReader.read(json.replace("count", "cout"), name))
                        .hasMessageContaining(":2:5: nodes.cout: nodes has no field cout: did you mean count?");
                assertThatThrownBy(() -> SpecReader.read(json + "{}", name))
                        .hasMessageContaining(":5:1: there is a second document in the text");
                assertThatThrownBy(() -> SpecReader.read(json.replace("\"A9\"", "[]"), name))
                        .hasMessageContaining(":2:25: nodes.size: ");
            }
        }

        @Test
        void readsTheSameFromJson() {
            String json =
                    "\t{\"name\": \"cluster\", \"region\": \"westus\",\n\t\"nodes\": {\"count\": 8, \"size\": \"Standard_A9\"}}";
            assertThat(SpecReader.read(json, "spec")).isEqualTo(spec);
        }

        @Test
        void writesWhatItRead() {
            assertThat(spec.toString()).isEqualTo(MINIMAL);
        }
    }

    @Nested
    class TheFullLinuxSpec {
        private final ClusterSpec spec = SpecReader.read(resource("linux-full.yaml"));

        TheFullLinuxSpec() throws URISyntaxException {}

        @Test
        void readsEveryField() {
            assertThat(spec.tags()).isEqualTo(Map.of("project", "wing-flow", "owner", "cfd"));
            assertThat(spec.timeToLive()).contains(Duration.ofHours(8));
            assertThat(spec.costCap()).get().hasToString("CostCap[currency=EUR, perHour=60]");
            assertThat(spec.nodes().names()).first().hasToString("cluster11");
            assertThat(spec.headNode().orElseThrow().name()).hasToString("cluster10");
            assertThat(spec.network().firstAddress()).contains(Ipv4Address.of("10.32.0.11"));
            assertThat(spec.network().ssh().portPrefix()).hasValue(101);
            Customization customize = spec.image().customize();
            assertThat(customize.updates()).isEqualTo(Updates.securityHoldingKernel());
            assertThat(customize.memlock()).containsExactly(MemlockRule.of("@hpc", "unlimited"));
            assertThat(customize.mpi().orElseThrow().version()).contains("4.1");
            assertThat(customize.files()).containsExactly(FileCopy.of("./solver.conf", "/opt/app/solver.conf"));
            assertThat(customize.scripts().get(0).timeout()).isEqualTo(Duration.ofMinutes(15));
            assertThat(spec.extensions()).hasSize(2);
            assertThat(spec.extensions().get(1).protectedSettings()).get().hasToString("file:./custom-script.json");
            assertThat(spec.mpi().env()).containsEntry("UCX_LOG_LEVEL", "warn");
            assertThat(spec.verify().maxLatency()).contains(new LatencyLimit(3, 512));
            assertThat(spec.verify().minBandwidth()).contains(new BandwidthLimit(180));
            assertThat(spec.mpiUser()).isEqualTo(UserName.of("hpcuser"));
        }

        @Test
        void appliesTheOverlay() {
            ClusterSpec local = spec.forProvider("local");
            assertThat(local.nodes().count()).isEqualTo(4);
            assertThat(local.nodes().quorum()).isEqualTo(4);
            assertThat(local.mpi().preset()).isEqualTo("mpich/tcp");
            assertThat(local.mpi().env()).containsEntry("UCX_LOG_LEVEL", "warn");
            assertThat(local.baseFolder()).isEqualTo(spec.baseFolder());
            assertThat(spec.forProvider("azure").nodes().count()).isEqualTo(8);
        }

        @Test
        void resolvesPathsAgainstItsFolder() {
            assertThat(spec.resolve("./solver.conf").normalize())
                    .isEqualTo(spec.baseFolder().resolve("solver.conf"));
            assertThat(spec.resolve("/abs")).isEqualTo(Path.of("/abs").toAbsolutePath());
        }
    }

    @Test
    void theFullWindowsSpecIsReadInFull() throws URISyntaxException {
        ClusterSpec spec = SpecReader.read(resource("windows-full.yaml"));
        assertThat(spec.operatingSystem()).isEqualTo(OperatingSystem.WINDOWS);
        assertThat(spec.nodes().names()).first().hasToString("HPCCN-0001");
        assertThat(spec.headNode().orElseThrow().name()).hasToString("HPC1HN");
        assertThat(spec.mpi().netmask()).contains("172.16.0.0/255.255.0.0");
        HpcPackSpec pack = spec.hpcPack().orElseThrow();
        assertThat(pack.version()).isEqualTo(HpcPackSpec.Version.V2012_R2);
        assertThat(pack.burst().orElseThrow().proxyNodes()).isEqualTo(2);
        assertThat(pack.firewall()).extracting(FirewallRule::name).containsExactly("mpipingpong");
        assertThat(SpecReader.read(spec.toString(), "x")).isEqualTo(spec);
    }

    @Nested
    class TrapsOfYaml {
        @Test
        void aVersionIsKeptAsItWasWritten() {
            ClusterSpec spec = read("image: {customize: {mpi: {flavour: open-mpi, version: 4.10}}}\n");
            assertThat(spec.image().customize().mpi().orElseThrow().version()).contains("4.10");
        }

        @Test
        void aModeIsOctalWithAndWithoutQuotes() {
            ClusterSpec spec = read("image: {customize: {files: [{from: a, to: /a, mode: 0755}, "
                    + "{from: b, to: /b, mode: \"0755\"}]}}\n");
            assertThat(spec.image().customize().files())
                    .allMatch(file -> file.mode().bits() == 0755);
        }

        @Test
        void onIsANameAndNoIsAWord() {
            assertThat(read("on: {local: {region: 'off'}}\n")
                            .forProvider("local")
                            .region())
                    .contains("off");
            assertThat(read("tags: {answer: no}\n").tags()).containsEntry("answer", "no");
        }

        @Test
        void aGroupMayBeSharedByAlias() {
            ClusterSpec spec = read("tags: &all {a: cfd}\nmpi: {env: *all}\n");
            assertThat(spec.mpi().env()).isEqualTo(spec.tags()).containsEntry("a", "cfd");
        }

        @Test
        void emptyValuesMeanTheDefault() {
            assertThat(read("network: ~\ntimeToLive:\n")).isEqualTo(read(""));
        }

        @Test
        void anOverlayMayInstallAnMpiFromElsewhere() {
            ClusterSpec spec = read("image: {customize: {mpi: {flavour: intel-mpi, install: {archive: a.tgz, sha256: '"
                    + "0".repeat(64) + "'}}}}\n"
                    + "on: {azure: {image: {customize: {mpi: {install: {packages: /opt/*.rpm}}}}}}\n");
            assertThat(spec.forProvider("azure").image().customize().mpi().map(MpiInstall::install))
                    .contains(MpiInstall.MpiSource.packages("/opt/*.rpm"));
        }

        @Test
        void anOverlayMayBringBackADefault() {
            ClusterSpec spec = read("timeToLive: 1h30m\non: {local: {timeToLive: ~}}\n");
            assertThat(spec.timeToLive()).contains(Duration.ofMinutes(90));
            assertThat(spec.forProvider("local").timeToLive()).isEmpty();
        }
    }

    @Nested
    class AFile {
        @TempDir
        private Path folder;

        @Test
        void givesTheFolderThatPathsStartFrom() throws IOException {
            Path file = Files.writeString(folder.resolve("spec.yaml"), "\uFEFF" + MINIMAL);
            assertThat(SpecReader.read(file).baseFolder()).isEqualTo(folder);
        }

        @Test
        void refusesAFileThatCannotBeRead() throws IOException {
            Path binary = Files.write(folder.resolve("binary.yaml"), new byte[] {(byte) 0xC3, 0x28});
            assertThatThrownBy(() -> SpecReader.read(binary))
                    .hasMessageContaining("it is not text in UTF-8: save the file as text in UTF-8");
            assertThatThrownBy(() -> SpecReader.read(folder)).hasMessageContaining("the file cannot be read");
            assertThatThrownBy(() -> SpecReader.read(folder.resolve("none.yaml")))
                    .isInstanceOf(InvalidSpecException.class)
                    .hasMessageContaining("none.yaml: the file cannot be read: there is no such file");
            Path link = Files.createSymbolicLink(folder.resolve("loop.yaml"), folder.resolve("loop.yaml"));
            for (Path file : List.of(link, folder.resolve("x".repeat(300)))) {
                assertThatThrownBy(() -> SpecReader.read(file))
                        .hasMessageContaining("the file cannot be read")
                        .hasMessageNotContaining("java.");
            }
        }

        @Test
        void refusesAFileThatIsTooLong() throws IOException {
            Path file = Files.writeString(folder.resolve("spec.yaml"), "#".repeat(10 << 20));
            assertThatThrownBy(() -> SpecReader.read(file)).hasMessageContaining("the text is longer than 1 MiB");
        }
    }
}
