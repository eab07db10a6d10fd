package io.clusterwright.core.internal.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.clusterwright.core.Command;
import io.clusterwright.core.CommandException;
import io.clusterwright.core.CommandResult;
import io.clusterwright.core.MachineState;
import io.clusterwright.core.NodeSession;
import io.clusterwright.core.NodeUnreachableException;
import io.clusterwright.core.ResourceId;
import io.clusterwright.core.internal.concurrent.Tasks;
import io.clusterwright.core.spec.ClusterSpec;
import io.clusterwright.core.spi.Endpoint;
import io.clusterwright.core.spi.Machine;
import io.clusterwright.core.spi.MachineProvider;
import io.clusterwright.core.spi.NodeTransport;
import io.clusterwright.core.spi.SshKeyPair;
import io.clusterwright.core.type.ClusterId;
import io.clusterwright.core.type.ClusterName;
import io.clusterwright.core.type.ClusterwrightException;
import io.clusterwright.core.type.Interconnect;
import io.clusterwright.core.type.Ipv4Address;
import io.clusterwright.core.type.NodeName;
import io.clusterwright.core.type.Secret;
import io.clusterwright.core.type.SshPublicKey;
import io.clusterwright.core.type.UserName;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SessionsTest {
    private static final NodeName NODE = NodeName.of("node1");
    private static final NodeName HEAD = NodeName.of("head1");
    private static final UserName USER = UserName.of("azureuser");
    private static final SshPublicKey KEY =
            SshPublicKey.of("ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIN7kUTKmOdSZhqQxl4ZQhykEDu2GPd9ymwGNG9+r+vxf c");
    private static final Machine MACHINE =
            new Machine(NODE, Ipv4Address.of("10.0.0.4"), new ResourceId("machine", "node1"), KEY, Interconnect.NONE);

    private final Deque<Function<Command, CommandResult>> answers = new ArrayDeque<>();
    private final List<Duration> logIns = new ArrayList<>();
    private final List<String> dialled = new ArrayList<>();
    private final List<NodeName> unreachable = new ArrayList<>();
    private Supplier<MachineState> state = () -> MachineState.RUNNING;

    @Test
    void aSlowAnswerIsAskedForAgain() {
        answers.add(command -> {
            throw new CommandException.TimedOut(NODE, "on node1, `hostname` did not end within 20 s");
        });
        answers.add(command -> new CommandResult(NODE, command, 0, "node1\n", "", Duration.ZERO));

        try (Sessions sessions = sessions()) {
            assertThat(sessions.awaitReady(MACHINE, USER, Duration.ofMinutes(1)).node())
                    .isEqualTo(NODE);
        }
        assertThat(answers).isEmpty();
    }

    @Test
    void aNodeThatStaysSlowIsReportedWithItsLastAnswer() {
        answers.add(command -> {
            throw new CommandException.TimedOut(NODE, "on node1, `hostname` did not end within 20 s");
        });

        try (Sessions sessions = sessions()) {
            assertThatThrownBy(() -> sessions.awaitReady(MACHINE, USER, Duration.ZERO))
                    .isInstanceOf(NodeUnreachableException.class)
                    .hasMessageContaining("node1 was not ready within 0 s (nodes.deadline)")
                    .hasMessageContaining("`hostname` did not end within 20 s");
        }
    }

    @Test
    void aLogInLastsNoLongerThanTheCallerWaits() {
        answers.add(command -> {
            throw new NodeUnreachableException(NODE, "cannot reach node1");
        });
        answers.add(command -> new CommandResult(NODE, command, 0, "node1\n", "", Duration.ZERO));

        try (Sessions sessions = sessions()) {
            sessions.awaitReady(MACHINE, USER, Duration.ofSeconds(10));
        }
        assertThat(logIns).hasSize(2).isSortedAccordingTo(Comparator.reverseOrder());
        assertThat(logIns)
                .allSatisfy(limit -> assertThat(limit).isBetween(Duration.ofSeconds(5), Duration.ofSeconds(10)));
    }

    @Test
    void aLogInHasFiveSecondsEvenWhenItsTurnCameLate() {
        answers.add(command -> new CommandResult(NODE, command, 0, "node1\n", "", Duration.ZERO));

        try (Sessions sessions = sessions()) {
            sessions.awaitReady(MACHINE, USER, Duration.ZERO);
        }
        assertThat(logIns).containsExactly(Duration.ofSeconds(5));
    }

    @Test
    void aLogInOfACallerWithPatienceHasFortySeconds() {
        answers.add(command -> new CommandResult(NODE, command, 0, "node1\n", "", Duration.ZERO));

        try (Sessions sessions = sessions()) {
            sessions.awaitReady(MACHINE, USER, Duration.ofMinutes(20));
        }
        assertThat(logIns).containsExactly(Duration.ofSeconds(40));
    }

    @Test
    void aNodeBehindAHeadIsDialledOnceThereIsAHead() {
        answers.add(command -> new CommandResult(NODE, command, 0, "node1\n", "", Duration.ZERO));

        try (Sessions sessions = sessions(Optional.of(HEAD))) {
            assertThatThrownBy(() -> sessions.session(MACHINE, USER))
                    .isInstanceOf(NodeUnreachableException.class)
                    .hasMessage("the gateway head1 of node1 does not exist yet");
            sessions.session(headMachine("head"), USER);
            sessions.awaitReady(MACHINE, USER, Duration.ofMinutes(1));
            sessions.session(headMachine("head"), USER);
        }
        assertThat(dialled).containsExactly("head1", "head1", "node1");
    }

    @Test
    void aReplacedHeadIsDialledAnew() {
        try (Sessions sessions = sessions(Optional.of(HEAD))) {
            sessions.session(headMachine("head"), USER);
            sessions.session(MACHINE, USER);
            sessions.drop(NODE);
            sessions.session(headMachine("another"), USER);
            sessions.session(MACHINE, USER);
        }
        assertThat(dialled).containsExactly("head1", "head1", "node1", "head1", "node1");
    }

    @Test
    void aHeadThatDoesNotAnswerIsNamedInTheFailureOfEachNode() {
        unreachable.add(HEAD);
        try (Sessions sessions = sessions(Optional.of(HEAD))) {
            assertThatThrownBy(() -> sessions.session(headMachine("head"), USER))
                    .hasMessage("no answer of head1");
            assertThatThrownBy(() -> sessions.session(MACHINE, USER))
                    .isInstanceOf(NodeUnreachableException.class)
                    .hasMessage("the gateway head1 of node1 cannot be reached: no answer of head1");
        }
    }

    @ParameterizedTest
    @CsvSource({
        "STOPPED, the machine of node1 is stopped; no answer of node1",
        "ABSENT, the machine of node1 does not exist any more; no answer of node1"
    })
    void aMachineThatDoesNotRunIsTheReason(MachineState now, String message) {
        unreachable.add(NODE);
        state = () -> now;
        try (Sessions sessions = sessions()) {
            assertThatThrownBy(() -> sessions.session(MACHINE, USER))
                    .hasMessage(message)
                    .isInstanceOfSatisfying(
                            NodeUnreachableException.class,
                            e -> assertThat(e.machineState()).contains(now));
        }
    }

    @Test
    void aMachineThatRunsExplainsNothing() {
        unreachable.add(NODE);
        try (Sessions sessions = sessions()) {
            assertThatThrownBy(() -> sessions.session(MACHINE, USER)).hasMessage("no answer of node1");
        }
    }

    @Test
    void aProviderThatFailsOrDoesNotAnswerHidesNothing() {
        unreachable.add(NODE);
        CountDownLatch never = new CountDownLatch(1);
        AtomicInteger asked = new AtomicInteger();
        state = () -> {
            asked.incrementAndGet();
            Tasks.interruptibly("closed", never::await);
            throw new ClusterwrightException("no answer");
        };
        try (Sessions sessions = sessions()) {
            for (int i = 0; i < 2; i++) {
                assertThatThrownBy(() -> sessions.session(MACHINE, USER)).hasMessage("no answer of node1");
            }
            assertThat(asked).hasValue(1);
        } finally {
            never.countDown();
        }
    }

    private static Machine headMachine(String resource) {
        return new Machine(
                HEAD, Ipv4Address.of("10.0.0.5"), new ResourceId("machine", resource), KEY, Interconnect.NONE);
    }

    private Sessions sessions() {
        return sessions(Optional.empty());
    }

    private Sessions sessions(Optional<NodeName> head) {
        MachineProvider provider = (MachineProvider) Proxy.newProxyInstance(
                MachineProvider.class.getClassLoader(),
                new Class<?>[] {MachineProvider.class},
                (proxy, method, arguments) -> switch (method.getName()) {
                    case "state" -> state.get();
                    case "gateway" ->
                        head.filter(name -> !name.equals(List.of(arguments).get(1)));
                    case "endpoint" -> new Endpoint("10.0.0.4", 22);
                    default -> throw new UnsupportedOperationException(method.getName());
                });
        return new Sessions(
                new ClusterId(ClusterName.of("slow"), "0123456789abcdef"),
                ClusterSpec.builder("slow").nodes(nodes -> nodes.count(2)).build(),
                provider,
                transport(),
                new SshKeyPair(KEY, Secret.of("key")),
                List.of());
    }

    private NodeTransport transport() {
        return new NodeTransport() {
            @Override
            public NodeSession connect(Target target) {
                logIns.add(target.timeout());
                assertThat(target.gateway().map(Supplier::get)).isNotNull();
                if (unreachable.contains(target.node())) {
                    throw new NodeUnreachableException(target.node(), "no answer of " + target.node());
                }
                dialled.add(target.node().value());
                return (NodeSession) Proxy.newProxyInstance(
                        NodeSession.class.getClassLoader(),
                        new Class<?>[] {NodeSession.class},
                        (proxy, method, arguments) -> switch (method.getName()) {
                            case "node" -> target.node();
                            case "isOpen" -> true;
                            case "run" ->
                                answers.remove()
                                        .apply((Command) List.of(arguments).get(0));
                            case "close" -> null;
                            default -> throw new UnsupportedOperationException(method.getName());
                        });
            }

            @Override
            public void close() {}
        };
    }
}
