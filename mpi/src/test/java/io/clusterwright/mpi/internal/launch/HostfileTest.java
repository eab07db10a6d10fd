package io.clusterwright.mpi.internal.launch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.clusterwright.core.type.InvalidValueException;
import io.clusterwright.core.type.Ipv4Address;
import io.clusterwright.core.type.NodeName;
import io.clusterwright.mpi.Tool;
import io.clusterwright.mpi.Words;
import io.clusterwright.mpi.internal.launch.Hostfile.HostfileDialect;
import io.clusterwright.mpi.spi.LaunchNode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class HostfileTest {
    private static final long SEED = 4711;

    private final Hostfile two = Hostfile.of(List.of(
            new LaunchNode(NodeName.of("cluster11"), Ipv4Address.of("10.32.0.11"), 2),
            new LaunchNode(NodeName.of("cluster12"), Ipv4Address.of("10.32.0.12"), 16)));

    @ParameterizedTest
    @CsvSource({
        "HYDRA, 10.32.0.11:2, 10.32.0.12:16",
        "OPEN_MPI, 10.32.0.11 slots=2, 10.32.0.12 slots=16",
        "MVAPICH2, 10.32.0.11:2, 10.32.0.12:16",
        "SLURM, cluster11, cluster12"
    })
    void hasOneLinePerNodeInTheLaunchersOwnWords(HostfileDialect dialect, String first, String second) {
        assertThat(two.text(dialect)).isEqualTo(first + "\n" + second + "\n");
    }

    @Test
    void namesHostsWhoseAddressesAreNotFixed() {
        Hostfile named = new Hostfile(List.of(new Hostfile.Host(NodeName.of("cluster11"), "cluster11", 4)));

        assertThat(named.text(HostfileDialect.HYDRA)).isEqualTo("cluster11:4\n");
    }

    @Nested
    class Invalid {
        @Test
        void refusesAHostfileWithoutHosts() {
            assertThatThrownBy(() -> new Hostfile(List.of()))
                    .isInstanceOf(InvalidValueException.class)
                    .hasMessageContainingAll("hostfile", "one or more hosts");
        }

        @Test
        void refusesAHostTwice() {
            Hostfile.Host first = new Hostfile.Host(NodeName.of("cluster11"), "10.32.0.11", 1);
            Hostfile.Host second = new Hostfile.Host(NodeName.of("cluster12"), "10.32.0.11", 1);

            assertThatThrownBy(() -> new Hostfile(List.of(first, second)))
                    .isInstanceOf(InvalidValueException.class)
                    .hasMessageContaining("cluster11 and cluster12 have the same address 10.32.0.11")
                    .hasMessageContaining("give it more slots");
        }

        @Test
        void refusesANodeWithoutSlots() {
            assertThatThrownBy(() -> new LaunchNode(NodeName.of("cluster11"), Ipv4Address.of("10.32.0.11"), 0))
                    .isInstanceOf(InvalidValueException.class)
                    .hasMessageContainingAll("\"0\"", "number of slots of node cluster11", "1 or more");
        }
    }

    /** The launchers' own parsers say how many ranks they would put where; nothing is sent anywhere. */
    @Nested
    class AsLaunchersReadIt {
        @TempDir
        private Path folder;

        @Test
        @Tag("breadth")
        void hydraPutsAsManyRanksOnEachHostAsItHasSlots() throws Exception {
            Random random = new Random(SEED);
            for (int i = 0; i < 10; i++) {
                Hostfile hosts = random(random);
                Path file = Files.writeString(folder.resolve("hydra" + i), hosts.text(HostfileDialect.HYDRA));
                int ranks =
                        hosts.hosts().stream().mapToInt(Hostfile.Host::slots).sum();

                Tool hydra = Tool.runHydra(Words.of(
                        "mpirun.mpich -launcher fork -f " + file + " -n " + ranks + " -prepend-pattern %h| echo x"));

                Map<String, Long> seen = hydra.output()
                        .lines()
                        .collect(Collectors.groupingBy(
                                line -> line.substring(0, line.indexOf('|')), Collectors.counting()));
                assertThat(seen)
                        .as("seed %d: %s, status %d", SEED, hosts, hydra.status())
                        .isEqualTo(expected(hosts));
            }
        }

        @Test
        @Tag("breadth")
        void openMpiPutsAsManyRanksOnEachHostAsItHasSlots() throws Exception {
            Pattern node =
                    Pattern.compile("Data for node: (\\S+)\\s+Num slots: (\\d+)\\s+Max slots: 0\\s+Num procs: (\\d+)");
            Random random = new Random(SEED);
            for (int i = 0; i < 5; i++) {
                Hostfile hosts = random(random);
                Path file = Files.writeString(folder.resolve("ompi" + i), hosts.text(HostfileDialect.OPEN_MPI));
                int ranks =
                        hosts.hosts().stream().mapToInt(Hostfile.Host::slots).sum();

                Tool map = Tool.run(Words.of("mpirun.openmpi --allow-run-as-root --hostfile " + file
                        + " --do-not-launch --display-map -n " + ranks + " true"));

                Map<String, Long> seen = new LinkedHashMap<>();
                Matcher found = node.matcher(map.output());
                while (found.find()) {
                    assertThat(found.group(2)).isEqualTo(found.group(3));
                    seen.put(found.group(1), Long.valueOf(found.group(3)));
                }
                assertThat(seen).as("seed %d: %s", SEED, hosts).isEqualTo(expected(hosts));
            }
        }

        private static Map<String, Long> expected(Hostfile hosts) {
            return hosts.hosts().stream()
                    .collect(Collectors.toMap(Hostfile.Host::address, host -> (long) host.slots()));
        }

        private static Hostfile random(Random random) {
            List<Hostfile.Host> hosts = new ArrayList<>();
            int start = 1 + random.nextInt(200);
            for (int i = 0; i < 1 + random.nextInt(5); i++) {
                NodeName name = NodeName.of("cluster" + (start + i));
                hosts.add(new Hostfile.Host(name, "10.32.7." + (start + i), 1 + random.nextInt(4)));
            }
            return new Hostfile(hosts);
        }
    }
}
