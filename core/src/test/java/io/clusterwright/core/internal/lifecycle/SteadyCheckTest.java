package io.clusterwright.core.internal.lifecycle;

import static org.assertj.core.api.Assertions.assertThat;

import io.clusterwright.core.CheckReport;
import io.clusterwright.core.CheckReport.Status;
import io.clusterwright.core.Cluster;
import io.clusterwright.core.Command;
import io.clusterwright.core.CommandResult;
import io.clusterwright.core.Node;
import io.clusterwright.core.NodeSession;
import io.clusterwright.core.NodeUnreachableException;
import io.clusterwright.core.spec.ClusterSpec;
import io.clusterwright.core.spi.ClusterCheck;
import io.clusterwright.core.type.Interconnect;
import io.clusterwright.core.type.Ipv4Address;
import io.clusterwright.core.type.NodeName;
import io.clusterwright.core.type.SshPublicKey;
import io.clusterwright.core.type.UserName;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class SteadyCheckTest {
    private static final SshPublicKey KEY =
            SshPublicKey.of("ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIN7kUTKmOdSZhqQxl4ZQhykEDu2GPd9ymwGNG9+r+vxf c");
    private static final NodeName LOST = NodeName.of("demo2");

    private final List<String> progress = new ArrayList<>();
    private final Set<NodeName> down = new HashSet<>();
    private boolean sessionsAreOpen = true;
    private int downFor;
    private final SteadyCheck checks = new SteadyCheck(Cluster.of(
            ClusterSpec.builder("demo").region("westus").nodes(n -> n.count(2)).build(),
            Stream.of("demo1", "demo2")
                    .map(name -> new Node(NodeName.of(name), Ipv4Address.of("10.0.0.4"), KEY, Interconnect.NONE))
                    .toList(),
            new Source()));

    @Test
    void aCheckDuringWhichAConnectionWasLostIsRepeatedWhenItIsBack() {
        FakeCheck check = new FakeCheck(Status.FAILED, Status.PASSED) {
            @Override
            void first() {
                down.add(LOST);
                downFor = 3;
                sessionsAreOpen = false;
            }
        };

        assertThat(checks.run(check, progress::add).status()).isEqualTo(Status.PASSED);
        assertThat(progress)
                .containsExactly(
                        "the connection to demo[1-2] was lost during check fake: it is opened again for 3 min, and the"
                                + " check is repeated",
                        "the connection to demo[1-2] is open again");
    }

    @Test
    void aCheckDuringWhichANodeStoppedToAnswerIsRepeatedWhenItAnswers() {
        FakeCheck check = new FakeCheck(Status.NOT_CHECKED, Status.PASSED) {
            @Override
            void first() {
                down.add(LOST);
                downFor = 2;
            }
        };

        assertThat(checks.run(check, progress::add).status()).isEqualTo(Status.PASSED);
        assertThat(progress).hasSize(2).last().isEqualTo("the connection to demo2 is open again");
    }

    @Test
    void aFailureOfNodesThatAnswerIsReportedAtOnce() {
        assertThat(checks.run(new FakeCheck(Status.FAILED), progress::add).status())
                .isEqualTo(Status.FAILED);
        assertThat(progress).isEmpty();
    }

    @Test
    void aNodeThatDidNotAnswerBeforeIsNotWaitedFor() {
        down.add(LOST);
        downFor = Integer.MAX_VALUE;

        assertThat(checks.run(new FakeCheck(Status.FAILED), progress::add).status())
                .isEqualTo(Status.FAILED);
        assertThat(progress).isEmpty();
    }

    /** Ends with one status after the other. */
    private static class FakeCheck implements ClusterCheck {
        private final List<Status> next;

        FakeCheck(Status... statuses) {
            next = new ArrayList<>(Arrays.asList(statuses));
        }

        void first() {}

        @Override
        public CheckReport run(Cluster cluster, Consumer<String> lines) {
            if (next.size() > 1) {
                first();
            }
            return new CheckReport(name(), next.remove(0), "", List.of(), List.of());
        }

        @Override
        public String name() {
            return "fake";
        }

        @Override
        public int order() {
            return 0;
        }

        @Override
        public boolean wanted(ClusterSpec spec) {
            return true;
        }

        @Override
        public boolean partOfCreate() {
            return true;
        }
    }

    /** Sessions to nodes that do not answer for some attempts. */
    private final class Source implements Cluster.SessionSource {
        @Override
        public NodeSession session(NodeName node, UserName user) {
            requireAnswer(node);
            return (NodeSession) Proxy.newProxyInstance(
                    getClass().getClassLoader(),
                    new Class<?>[] {NodeSession.class},
                    (proxy, method, arguments) -> switch (method.getName()) {
                        case "node" -> node;
                        case "isOpen" -> sessionsAreOpen;
                        case "run" -> {
                            requireAnswer(node);
                            yield new CommandResult(node, (Command) arguments[0], 0, "", "", Duration.ZERO);
                        }
                        default -> throw new IllegalStateException(method.getName());
                    });
        }

        private void requireAnswer(NodeName node) {
            synchronized (down) {
                if (down.contains(node)) {
                    if (--downFor == 0) {
                        down.clear();
                    }
                    throw new NodeUnreachableException(node, "no answer");
                }
            }
        }

        @Override
        public NodeSession open(NodeName node, UserName user) {
            return session(node, user);
        }

        @Override
        public void close() {}
    }
}
