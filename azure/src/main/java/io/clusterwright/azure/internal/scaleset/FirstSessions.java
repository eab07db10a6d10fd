package io.clusterwright.azure.internal.scaleset;

import io.clusterwright.azure.internal.arm.ArmClient;
import io.clusterwright.azure.internal.arm.Errors;
import io.clusterwright.azure.internal.machine.MachineCreation;
import io.clusterwright.azure.internal.resource.ResourceNames;
import io.clusterwright.core.NodeSession;
import io.clusterwright.core.NodeUnreachableException;
import io.clusterwright.core.internal.concurrent.Backoff;
import io.clusterwright.core.internal.concurrent.Deadline;
import io.clusterwright.core.internal.concurrent.Tasks;
import io.clusterwright.core.spec.ClusterSpec;
import io.clusterwright.core.spi.Bootstrap;
import io.clusterwright.core.spi.Endpoint;
import io.clusterwright.core.spi.Machine;
import io.clusterwright.core.spi.MachineProvider;
import io.clusterwright.core.spi.MachineProvider.MachineRequest;
import io.clusterwright.core.spi.MachineProvider.ResourceLog;
import io.clusterwright.core.spi.NodeBackend;
import io.clusterwright.core.spi.NodeTransport;
import io.clusterwright.core.spi.SshKeyPair;
import io.clusterwright.core.type.ClusterId;
import io.clusterwright.core.type.ClusterwrightException;
import io.clusterwright.core.type.NodeName;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;

/**
 * The first session to each of several nodes that started alike. Login key and host key are made for this, are known to this object
 * only, and serve once: over the session each node gets its own host key and name.
 */
public final class FirstSessions {
    private static final int HANDSHAKES = 32;
    private static final Duration DIAL = Duration.ofSeconds(10);
    private static final Duration FIRST_PAUSE = Duration.ofMillis(200);
    private static final Duration LONGEST_PAUSE = Duration.ofSeconds(10);

    private final ArmClient arm;
    private final NodeBackend backend;
    private final SshKeyPair login;
    private final SshKeyPair host;
    private final MachineProvider provider;
    private final ClusterSpec spec;
    private final ClusterId cluster;
    private final ResourceLog log;

    /** With new keys, to nodes that this provider leads to and that answer within the deadline of the spec. */
    FirstSessions(MachineCreation creation, MachineProvider provider) {
        this.arm = creation.clients().arm();
        this.backend = creation.backend();
        this.login = backend.newKeyPair("clusterwright-first-session");
        this.host = backend.newKeyPair("clusterwright-first-session");
        this.provider = provider;
        this.spec = creation.spec();
        this.log = creation.log();
        this.cluster = log.cluster();
    }

    /** What all nodes are given: the identity of one node, with the common host key, and one more key that may log in. */
    Bootstrap common(NodeName name, MachineRequest like) {
        List<String> keys = new ArrayList<>(like.bootstrap().authorizedKeys());
        keys.add(login.publicKey().toString());
        return new Bootstrap(name, like.bootstrap().loginUser(), keys, host);
    }

    /**
     * Gives each node its identity; a failure of one is no failure of another, unless that is the one through which
     * they are reached, which is
     * the first.
     *
     * @param restart restarts a node that has its identity only then
     */
    Result identify(Map<Machine, MachineRequest> nodes, Consumer<Machine> restart) {
        Map<Machine, ClusterwrightException> failed = new ConcurrentHashMap<>();
        Map<Machine, Boolean> restarts = new ConcurrentHashMap<>();
        Predicate<Machine> reached =
                machine -> provider.gateway(spec, machine.name()).isEmpty();
        List<Machine> direct = nodes.keySet().stream().filter(reached).toList();
        List<Machine> behind = nodes.keySet().stream().filter(reached.negate()).toList();
        try (NodeTransport transport = provider.relays(spec) ? backend.openRelayTransport() : backend.openTransport()) {
            each(direct, nodes, target -> target, transport, failed, restarts);
            if (!behind.isEmpty()) {
                try {
                    Machine way = way(behind.get(0).name(), direct, failed);
                    if (restarts.remove(way, true)) {
                        restart.accept(way);
                    }
                    log.awaitReady(way);
                    each(
                            behind,
                            nodes,
                            target -> target.through(() -> log.awaitReady(way)),
                            transport,
                            failed,
                            restarts);
                } catch (ClusterwrightException e) {
                    behind.forEach(machine ->
                            failed.putIfAbsent(machine, Errors.of("reach " + machine.name() + " through the head", e)));
                }
            }
        }
        return new Result(
                new LinkedHashMap<>(failed),
                nodes.keySet().stream()
                        .filter(machine -> restarts.getOrDefault(machine, false))
                        .toList());
    }

    /** The machine through which a node is reached: one of those that just got their identity, or one that existed before. */
    private Machine way(NodeName node, List<Machine> direct, Map<Machine, ClusterwrightException> failed) {
        NodeName name = provider.gateway(spec, node).orElseThrow();
        for (Machine machine : direct) {
            if (machine.name().equals(name)) {
                ClusterwrightException cause = failed.get(machine);
                if (cause != null) {
                    throw cause;
                }
                return machine;
            }
        }
        return log.existing(name)
                .orElseThrow(() ->
                        new NodeUnreachableException(node, "the gateway " + name + " of " + node + " does not exist"));
    }

    private void each(
            List<Machine> machines,
            Map<Machine, MachineRequest> nodes,
            UnaryOperator<NodeTransport.Target> way,
            NodeTransport transport,
            Map<Machine, ClusterwrightException> failed,
            Map<Machine, Boolean> restarts) {
        ArmClient.runAll(
                "identity",
                HANDSHAKES,
                machines.stream()
                        .<Runnable>map(machine -> () -> {
                            try {
                                Bootstrap own = Objects.requireNonNull(nodes.get(machine))
                                        .bootstrap();
                                restarts.put(machine, identify(transport, way, machine, own));
                            } catch (RuntimeException e) {
                                failed.put(machine, Errors.of("give " + machine.name() + " its identity", e));
                            }
                        })
                        .toList());
    }

    private boolean identify(
            NodeTransport transport, UnaryOperator<NodeTransport.Target> way, Machine machine, Bootstrap own) {
        boolean inside = provider.gateway(spec, machine.name()).isPresent();
        NodeTransport.Target target = way.apply(new NodeTransport.Target(
                        machine.name(),
                        () -> inside
                                ? new Endpoint(machine.address().toString(), ResourceNames.SSH)
                                : provider.endpoint(cluster, machine),
                        own.loginUser(),
                        login,
                        host.publicKey(),
                        DIAL))
                .relayedBy(() -> provider.relay(cluster, machine));
        Deadline end = arm.deadline("deadline of the node", spec.nodes().deadline());
        Backoff backoff = arm.backoff(FIRST_PAUSE, LONGEST_PAUSE);
        while (true) {
            try (NodeSession session = transport.connect(target)) {
                return backend.identify(session, own, login.publicKey());
            } catch (NodeUnreachableException e) {
                if (end.passed()) {
                    throw new NodeUnreachableException(
                            machine.name(),
                            machine.name() + " did not answer its first session within "
                                    + spec.nodes().deadline().toSeconds()
                                    + " s (nodes.deadline); last error: " + e.getMessage(),
                            e);
                }
            }
            Tasks.interruptibly("wait for " + machine.name() + ": interrupted", () -> backoff.sleep());
        }
    }

    /**
     * The outcomes of the sessions.
     *
     * @param failed the nodes that have no identity, with the reason
     * @param restart the nodes that have theirs when they were restarted
     */
    record Result(Map<Machine, ClusterwrightException> failed, List<Machine> restart) {}
}
