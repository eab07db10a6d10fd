package io.clusterwright.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.clusterwright.core.StateStore.SecretStore;
import io.clusterwright.core.internal.render.FileRendering;
import io.clusterwright.core.plan.RenderedFile;
import io.clusterwright.core.plan.RenderedFiles;
import io.clusterwright.core.spec.ClusterSpec;
import io.clusterwright.core.spec.Placement;
import io.clusterwright.core.spec.SpecReader;
import io.clusterwright.core.spi.RenderInput;
import io.clusterwright.core.spi.Renderer;
import io.clusterwright.core.type.ClusterwrightException;
import io.clusterwright.core.type.Secret;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RenderingTest {
    private static final String KEY = "AAAAC3NzaC1lZDI1NTE5AAAAIE2p6ANNkjKUqGnCsUKTHAeVlWuKB0F5iLQ6WMGcGJoH";

    @TempDir
    Path folder;

    private static ClusterSpec.Builder spec() {
        return ClusterSpec.builder("wing")
                .region("westeurope")
                .nodes(nodes -> nodes.count(2).size("Standard_HB120rs_v3").firstIndex(11));
    }

    private static ClusterSpec read(String more) {
        return SpecReader.read(
                "name: wing\nregion: westeurope\nnodes: {count: 2, size: Standard_HB120rs_v3, firstIndex: 11}\n" + more,
                "s.yaml");
    }

    private static String text(RenderedFiles files, String file) {
        return files.find(file).orElseThrow().text();
    }

    @Nested
    class AForeignRenderer {
        @Test
        void findsRenderersAndSortsFilesByName() {
            assertThat(Planner.offline().render(spec().build()).list())
                    .extracting(RenderedFile::name)
                    .containsExactly("keys.txt", "machines.txt", "provider.sh");
        }

        @Test
        void givesNamesWhereAddressesAreNotFixed() {
            assertThat(text(Planner.offline().render(spec().build()), "machines.txt"))
                    .isEqualTo("wing11 10.32.0.4 wing11\nwing12 10.32.0.5 wing12\n");
        }

        @Test
        void givesAddressesFromTheFirstAddress() {
            ClusterSpec fixed = spec().network(network -> network.firstAddress("10.32.0.20"))
                    .build();
            assertThat(text(Planner.offline().render(fixed), "machines.txt"))
                    .isEqualTo("wing11 10.32.0.20 10.32.0.20\nwing12 10.32.0.21 10.32.0.21\n");
        }

        @Test
        void rendersTheSameBytesAgain() {
            ClusterSpec spec = spec().build();
            List<RenderedFile> first = Planner.offline().render(spec).list();
            List<RenderedFile> second = Planner.offline()
                    .render(SpecReader.read(spec.toString(), "again.yaml"))
                    .list();
            assertThat(second).hasSameSizeAs(first);
            for (int i = 0; i < first.size(); i++) {
                assertThat(second.get(i).content()).isEqualTo(first.get(i).content());
            }
        }
    }

    @Nested
    class AHeadNode {
        @Test
        void headNodeHasTheAddressBeforeTheNodes() {
            String text = text(
                    Planner.offline()
                            .render(read("headNode: {size: Standard_D8s_v5}\nnetwork: {firstAddress: 10.32.0.11}\n")),
                    "machines.txt");
            assertThat(text).startsWith("wing10 10.32.0.10 10.32.0.10\nwing11 10.32.0.11 ");
        }

        @Test
        void skipsReservedAddressesAndNameServers() {
            String nameServer = text(
                    Planner.offline()
                            .render(read("headNode: {size: Standard_D8s_v5}\n"
                                    + "network: {firstAddress: 10.32.0.11, dnsServers: [10.32.0.10]}\n")),
                    "machines.txt");
            assertThat(nameServer).startsWith("wing10 10.32.0.9 ");
            String lowest = text(
                    Planner.offline()
                            .render(read("headNode: {size: Standard_D8s_v5}\nnetwork: {firstAddress: 10.32.0.4}\n")),
                    "machines.txt");
            assertThat(lowest)
                    .isEqualTo(
                            "wing10 10.32.0.254 10.32.0.254\nwing11 10.32.0.4 10.32.0.4\nwing12 10.32.0.5 10.32.0.5\n");
        }

        @Test
        void localClustersHaveOneToo() {
            RenderedFiles local =
                    Planner.offline().provider("local").render(read("headNode: {size: Standard_D8s_v5}\n"));
            assertThat(text(local, "machines.txt"))
                    .isEqualTo("wing10 10.32.0.4 10.32.0.4\nwing11 10.32.0.5 10.32.0.5\nwing12 10.32.0.6 10.32.0.6\n");
        }
    }

    @Nested
    class AProvider {
        private final ClusterSpec spec = read("on: {local: {nodes: {count: 1}}, azure: {nodes: {firstIndex: 21}}}\n");

        @Test
        void isAzureUnlessAnotherIsNamed() {
            assertThat(text(Planner.offline().render(spec), "provider.sh")).isEqualTo("azure\n");
            assertThat(text(Planner.offline().render(spec), "machines.txt"))
                    .startsWith("wing21 ")
                    .hasLineCount(2);
        }

        @Test
        void appliesTheOverridesOfTheProvider() {
            assertThat(text(Planner.offline().provider("local").render(spec), "provider.sh"))
                    .isEqualTo("local\n");
            assertThat(text(Planner.offline().provider("local").render(spec), "machines.txt"))
                    .startsWith("wing11 ")
                    .hasLineCount(1);
        }

        @Test
        void refusesWrongOverrides() {
            ClusterSpec wrong =
                    read("on: {azure: {placement: {kind: availability-set}, nodes: {spot: {enabled: true}}}}\n");
            assertThatThrownBy(() -> Planner.offline().render(wrong))
                    .isInstanceOf(SpecRefusedException.class)
                    .hasMessageContaining("CW-PLACE-004");
            assertThat(Planner.offline().provider("local").render(wrong).list()).isNotEmpty();
        }
    }

    @Nested
    class KnownKeys {
        private final StateStore store = StateStore.inFolder(Path.of("/nonexistent"));

        @Test
        void givesNoHostKeysWithoutAStoreOrARecord() {
            assertThat(text(Planner.offline().render(spec().build()), "keys.txt"))
                    .isEqualTo("0\n");
            assertThat(text(Planner.offline().keys(store).render(spec().build()), "keys.txt"))
                    .isEqualTo("0\n");
        }

        @Test
        void givesTheHostKeysOfTheNamedCluster() throws IOException {
            StateStore known = StateStore.inFolder(folder);
            ClusterSpec spec = spec().build();
            try (StateStore.Writer writer = known.open(spec.name())) {
                writer.append("{}");
            }
            SecretStore secrets = known.secrets(spec.name());
            for (String name : List.of("host-wing12", "host-wing99", "login", "cluster")) {
                secrets.put(name + ".pub", Secret.of("ssh-ed25519 " + KEY + " x\n"));
            }
            ClusterSpec elsewhere = read("on: {local: {nodes: {firstIndex: 99}}}\n");
            List<Path> before = tree();

            assertThat(text(Planner.offline().keys(known).render(spec), "keys.txt"))
                    .isEqualTo("wing12 " + KEY + "\n2\n");
            assertThat(text(Planner.offline().keys(known).provider("local").render(elsewhere), "keys.txt"))
                    .isEqualTo("wing99 " + KEY + "\n2\n");
            assertThat(tree()).as("no key was made").isEqualTo(before);
        }

        private List<Path> tree() throws IOException {
            try (Stream<Path> files = Files.walk(folder)) {
                return files.sorted().toList();
            }
        }
    }

    @Nested
    class Refused {
        @Test
        void refusesASpecWithAnErrorAndWritesNothing() {
            ClusterSpec wrong = spec().placement(placement -> placement.kind(Placement.Kind.AVAILABILITY_SET))
                    .nodes(nodes -> nodes.spot(spot -> spot.enabled(true)))
                    .build();
            Path out = folder.resolve("out");
            assertThatThrownBy(() -> Planner.offline().render(wrong).writeTo(out))
                    .isInstanceOfSatisfying(
                            SpecRefusedException.class,
                            refusal -> assertThat(refusal.findings())
                                    .extracting(finding -> finding.code())
                                    .contains("CW-PLACE-004"))
                    .hasMessageStartingWith("the spec of cluster wing has errors, so no files are rendered: ");
            assertThat(out).doesNotExist();
        }

        @Test
        void refusesTwoRenderersOfOneName() {
            Renderer one = renderer("one", "hosts");
            Renderer two = renderer("two", "HOSTS");
            assertThatThrownBy(() -> FileRendering.render(spec().build(), "azure", null, List.of(one, two)))
                    .isInstanceOf(ClusterwrightException.class)
                    .hasMessage("two renderers write HOSTS: one and two; remove one of the two modules");
        }

        private static Renderer renderer(String name, String file) {
            return new Renderer() {
                @Override
                public String name() {
                    return name;
                }

                @Override
                public List<RenderedFile> render(RenderInput input) {
                    return List.of(RenderedFile.text(file, ""));
                }
            };
        }
    }

    @Nested
    class WhatNobodyMakes {
        @Test
        void namesTheModuleOfAMissingRenderer() {
            assertThat(Planner.offline().render(spec().build()).notMade())
                    .hasSize(14)
                    .containsEntry("hosts", "linux")
                    .containsEntry("mpirun.sh", "mpi")
                    .containsEntry("azuredeploy.json", "azure");
            assertThat(Planner.offline()
                            .provider("local")
                            .render(spec().build())
                            .notMade())
                    .hasSize(12)
                    .doesNotContainValue("azure");
        }

        @Test
        void reportsNoMissingRendererOnceItExists() {
            Renderer linux = Refused.renderer("linux", "hosts");
            assertThat(FileRendering.render(spec().build(), "azure", null, List.of(linux))
                            .notMade())
                    .hasSize(13)
                    .doesNotContainKey("hosts");
        }

        @Test
        void dependsOnTheScenarioOfAWindowsCluster() throws IOException {
            assertThat(Planner.offline().render(windows("iaas")).notMade())
                    .hasSize(10)
                    .allSatisfy((file, module) -> assertThat(module).startsWith("windows"))
                    .containsEntry("job.xml", "windows")
                    .containsEntry("HPCIaaSClusterConfig.xml", "windows-classic")
                    .containsEntry("node-lifecycle.ps1", "windows-classic");
            assertThat(Planner.offline().render(windows("burst")).notMade())
                    .containsKeys("job.xml", "burst.ps1")
                    .doesNotContainKeys("hosts", "HPCIaaSClusterConfig.xml", "azuredeploy.json");
            assertThat(Planner.offline().render(windows("resource-manager")).notMade())
                    .containsEntry("hpcpack.bicepparam", "windows")
                    .containsEntry("azuredeploy.json", "azure");
        }

        private static ClusterSpec windows(String scenario) throws IOException {
            try (InputStream in = ClusterSpec.class.getResourceAsStream("windows-full.yaml")) {
                String text = new String(in.readAllBytes(), StandardCharsets.UTF_8);
                String version = scenario.equals("resource-manager") ? "2019" : "2012-r2";
                return SpecReader.read(
                        text.replace("scenario: iaas ", "scenario: " + scenario + " ")
                                .replace("version: 2012-r2 ", "version: " + version + " "),
                        "w.yaml");
            }
        }
    }
}
