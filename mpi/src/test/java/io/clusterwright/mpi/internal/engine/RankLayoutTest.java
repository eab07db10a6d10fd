package io.clusterwright.mpi.internal.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.clusterwright.core.Command;
import io.clusterwright.core.CommandResult;
import io.clusterwright.core.NodeSession;
import io.clusterwright.core.type.InvalidValueException;
import io.clusterwright.core.type.Ipv4Address;
import io.clusterwright.core.type.NodeName;
import io.clusterwright.mpi.LocalSession;
import io.clusterwright.mpi.job.Binding;
import io.clusterwright.mpi.spi.LaunchNode;
import io.clusterwright.mpi.spi.NodeTarget;
import io.clusterwright.mpi.spi.RanksPerDomain;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Function;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The ranks of nodes, from what a job asks for and what the nodes have. */
class RankLayoutTest {
    private static final Binding DEFAULT = Binding.DEFAULT;

    @Test
    void countsRanksByTheDomainsOfEachNode() {
        RankLayout layout = of("2\n4\n4\n16\n", false, job -> {
            job.domain = Binding.NUMA;
            job.ranksPerDomain = 2;
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
            job.domain = Binding.SOCKET;
            job.ranksPerDomain = 3;
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
            job.domain = Binding.NUMA;
            job.ranksPerDomain = 4;
            job.threadsPerRank = 2;
        });

        assertThat(layout.binding()).isEqualTo(DEFAULT);
        assertThat(layout.variables(Map.of())).isEqualTo(Map.of("OMP_NUM_THREADS", "2"));
    }

    @Test
    void refusesMoreCoresThanADomainHas() {
        assertThatThrownBy(() -> of("2\n4\n4\n16\n", false, job -> {
                    job.domain = Binding.NUMA;
                    job.ranksPerDomain = 2;
                    job.threadsPerRank = 3;
                }))
                .isInstanceOf(InvalidValueException.class)
                .hasMessage("each NUMA domain of node demo1 has 4 cores, and 2 ranks of 3 cores need 6: use fewer ranks"
                        + " or fewer threads, or do not bind them (example: --bind none)");
    }

    @Test
    void refusesACacheThatANodeDoesNotShow() {
        assertThatThrownBy(() -> of("1\n1\n0\n2\n", false, job -> {
                    job.domain = Binding.L3;
                    job.ranksPerDomain = 2;
                }))
                .isInstanceOf(InvalidValueException.class)
                .hasMessage("node demo1 does not show a level 3 cache: place ranks by NUMA domain (example: --per-numa"
                        + " 4, or ranksPerNuma(4))");
    }

    @Test
    void refusesABindingToAnotherPart() {
        assertThatThrownBy(() -> of("2\n4\n4\n16\n", false, job -> {
                    job.domain = Binding.NUMA;
                    job.ranksPerDomain = 2;
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
                new JobDescription(List.of("true")).with(change), target(name -> answering(name, topology), shared));
    }

    private static NodeSession answering(NodeName node, String topology) {
        return (NodeSession) Proxy.newProxyInstance(
                RankLayoutTest.class.getClassLoader(),
                new Class<?>[] {NodeSession.class},
                (proxy, method, arguments) -> switch (method.getName()) {
                    case "run" -> new CommandResult(node, (Command) arguments[0], 0, topology, "", Duration.ZERO);
                    default -> throw new IllegalStateException(method.getName());
                });
    }

    private static NodeTarget target(Function<NodeName, NodeSession> sessions, boolean shared) {
        List<LaunchNode> nodes = List.of(
                new LaunchNode(NodeName.of("demo1"), Ipv4Address.of("10.0.0.1"), 16),
                new LaunchNode(NodeName.of("demo2"), Ipv4Address.of("10.0.0.2"), 16));
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
            public boolean sharesOneMachine() {
                return shared;
            }
        };
    }
}
