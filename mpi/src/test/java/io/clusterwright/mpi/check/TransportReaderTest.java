package io.clusterwright.mpi.check;

import static org.assertj.core.api.Assertions.assertThat;

import io.clusterwright.core.spec.MpiFlavour;
import io.clusterwright.core.type.Interconnect;
import io.clusterwright.mpi.bench.Transport;
import io.clusterwright.mpi.bench.Transport.Kind;
import io.clusterwright.mpi.bench.Verdict;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class TransportReaderTest {

    /** What really was printed between two nodes over TCP. */
    @Nested
    class Captured {
        @ParameterizedTest
        @CsvSource({
            "mpich-4.0.2-ucx-1.13.1, tcp/eth0",
            "openmpi-4.1.4-ucx-1.13.1, tcp/eth0",
            "openmpi-4.1.4-ob1, btl tcp",
            "openmpi-4.1.4-cm-ofi, ofi eth0",
        })
        void isTcp(String file, String name) {
            Transport transport = TransportReader.read(lines(file).stream());

            assertThat(transport.kind()).isEqualTo(Kind.TCP);
            assertThat(transport.names()).containsExactly(name);
            assertThat(lines(file)).anyMatch(line -> line.strip().equals(transport.evidence()));
        }

        @ParameterizedTest
        @ValueSource(strings = {"mpich-4.0.2-ucx-1.13.1", "openmpi-4.1.4-ucx-1.13.1", "openmpi-4.1.4-ob1"})
        void staysTcpInAnyOrderOfLines(String file) {
            List<String> lines = new ArrayList<>(lines(file));
            for (int seed = 0; seed < 50; seed++) {
                Collections.shuffle(lines, new Random(seed));
                assertThat(TransportReader.read(lines.stream()).kind())
                        .as("seed %s", seed)
                        .isEqualTo(Kind.TCP);
            }
        }

        @Test
        void reportsNothingWithoutTheRightDebugLevel() {
            assertThat(read(lines("mpich-4.0.2-summary"))).isEqualTo(Transport.unknown());
        }

        @Test
        void neverTurnsIntoRdmaWhenLinesAreCut() {
            for (String file : List.of("mpich-4.0.2-ucx-1.13.1", "openmpi-4.1.4-ob1", "openmpi-4.1.4-cm-ofi")) {
                String text = String.join("\n", lines(file));
                for (int end = 0; end <= text.length(); end += 7) {
                    assertThat(TransportReader.read(text.substring(0, end).lines())
                                    .kind())
                            .as("%s cut at %s", file, end)
                            .isNotEqualTo(Kind.RDMA);
                }
            }
        }
    }

    /** Texts from public issues; docs/evidence/soft-roce.md names each. */
    @Nested
    class Cited {
        @ParameterizedTest
        @CsvSource(
                delimiter = '|',
                value = {
                    "ucp_worker.c:1720 UCX  INFO  ep_cfg[1]: tag(rc_mlx5/mlx5_0:1 rc_mlx5/mlx5_1:1);| RDMA",
                    "ucp_worker.c:1777 UCX  INFO    ep_cfg[1]: tag(dc_mlx5/mlx5_0:1); | RDMA",
                    "ucp_worker.c:1855 UCX  INFO    0x100b240 inter-node cfg#3 tag(rc_mlx5/mlx5_0:1) | RDMA",
                    "ucp_context_0 inter-node cfg#2 tag(rc_verbs/irdma0:1) | RDMA",
                    "ucp_context_0 inter-node cfg#2 tag(tcp/eth0) | TCP",
                    "UCX  INFO  ep_cfg[0]: tag(self/memory rc_mlx5/mlx5_0:1 rc_mlx5/mlx5_1:1); | SHARED_MEMORY",
                    "UCX  INFO  0x252d990 intra-node cfg#2 tag(sysv/memory cma/memory) rma(sysv/memory) | SHARED_MEMORY",
                    "UCX  INFO  0x2a719d0 self cfg#1tag(sysv/memory cma/memory cuda_copy/cuda) | SHARED_MEMORY",
                    "[0] MPI startup(): libfabric provider: mlx | RDMA",
                    "[0] MPI startup(): libfabric provider: verbs;ofi_rxm | RDMA",
                    "[0] MPI startup(): libfabric provider: efa | RDMA",
                    "[0] MPI startup(): libfabric provider: tcp;ofi_rxm | TCP",
                    "[0] MPI startup(): libfabric provider: tcp | TCP",
                    "[0] MPI startup(): libfabric provider: sockets | TCP",
                    "[0] MPI startup(): libfabric provider: psm3 | UNKNOWN",
                    "[1] MPI startup(): shm and dapl data transfer modes | RDMA",
                    "[1] MPI startup(): shm and tcp data transfer modes | TCP",
                    "[0] MPI startup(): dapl data transfer mode | RDMA",
                    "[node2:03928] mca: bml: Using openib btl to [[12620,1],0] on node node3 | RDMA",
                    "\tHCA NAME                                : MV2_HCA_INTEL_HFI1 | RDMA",
                    "Hello from rank 1 over tcp | UNKNOWN",
                    "select: component ucx selected | UNKNOWN",
                })
        void isUnderstood(String line, Kind kind) {
            assertThat(read(List.of(line)).kind()).isEqualTo(kind);
        }

        @Test
        void theProviderWithTheHighestScoreOfMpichCounts() {
            Transport transport = read(List.of(
                    "provider: tcp;ofi_rxm, score = 4, pref = 0, FI_SOCKADDR_IN [16] 10.0.0.4",
                    "provider: verbs;ofi_rxm, score = 5, pref = 0, FI_SOCKADDR_IN [16] 10.0.0.4",
                    "provider: sockets, score = 5, pref = -2, FI_SOCKADDR_IN [16] 10.0.0.4"));

            assertThat(transport.kind()).isEqualTo(Kind.RDMA);
            assertThat(transport.names()).containsExactly("verbs;ofi_rxm");
        }
    }

    @Nested
    class Several {
        @Test
        void oneRankOnTcpMakesTheWholeTcp() {
            Transport transport = read(List.of(
                    "node1 UCX  INFO  ep_cfg[1]: tag(rc_mlx5/mlx5_0:1)", "node2 UCX  INFO  ep_cfg[1]: tag(tcp/eth0)"));

            assertThat(transport.kind()).isEqualTo(Kind.TCP);
            assertThat(transport.names()).containsExactly("tcp/eth0");
        }

        @Test
        void outputOfUcxWinsOverTheNameOfItsProvider() {
            assertThat(read(List.of(
                                    "[0] MPI startup(): libfabric provider: mlx",
                                    "UCX  INFO  ep_cfg[1]: tag(tcp/eth0)"))
                            .kind())
                    .isEqualTo(Kind.TCP);
        }
    }

    @Nested
    class Judgement {
        private final Transport rdma = new Transport(Kind.RDMA, List.of("rc_mlx5/mlx5_0:1"), "");
        private final Transport tcp = new Transport(Kind.TCP, List.of("tcp/eth0"), "");

        @ParameterizedTest
        @EnumSource(value = Interconnect.class, names = "NONE", mode = EnumSource.Mode.EXCLUDE)
        void onRdmaNodesOnlyRdmaPasses(Interconnect interconnect) {
            assertThat(rdma.judge(interconnect))
                    .isEqualTo(new Verdict(Verdict.Status.PASSED, List.of("MPI used RDMA (rc_mlx5/mlx5_0:1)")));
            assertThat(tcp.judge(interconnect))
                    .isEqualTo(new Verdict(
                            Verdict.Status.FAILED,
                            List.of("MPI fell back to TCP (tcp/eth0) although these nodes report " + interconnect)));
            assertThat(Transport.unknown().judge(interconnect))
                    .isEqualTo(Verdict.notJudged("the transport that MPI used is not known, so that it is "
                            + interconnect + " is not proven"));
        }

        @Test
        void elsewhereThereIsNothingToJudge() {
            assertThat(tcp.judge(Interconnect.NONE))
                    .isEqualTo(
                            Verdict.notJudged("MPI used TCP (tcp/eth0), and these nodes report no RDMA interconnect"));
        }
    }

    @ParameterizedTest
    @EnumSource(MpiFlavour.class)
    void everyFlavourThatRunsOnLinuxIsAsked(MpiFlavour flavour) {
        assertThat(TransportReader.environment(flavour).isEmpty()).isEqualTo(flavour == MpiFlavour.MS_MPI);
    }

    private static Transport read(List<String> lines) {
        return TransportReader.read(lines.stream());
    }

    private static List<String> lines(String name) {
        try (InputStream in = TransportReaderTest.class.getResourceAsStream(name + ".txt")) {
            return Stream.of(new String(in.readAllBytes(), StandardCharsets.UTF_8).split("\n"))
                    .toList();
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }
}
