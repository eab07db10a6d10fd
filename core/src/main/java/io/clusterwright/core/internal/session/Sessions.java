package io.clusterwright.core.internal.session;

import io.clusterwright.core.Cluster;
import io.clusterwright.core.Cluster.SessionSource;
import io.clusterwright.core.Command;
import io.clusterwright.core.CommandException;
import io.clusterwright.core.CommandResult;
import io.clusterwright.core.MachineState;
import io.clusterwright.core.Node;
import io.clusterwright.core.NodeSession;
import io.clusterwright.core.NodeUnreachableException;
import io.clusterwright.core.internal.concurrent.Backoff;
import io.clusterwright.core.internal.concurrent.Deadline;
import io.clusterwright.core.internal.concurrent.Threads;
import io.clusterwright.core.internal.concurrent.WaitTime;
import io.clusterwright.core.internal.service.Services;
import io.clusterwright.core.internal.text.PrintableText;
import io.clusterwright.core.spec.ClusterSpec;
import io.clusterwright.core.spi.Endpoint;
import io.clusterwright.core.spi.Machine;
import io.clusterwright.core.spi.MachineProvider;
import io.clusterwright.core.spi.NodeBackend;
import io.clusterwright.core.spi.NodeTransport;
import io.clusterwright.core.spi.SshKeyPair;
import io.clusterwright.core.type.ClusterId;
import io.clusterwright.core.type.ClusterwrightException;
import io.clusterwright.core.type.NodeName;
import io.clusterwright.core.type.OperationInterruptedException;
import io.clusterwright.core.type.UserName;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BiFunction;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The open sessions of one cluster: made when first asked for, kept until closed. */
public final class Sessions implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Sessions.class);
    private static final AtomicBoolean WARM = new AtomicBoolean();
    private static final int HANDSHAKES = 8;
    private static final int SSH = 22;
    private static final Duration CONNECT = Duration.ofSeconds(40);
    private static final Duration SHORTEST_CONNECT = Duration.ofSeconds(5);
    private static final Duration TURN = Duration.ofMinutes(10);
    private static final Duration ANSWER = Duration.ofSeconds(2);
    private static final Duration FRESH = Duration.ofSeconds(5);
    private static final int LONGEST_NAME = 100;
    private static final Duration FIRST_PAUSE = Duration.ofMillis(40);
    private static final Duration LONGEST_PAUSE = Duration.ofSeconds(2);

    private final ClusterId cluster;
    private final ClusterSpec spec;
    private final MachineProvider provider;
    private final NodeTransport transport;
    private final SshKeyPair identity;
    private final Semaphore handshakes = new Semaphore(HANDSHAKES);
    private final Map<NodeName, Machine> machines = new ConcurrentHashMap<>();
    private final Map<NodeName, Gateway> gateways = new ConcurrentHashMap<>();
    private final Map<NodeName, StateQuery> queries = new ConcurrentHashMap<>();
    private final KeptSessions kept;

    /**
     * Sessions that log in with this key; closing them closes the transport.
     *
     * @param known the machines that exist, of which one may be the way to the others
     */
    public Sessions(
            ClusterId cluster,
            ClusterSpec spec,
            MachineProvider provider,
            NodeTransport transport,
            SshKeyPair identity,
            Collection<Machine> known) {
        this.cluster = cluster;
        this.spec = spec;
        this.provider = provider;
        this.transport = transport;
        this.identity = identity;
        known.forEach(machine -> machines.put(machine.name(), machine));
        this.kept =
                new KeptSessions(transport, (node, user) -> logIn(Objects.requireNonNull(machines.get(node)), user));
    }

    /** Lets all backends prepare for their first session, on a thread in the background; the first call does, the others return at once. */
    public static void warmUp() {
        Services.requireComplete();
        if (!WARM.getAndSet(true)) {
            Threads.start("warm-up", () -> Services.of(NodeBackend.class).forEach(NodeBackend::warmUp));
        }
    }

    /** The session to a machine as a user, opened if there is none or its connection was lost. */
    public NodeSession session(Machine machine, UserName user) {
        machines.put(machine.name(), machine);
        return kept.session(machine.name(), user);
    }

    /**
     * Tries until a command ran on the machine and the machine said its own name, or the time passed. A login gets the time that remains,
     * but at least 5 s, so that a machine whose turn to log in came late is not taken for one that does not answer.
     *
     * @return the proven session
     * @throws NodeUnreachableException with the last reason when the time passed, or at once when the machine stopped
     */
    public NodeSession awaitReady(Machine machine, UserName user, Duration deadline) {
        machines.put(machine.name(), machine);
        Deadline end = Deadline.in("deadline of a node", deadline);
        Backoff pauses = new Backoff(FIRST_PAUSE, LONGEST_PAUSE);
        while (true) {
            ClusterwrightException last;
            try {
                NodeSession session =
                        kept.session(machine.name(), user, () -> connect(machine, user, () -> timeToConnect(end)));
                CommandResult name = session.run(Command.of("hostname").timeout(Duration.ofSeconds(20)));
                if (name.succeeded()
                        && name.stdout().strip().equalsIgnoreCase(machine.name().value())) {
                    return session;
                }
                last = new NodeUnreachableException(
                        machine.name(),
                        "the machine at " + machine.address() + " has the host name \""
                                + PrintableText.of(name.stdout().strip(), LONGEST_NAME) + "\", expected "
                                + machine.name());
            } catch (NodeUnreachableException | CommandException.TimedOut e) {
                last = e;
            }
            drop(machine.name());
            MachineState state = provider.state(cluster, machine);
            boolean over = end.passed();
            boolean stopped = state != MachineState.RUNNING && state != MachineState.STARTING;
            if (over || stopped) {
                String why = over
                        ? "was not ready within " + deadline.toSeconds() + " s (nodes.deadline)"
                        : "stopped while it was starting";
                String message = machine.name() + " " + why + "; last: " + last.getMessage();
                throw stopped
                        ? new NodeUnreachableException(machine.name(), state, message, last)
                        : new NodeUnreachableException(machine.name(), message, last);
            }
            pause(machine.name(), pauses);
        }
    }

    /** A machine that is known; empty where none has that name. */
    public Optional<Machine> machine(NodeName name) {
        return Optional.ofNullable(machines.get(name));
    }

    /** Closes the sessions to a node. */
    public void drop(NodeName node) {
        kept.drop(node);
    }

    /** A cluster of these machines, reached through these sessions, which it closes. */
    public Cluster cluster(ClusterSpec spec, Collection<Machine> those) {
        List<Node> nodes = new ArrayList<>();
        for (Machine machine : those) {
            machines.put(machine.name(), machine);
            nodes.add(new Node(machine.name(), machine.address(), machine.hostKey(), machine.interconnect()));
        }
        return Cluster.of(spec, nodes, kept);
    }

    /**
     * As {@link #cluster(ClusterSpec, Collection)}, with other sessions.
     *
     * @param session the session to a machine as a user
     */
    public Cluster cluster(
            ClusterSpec spec, Collection<Machine> those, BiFunction<Machine, UserName, NodeSession> session) {
        return Cluster.of(spec, cluster(spec, those).nodes(), new SessionSource() {
            @Override
            public NodeSession session(NodeName node, UserName user) {
                return session.apply(Objects.requireNonNull(machines.get(node)), user);
            }

            @Override
            public NodeSession open(NodeName node, UserName user) {
                return kept.open(node, user);
            }

            @Override
            public void close() {
                Sessions.this.close();
            }
        });
    }

    /** Closes the sessions, and only then the connections that they go through. */
    @Override
    public void close() {
        queries.values().forEach(query -> query.answer.cancel(true));
        kept.close(() -> gateways.values().forEach(Gateway::close));
    }

    /** Logs in; the exception says so where the machine does not run. */
    private NodeSession logIn(Machine machine, UserName user) {
        try {
            return connect(machine, user, () -> CONNECT);
        } catch (OperationInterruptedException e) {
            throw e;
        } catch (ClusterwrightException e) {
            MachineState state = stateSoon(machine).orElse(MachineState.RUNNING);
            if (state != MachineState.STOPPED && state != MachineState.ABSENT) {
                throw e;
            }
            throw new NodeUnreachableException(
                    machine.name(),
                    state,
                    "the machine of " + machine.name() + " " + inWords(state) + "; " + e.getMessage(),
                    e);
        }
    }

    /** The state of a machine that does not run, as a predicate. */
    static String inWords(MachineState state) {
        return switch (state) {
            case STOPPED -> "is stopped";
            case FAILED -> "has failed";
            case ABSENT -> "does not exist any more";
            case STARTING, RUNNING ->
                throw new IllegalArgumentException(state + " is no state of a machine that does not run");
        };
    }

    /** Asks the provider at most every 5 s. It may be out of reach as well, so its answer is not waited for long; empty without one. */
    private Optional<MachineState> stateSoon(Machine machine) {
        StateQuery query = queries.compute(machine.name(), (name, last) -> {
            if (last != null && last.isFresh()) {
                return last;
            }
            FutureTask<MachineState> answer = new FutureTask<>(() -> provider.state(cluster, machine));
            Threads.start("state-" + name, answer);
            return new StateQuery(WaitTime.CLOCK.instant(), answer);
        });
        try {
            return Optional.of(WaitTime.get(query.answer, ANSWER));
        } catch (TimeoutException | ExecutionException | CancellationException e) {
            LOG.debug("the state of the machine of {} is not known", machine.name(), e);
            return Optional.empty();
        } catch (InterruptedException e) {
            throw interrupted(machine.name());
        }
    }

    private static Duration timeToConnect(Deadline end) {
        Duration remaining = end.remaining(CONNECT);
        return remaining.compareTo(SHORTEST_CONNECT) < 0 ? SHORTEST_CONNECT : remaining;
    }

    /** Logs in when it is its turn; only then is asked how long that may take. */
    private NodeSession connect(Machine machine, UserName user, Supplier<Duration> limit) {
        try {
            if (!WaitTime.await(TURN, nanos -> handshakes.tryAcquire(nanos, TimeUnit.NANOSECONDS))) {
                throw new NodeUnreachableException(
                        machine.name(),
                        "could not start an SSH login to " + machine.name() + " for " + Deadline.text(TURN) + ": "
                                + HANDSHAKES + " other logins (the limit) were in progress");
            }
        } catch (InterruptedException e) {
            throw interrupted(machine.name());
        }
        try {
            return transport.connect(target(machine, user, limit.get()));
        } finally {
            handshakes.release();
        }
    }

    /** A machine as a transport reaches it. */
    NodeTransport.Target target(Machine machine, UserName user, Duration limit) {
        Optional<NodeName> gateway = provider.gateway(spec, machine.name());
        NodeTransport.Target target = new NodeTransport.Target(
                machine.name(),
                () -> endpoint(provider, cluster, machine, gateway),
                user,
                identity,
                machine.hostKey(),
                limit);
        return through(target, gateway).relayedBy(() -> provider.relay(cluster, machine));
    }

    /**
     * The place to dial for a machine: its own address where another one dials it, and otherwise the one that the provider gives.
     *
     * @param gateway the node that dials it; empty where this machine does
     */
    public static Endpoint endpoint(
            MachineProvider provider, ClusterId cluster, Machine machine, Optional<NodeName> gateway) {
        return gateway.isPresent()
                ? new Endpoint(machine.address().toString(), SSH)
                : provider.endpoint(cluster, machine);
    }

    private NodeTransport.Target through(NodeTransport.Target target, Optional<NodeName> gateway) {
        return gateway.map(name -> target.through(
                        () -> gateways.computeIfAbsent(name, this::gateway).session(target.node())))
                .orElse(target);
    }

    private Gateway gateway(NodeName name) {
        return new Gateway(
                name,
                machines,
                machine -> transport.connect(new NodeTransport.Target(
                        name,
                        () -> provider.endpoint(cluster, machine),
                        spec.login().user(),
                        identity,
                        machine.hostKey(),
                        CONNECT)));
    }

    private static void pause(NodeName node, Backoff pauses) {
        try {
            pauses.sleep();
        } catch (InterruptedException e) {
            throw interrupted(node);
        }
    }

    private static OperationInterruptedException interrupted(NodeName node) {
        return new OperationInterruptedException("interrupted while waiting for " + node);
    }

    /** A question to the provider. */
    private record StateQuery(Instant since, FutureTask<MachineState> answer) {
        /** By the clock, as a machine may have been started while this one slept. */
        boolean isFresh() {
            Duration age = Duration.between(since, WaitTime.CLOCK.instant());
            return !answer.isDone() || age.abs().compareTo(FRESH) < 0;
        }
    }
}
