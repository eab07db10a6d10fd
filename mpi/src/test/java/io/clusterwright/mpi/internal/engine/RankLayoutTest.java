package io.clusterwright.mpi.internal.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import io.clusterwright.core.Command;
import io.clusterwright.core.CommandResult;
import io.clusterwright.core.NodeSession;
import io.clusterwright.core.catalog.VmSizeFacts;
import io.clusterwright.core.catalog.VmSizes;
import io.clusterwright.core.plan.Finding;
import io.clusterwright.core.spec.Binding;
import io.clusterwright.core.spec.MpiFlavour;
import io.clusterwright.core.spec.MpiSettings;
import io.clusterwright.core.spec.SpecReader;
import io.clusterwright.core.type.InvalidValueException;
import io.clusterwright.core.type.Ipv4Address;
import io.clusterwright.core.type.NodeName;
import io.clusterwright.core.type.UserName;
import io.clusterwright.core.type.VmSize;
import io.clusterwright.mpi.LocalSession;
import io.clusterwright.mpi.job.MpiInstallation;
import io.clusterwright.mpi.spi.LaunchNode;
import io.clusterwright.mpi.spi.LaunchTarget;
import io.clusterwright.mpi.spi.NodeTarget;
import io.clusterwright.mpi.spi.RanksPerDomain;
import io.clusterwright.mpi.spi.WrappedNodes;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The ranks of nodes, from what a job asks for and what the nodes have. */
class RankLayoutTest {
    private static final Binding DEFAULT = Binding.DEFAULT;
    private static final MpiInstallation OPEN_MPI =
            new MpiInstallation(MpiFlavour.OPEN_MPI, "4.1.4", "/usr/bin/mpirun");
    private static final MpiInstallation MPICH =
            new MpiInstallation(MpiFlavour.MPICH, "4.0.2", "/usr/bin/mpirun.mpich");

    @Test
    void countsRanksByTheDomainsOfEachNode() {
        RankLayout layout = of("2\n4\n4\n16\n", false, job -> {
            job.ranksPerDomain = RanksPerDomain.of(Binding.NUMA, 2);
            job.threadsPerRank = 2;
        });

        assertThat(layout.nodes()).extracting(LaunchNode::slots).containsExactly(8, 8);
        assertThat(layout.binding()).isEqualTo(Binding.CORE);
        assertThat(layout.perDomain()).isEqualTo(new RanksPerDomain(Binding.NUMA, 2, 4));
        assertThat(layout.variables(Map.of("A", "b")))
                .isEqualTo(Map.of("A", "b", "OMP_NUM_THREADS", "2", "OMP_PLACES", "cores", "OMP_PROC_BIND", "close"));
    }

    @Test
    void bindsRanksWithoutThreadsToTheirDomain() {
        RankLayout layout = of("2\n4\n4\n16\n", false, job -> {
            job.ranksPerDomain = RanksPerDomain.of(Binding.SOCKET, 3);
        });

        assertThat(layout.nodes()).extracting(LaunchNode::slots).containsExactly(6, 6);
        assertThat(layout.binding()).isEqualTo(Binding.SOCKET);
        assertThat(layout.variables(Map.of())).isEmpty();
    }

    @Test
    void leavesTheVariablesOfTheJobAlone() {
        RankLayout layout = of("", false, job -> job.threadsPerRank = 4);

        assertThat(layout.variables(Map.of("OMP_NUM_THREADS", "3", "OMP_PROC_BIND", "spread")))
                .containsEntry("OMP_NUM_THREADS", "3")
                .containsEntry("OMP_PROC_BIND", "spread");
    }

    @Test
    void dividesSlotsAmongThreads() {
        assertThat(of("", false, job -> job.threadsPerRank = 4).nodes())
                .extracting(LaunchNode::slots)
                .containsExactly(4, 4);
        assertThat(of("", false, job -> job.threadsPerRank = 64).nodes())
                .extracting(LaunchNode::slots)
                .containsExactly(1, 1);
    }

    @Test
    void doesNotBindOnNodesOfOneMachine() {
        RankLayout layout = of("1\n1\n1\n2\n", true, job -> {
            job.ranksPerDomain = RanksPerDomain.of(Binding.NUMA, 4);
            job.threadsPerRank = 2;
        });

        assertThat(layout.binding()).isEqualTo(DEFAULT);
        assertThat(layout.variables(Map.of())).isEqualTo(Map.of("OMP_NUM_THREADS", "2"));
    }

    @Nested
    class OnMachinesOfASize {
        private static final String HBV5 = "4\n16\n48\n368\n";

        @Test
        void aJobWithoutAPlaceFollowsTheAdviceForItsSize() {
            RankLayout layout = onSize("Standard_HB368rs_v5", HBV5, OPEN_MPI, job -> {});

            assertThat(layout.perDomain()).isEqualTo(new RanksPerDomain(Binding.L3, 7, 7));
            assertThat(layout.binding()).isEqualTo(Binding.CORE);
            assertThat(layout.findings())
                    .extracting(Finding::code, Finding::message)
                    .containsExactly(
                            tuple(
                                    "CW-MPI-055",
                                    "7 ranks on each level 3 cache, bound to core, as Microsoft advises for Standard_HB368rs_v5"));
        }

        @ParameterizedTest
        @ValueSource(strings = {"ranks", "perNode", "threads", "binding", "variable"})
        void aJobWithAPlaceDoesNot(String what) {
            RankLayout layout = onSize("Standard_HB368rs_v5", HBV5, OPEN_MPI, job -> {
                switch (what) {
                    case "ranks" -> job.ranks = 736;
                    case "perNode" -> job.ranksPerNode = 368;
                    case "threads" -> job.threadsPerRank = 2;
                    case "binding" -> job.binding = Binding.NONE;
                    default -> job.environment = Map.of("OMP_NUM_THREADS", "4");
                }
            });

            assertThat(layout.perDomain()).isNull();
            assertThat(layout.findings()).isEmpty();
        }

        /** Nodes whose system shows other caches than the advice is about. */
        @Test
        void aJobOnOtherCachesDoesNot() {
            assertThat(onSize("Standard_HB368rs_v5", "4\n16\n16\n368\n", OPEN_MPI, job -> {})
                            .perDomain())
                    .isNull();
        }

        @ParameterizedTest
        @CsvSource({"Standard_HC44rs, CORE", "Standard_HB120rs_v3, DEFAULT"})
        void mpichPinsRanksWhereItIsAdvised(String size, Binding binding) {
            assertThat(onSize(size, "", MPICH, job -> {}).binding()).isEqualTo(binding);
            assertThat(onSize(size, "", OPEN_MPI, job -> {}).binding()).isEqualTo(DEFAULT);
        }

        @Test
        void warnsOfCachesThatTheSizeDoesNotHave() {
            String wrong = "2\n4\n4\n120\n";
            List<RankLayout> layouts = List.of(
                    onSize("Standard_HB120rs_v3", wrong, OPEN_MPI, job -> job.binding = Binding.L3),
                    onSize(
                            "Standard_HB120rs_v3",
                            wrong,
                            OPEN_MPI,
                            job -> job.ranksPerDomain = RanksPerDomain.of(Binding.L3, 7)));

            assertThat(layouts)
                    .flatExtracting(RankLayout::findings)
                    .extracting(Finding::code, Finding::message)
                    .containsOnly(tuple(
                            "CW-MPI-054",
                            "node demo1 shows 4 level 3 caches, and Standard_HB120rs_v3 has 16: ranks are placed by what"
                                    + " the node shows"));
            assertThat(onSize(
                                    "Standard_HB120rs_v3",
                                    wrong,
                                    OPEN_MPI,
                                    job -> job.ranksPerDomain = RanksPerDomain.of(Binding.NUMA, 4))
                            .findings())
                    .isEmpty();
        }

        private static RankLayout onSize(
                String size, String topology, MpiInstallation mpi, Consumer<JobDescription> change) {
            record OfSize(NodeTarget wrapped, VmSizeFacts facts) implements WrappedNodes {
                @Override
                public Optional<VmSizeFacts> size() {
                    return Optional.of(facts);
                }

                @Override
                public NodeTarget only(Collection<NodeName> names) {
                    return this;
                }
            }
            return RankLayout.of(
                    new JobDescription(List.of("true")).with(change),
                    new OfSize(
                            target(name -> answering(name, topology), false),
                            VmSizes.standard().find(VmSize.of(size)).orElseThrow()),
                    mpi);
        }
    }

    /** From the file of a spec to the command of the launcher. */
    @ParameterizedTest
    @CsvSource({
        "'ranksPerNuma: 2, threadsPerRank: 2', -n 16 --map-by ppr:2:numa:pe=2 --rank-by slot --bind-to core",
        "'ranksPerSocket: 3', -n 12 --map-by ppr:3:socket --rank-by slot --bind-to socket",
        "'ranksPerL3: 1, binding: none', -n 8 --map-by ppr:1:l3cache --rank-by slot --bind-to none",
        "'ranksPerNode: 4, threadsPerRank: 4', -n 8 --map-by ppr:4:node:pe=4 --bind-to core",
        "'threadsPerRank: 8', -n 4 --map-by ppr:2:node:pe=8 --bind-to core",
        "'ranksPerNode: 8, binding: numa', -n 16 --map-by ppr:8:node --bind-to numa",
        "'', -n 32 --map-by ppr:16:node --allow",
    })
    void takesTheDefaultsOfASpec(String fields, String words) {
        assertThat(command(fields, job -> {})).contains(words.replace("--allow", ""));
    }

    @ParameterizedTest
    @CsvSource({
        "per-node, -n 4 --map-by ppr:2:node:pe=2 --bind-to core",
        "per-l3, -n 8 --map-by ppr:1:l3cache:pe=2 --rank-by slot --bind-to core",
        "threads, -n 16 --map-by ppr:2:numa:pe=1 --rank-by slot --bind-to core",
        "binding, -n 16 --map-by ppr:2:numa --rank-by slot --bind-to none",
    })
    void optionsOfAJobOverrideTheSpec(String option, String words) {
        assertThat(command("ranksPerNuma: 2, threadsPerRank: 2", job -> {
                    switch (option) {
                        case "per-node" -> job.ranksPerNode = 2;
                        case "per-l3" -> job.ranksPerDomain = RanksPerDomain.of(Binding.L3, 1);
                        case "threads" -> job.threadsPerRank = 1;
                        default -> job.binding = Binding.NONE;
                    }
                }))
                .contains(words.replace(":pe=1", ""));
    }

    /** The ranks of the spec have its threads: a job with other threads has the same cores. */
    @Test
    void aJobWithMoreThreadsHasFewerRanksThanTheSpec() {
        assertThat(command("ranksPerNode: 8, threadsPerRank: 2", job -> job.threadsPerRank = 4))
                .contains("-n 8 --map-by ppr:4:node:pe=4 --bind-to core");
    }

    private static String command(String fields, Consumer<JobDescription> change) {
        MpiSettings defaults = SpecReader.read("{name: demo, nodes: {count: 2}, mpi: {" + fields + "}}", "demo.yaml")
                .mpi();
        JobDescription job = new JobDescription(List.of("true")).with(given -> {
            given.installation = OPEN_MPI;
            given.flavour = MpiFlavour.OPEN_MPI;
            change.accept(given);
        });
        NodeTarget nodes = target(name -> answering(name, "2\n4\n4\n16\n"), false, defaults);
        JobStart start = JobStart.of(job, nodes);
        return String.join(
                " ", start.choice().launcher().command(start.request()).arguments());
    }

    @Test
    void refusesMoreCoresThanADomainHas() {
        assertThatThrownBy(() -> of("2\n4\n4\n16\n", false, job -> {
                    job.ranksPerDomain = RanksPerDomain.of(Binding.NUMA, 2);
                    job.threadsPerRank = 3;
                }))
                .isInstanceOf(InvalidValueException.class)
                .hasMessage("each NUMA domain of node demo1 has 4 cores, and 2 ranks of 3 cores need 6: use fewer ranks"
                        + " or fewer threads, or do not bind them (example: --bind none)");
    }

    @Test
    void refusesACacheThatANodeDoesNotShow() {
        assertThatThrownBy(() -> of("1\n1\n0\n2\n", false, job -> {
                    job.ranksPerDomain = RanksPerDomain.of(Binding.L3, 2);
                }))
                .isInstanceOf(InvalidValueException.class)
                .hasMessage("node demo1 does not show a level 3 cache: place ranks by NUMA domain (example: --per-numa"
                        + " 4, or ranksPerNuma(4))");
    }

    @Test
    void refusesABindingToAnotherPart() {
        assertThatThrownBy(() -> of("2\n4\n4\n16\n", false, job -> {
                    job.ranksPerDomain = RanksPerDomain.of(Binding.NUMA, 2);
                    job.binding = Binding.SOCKET;
                }))
                .isInstanceOf(InvalidValueException.class)
                .hasMessage(
                        "ranks are counted by numa and bound to socket: a launcher can do only one: bind ranks to the"
                                + " same part, or to cores (example: --bind numa)");
    }

    @Test
    @Tag("breadth")
    void readsTheTopologyOfThisMachine() {
        NodeTopology here = NodeTopology.ask(target(name -> new LocalSession(), false))
                .values()
                .iterator()
                .next();

        assertThat(here.cores()).isBetween(1, Runtime.getRuntime().availableProcessors() * 4096);
        assertThat(here.sockets()).isBetween(1, here.cores());
        assertThat(here.numaDomains()).isPositive();
        assertThat(here.l3Caches()).isBetween(0, here.cores());
    }

    private static RankLayout of(String topology, boolean shared, Consumer<JobDescription> change) {
        return RankLayout.of(
                new JobDescription(List.of("true")).with(change),
                target(name -> answering(name, topology), shared),
                OPEN_MPI);
    }

    static NodeSession answering(NodeName node, String topology) {
        return (NodeSession) Proxy.newProxyInstance(
                RankLayoutTest.class.getClassLoader(),
                new Class<?>[] {NodeSession.class},
                (proxy, method, arguments) -> switch (method.getName()) {
                    case "run" -> new CommandResult(node, (Command) arguments[0], 0, topology, "", Duration.ZERO);
                    case "user" -> UserName.of("hpcuser");
                    default -> throw new IllegalStateException(method.getName());
                });
    }

    private static NodeTarget target(Function<NodeName, NodeSession> sessions, boolean shared) {
        return target(sessions, shared, LaunchTarget.NO_DEFAULTS);
    }

    static NodeTarget target(Function<NodeName, NodeSession> sessions, boolean shared, MpiSettings defaults) {
        int slots = defaults.ranksPerNode().orElse(16);
        List<LaunchNode> nodes = List.of(
                new LaunchNode(NodeName.of("demo1"), Ipv4Address.of("10.0.0.1"), slots),
                new LaunchNode(NodeName.of("demo2"), Ipv4Address.of("10.0.0.2"), slots));
        return new NodeTarget() {
            @Override
            public List<LaunchNode> nodes() {
                return nodes;
            }

            @Override
            public NodeTarget only(Collection<NodeName> names) {
                return this;
            }

            @Override
            public NodeSession session(NodeName node) {
                return sessions.apply(node);
            }

            @Override
            public MpiSettings defaults() {
                return defaults;
            }

            @Override
            public boolean sharesOneMachine() {
                return shared;
            }
        };
    }
}
