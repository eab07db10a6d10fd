package io.clusterwright.core;

import io.clusterwright.core.internal.concurrent.Uninterruptibles;
import io.clusterwright.core.internal.create.Creation;
import io.clusterwright.core.internal.create.CreationContext;
import io.clusterwright.core.internal.create.Emitter;
import io.clusterwright.core.internal.create.Joining;
import io.clusterwright.core.internal.create.Keys;
import io.clusterwright.core.internal.create.Planning;
import io.clusterwright.core.internal.create.Power;
import io.clusterwright.core.internal.create.Removal;
import io.clusterwright.core.internal.session.Sessions;
import io.clusterwright.core.internal.state.ClusterState;
import io.clusterwright.core.internal.state.Journal;
import io.clusterwright.core.plan.Plan;
import io.clusterwright.core.plan.PriceTable;
import io.clusterwright.core.plan.Step;
import io.clusterwright.core.spec.ClusterSpec;
import io.clusterwright.core.spec.OperatingSystem;
import io.clusterwright.core.spi.ClusterCheck;
import io.clusterwright.core.spi.Machine;
import io.clusterwright.core.spi.MachineProvider;
import io.clusterwright.core.spi.NodeBackend;
import io.clusterwright.core.spi.NodeTransport;
import io.clusterwright.core.type.ClusterName;
import io.clusterwright.core.type.ClusterwrightException;
import io.clusterwright.core.type.NodeName;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.ServiceLoader;

/**
 * Creates, finds and destroys clusters on one provider.
 *
 * <p>Safe for use by several threads; one process changes a given cluster at a time. Methods block; interrupting one stops
 * the work, cleans up as after a failure, sets the interrupt flag again and throws. Where the provider bills machines,
 * {@link #create} costs money until {@link #destroy}.
 */
public final class ClusterManager implements AutoCloseable {
    private final MachineProvider provider;
    private final StateStore store;
    private final Clock clock;

    private ClusterManager(MachineProvider provider, StateStore store, Clock clock) {
        this.provider = provider;
        this.store = store;
        this.clock = clock;
    }

    /** A manager on this provider, which it closes, and the {@linkplain FileStateStore#standard() standard} state store. */
    public static ClusterManager using(MachineProvider provider) {
        return using(provider, FileStateStore.standard());
    }

    /** A manager on this provider, which it closes, and this state store. */
    public static ClusterManager using(MachineProvider provider, StateStore store) {
        return new ClusterManager(provider, store, Clock.systemUTC());
    }

    /** Says what creating this cluster would do and what stands in its way. Touches nothing and costs nothing. */
    public Plan plan(ClusterSpec spec) {
        return Planning.plan(spec.forProvider(provider.name()), provider, exists(spec.name()), null);
    }

    /** As {@link #plan(ClusterSpec)}, with the price of the machines and what the spec's cost cap says to it. */
    public Plan plan(ClusterSpec spec, PriceTable prices) {
        return Planning.plan(spec.forProvider(provider.name()), provider, exists(spec.name()), prices);
    }

    /** Creates a cluster with the {@linkplain CreateOptions#DEFAULT default options}. */
    public Cluster create(Plan plan, ClusterListener listener) {
        return create(plan, CreateOptions.DEFAULT, listener);
    }

    /**
     * Creates a cluster, or makes an existing one of that name agree with the plan: nodes that are missing or dead are made, nodes
     * that are too many are deleted, what is in order is left alone.
     *
     * <p>Failed checks do not fail the creation: they are told to the listener.
     *
     * @return the cluster; the caller closes it
     * @throws PlanRefusedException when the plan has errors; nothing was made
     * @throws CreateFailedException when it did not work; what this call made has been deleted unless the options say otherwise
     */
    public Cluster create(Plan plan, CreateOptions options, ClusterListener listener) {
        Cluster cluster;
        try (Attempt attempt = begin(plan, listener)) {
            try {
                plan.findings().forEach(attempt.events::notice);
                List<Machine> machines = new Creation(attempt.work, attempt.before, options.freshImage()).run();
                cluster = attempt.work.cluster(machines);
                if (options.checks()) {
                    check(cluster, listener, true);
                }
                if (Thread.currentThread().isInterrupted()) {
                    throw new ClusterwrightException("interrupted");
                }
            } catch (RuntimeException | Error e) {
                boolean interrupted = Thread.interrupted();
                attempt.work.closeSessions();
                throw failed(e, attempt, options, attempt.before.isPresent(), interrupted);
            }
        }
        return cluster;
    }

    /**
     * Makes what a creation by this plan would use again and again: the base image with the distribution's updates, where the
     * provider keeps that apart. Everything else it needs for that is deleted before it returns. Does nothing when the base
     * exists, or when the plan wants no updates.
     *
     * @throws CreateFailedException when it did not work
     */
    public void prepare(Plan plan, ClusterListener listener) {
        Plan.ImagePlan image = plan.image();
        boolean updates = plan.steps().stream().anyMatch(step -> step.step() == Step.UPDATES);
        if (!updates || image.updatesExist() || exists(plan.spec().name())) {
            return;
        }
        try (Attempt attempt = begin(plan, listener)) {
            try {
                new Creation(attempt.work, Optional.empty(), false).prepare();
            } catch (RuntimeException | Error e) {
                boolean interrupted = Thread.interrupted();
                attempt.work.closeSessions();
                throw failed(e, attempt, CreateOptions.DEFAULT, false, interrupted);
            }
            attempt.work.closeSessions();
            Uninterruptibles.run(() -> {
                Removal.Outcome outcome = attempt.removal().remove(attempt.work.made(), true);
                if (outcome.left().isEmpty()) {
                    attempt.writer.forget();
                }
                return outcome;
            });
        }
    }

    /**
     * Makes a cluster have this many nodes: those that are missing are made from the cluster's image and join, those with the highest
     * numbers are deleted with their disks. The others are left alone and are told of it. Checks run as for {@link #create}. Where the
     * provider bills machines, each new one costs money from now on, and a deleted one no more.
     *
     * @param count 1 or more; a quorum that the spec names is lowered with it
     * @return the cluster; the caller closes it
     * @throws io.clusterwright.core.type.InvalidValueException when no cluster can have this many nodes
     * @throws PlanRefusedException when something stands in the way, such as the quota; nothing was changed
     * @throws CreateFailedException when it did not work; new nodes have been deleted, nodes that were to go may be gone
     * @throws ClusterwrightException when there is no such cluster, or it is stopped
     */
    public Cluster resize(ClusterName name, int count, ClusterListener listener) {
        ClusterState state = own(name);
        requireAwake(state);
        return create(Planning.plan(state.spec().withNodeCount(count), provider, true, null), listener);
    }

    /**
     * Stops all machines of a cluster at once; what runs on them ends. Disks, addresses, host keys and the cluster's record stay, and
     * {@link #start} brings the same nodes back. Stopping what is stopped does nothing.
     *
     * <p>Money: where the provider bills machines, their hardware is given back (on Azure they are deallocated), so that only disks,
     * public addresses, load balancers and images are billed until it is started or destroyed. A time to live goes on.
     *
     * @return the cluster as the record has it now
     * @throws ClusterwrightException when there is no such cluster, or some machine did not stop; calling it again goes on
     */
    public ClusterSummary stop(ClusterName name, ClusterListener listener) {
        own(name);
        try (StateStore.Writer writer = store.open(name)) {
            new Power(own(name), provider, new Journal(writer, clock), new Emitter(listener, clock)).stop();
            return ClusterSummary.of(own(name));
        }
    }

    /**
     * Brings the nodes of a stopped cluster back. Returns when each was proven with the host key that it had before and knows the
     * others, and the checks ran that {@link #create} runs, which are told to the listener. Starting what runs proves it again.
     *
     * <p>Money: where the provider bills machines, they are billed from now on, also when this fails: {@link #stop} or
     * {@link #destroy} ends that. A cloud that gave the hardware to somebody else may have none.
     *
     * @return the cluster; the caller closes it
     * @throws ClusterwrightException when there is no such cluster, or some node did not become ready; the others run
     */
    public Cluster start(ClusterName name, ClusterListener listener) {
        own(name);
        try (StateStore.Writer writer = store.open(name)) {
            ClusterState state = own(name);
            NodeBackend backend = backend(state.spec().operatingSystem());
            Keys keys = new Keys(name, store.secrets(name), backend);
            Sessions sessions = sessions(state.spec(), backend, keys);
            try {
                Emitter events = new Emitter(listener, clock);
                Joining joining = new Joining(state.spec(), backend, sessions, keys, events);
                List<Machine> machines = new Power(state, provider, new Journal(writer, clock), events).start(joining);
                Cluster cluster = sessions.cluster(state.spec(), machines);
                check(cluster, listener, true);
                return cluster;
            } catch (RuntimeException | Error e) {
                sessions.close();
                throw e;
            }
        }
    }

    /** Runs the checks that the cluster's spec asks for and that take seconds: those that {@link #create} runs as well. */
    public List<CheckReport> prove(Cluster cluster, ClusterListener listener) {
        return check(cluster, listener, true);
    }

    /** Runs all checks that the cluster's spec asks for. */
    public List<CheckReport> verify(Cluster cluster, ClusterListener listener) {
        return check(cluster, listener, false);
    }

    /**
     * A cluster that was created before, by this process or another.
     *
     * @return the cluster; the caller closes it
     * @throws ClusterwrightException when there is no such cluster, listing those there are, or it is stopped
     */
    public Cluster open(ClusterName name) {
        ClusterState state = own(name);
        requireAwake(state);
        NodeBackend backend = backend(state.spec().operatingSystem());
        Keys keys = new Keys(name, store.secrets(name), backend);
        Sessions sessions = sessions(state.spec(), backend, keys);
        return sessions.cluster(state.spec(), state.machines().values());
    }

    /** The clusters of this provider that the state store knows, by name. */
    public List<ClusterSummary> list() {
        return ClusterSummary.all(store).stream()
                .filter(cluster -> cluster.provider().equals(provider.name()))
                .toList();
    }

    /** The states of a cluster's machines as the provider sees them now, by node; empty when there is no such cluster. */
    public Map<NodeName, MachineState> states(ClusterName name) {
        Map<NodeName, MachineState> states = new LinkedHashMap<>();
        state(name)
                .ifPresent(state -> state.machines()
                        .values()
                        .forEach(machine -> states.put(machine.name(), provider.state(name, machine))));
        return states;
    }

    /**
     * Deletes a cluster: what its journal names, the latest first, and then whatever carries its mark, which is all there is to go by
     * when the journal cannot be read. Captured images stay. Destroying what is not there does nothing. An interrupt does not cut it
     * short; the flag is set when it returns.
     */
    public DestroyReport destroy(ClusterName name, ClusterListener listener) {
        return Uninterruptibles.run(() -> {
            boolean known = exists(name);
            if (!known && provider.remaining(name).isEmpty()) {
                return new DestroyReport(name, false, List.of(), Map.of());
            }
            Emitter events = new Emitter(listener, clock);
            return events.step(Step.DESTROY, "cluster " + name, () -> destroyKnown(name, events));
        });
    }

    private DestroyReport destroyKnown(ClusterName name, Emitter events) {
        try (StateStore.Writer writer = store.open(name)) {
            Optional<ClusterState> state = provider.remaining(name).isEmpty() ? state(name) : readableState(name);
            state.ifPresent(this::requireOwn);
            List<ResourceId> announced =
                    state.map(found -> List.copyOf(found.resources())).orElse(List.of());
            List<Machine> machines =
                    state.map(found -> List.copyOf(found.machines().values())).orElse(List.of());
            Removal removal = new Removal(name, provider, new Journal(writer, clock), events, machines);
            Removal.Outcome outcome = removal.remove(announced, true);
            if (outcome.left().isEmpty()) {
                writer.forget();
            }
            return new DestroyReport(name, true, outcome.deleted(), outcome.left());
        }
    }

    /** Empty also when the journal is damaged: what carries the cluster's mark on this provider is enough to delete it by. */
    private Optional<ClusterState> readableState(ClusterName name) {
        try {
            return state(name);
        } catch (ClusterwrightException e) {
            return Optional.empty();
        }
    }

    /** The images captured on this provider, newest first. */
    public List<StoredImage> images() {
        return provider.images();
    }

    /** Deletes all images captured on this provider; running clusters are not harmed. */
    public List<StoredImage> pruneImages() {
        List<StoredImage> images = provider.images();
        images.forEach(image -> provider.deleteImage(image.name()));
        return images;
    }

    /** Closes the provider; clusters run on. */
    @Override
    public void close() {
        provider.close();
    }

    private Attempt begin(Plan plan, ClusterListener listener) {
        if (!plan.feasible() || plan.offline()) {
            throw new PlanRefusedException(plan);
        }
        ClusterSpec spec = plan.spec();
        NodeBackend backend = backend(spec.operatingSystem());
        Emitter events = new Emitter(listener, clock);
        StateStore.Writer writer = store.open(spec.name());
        try {
            Optional<ClusterState> before = state(spec.name());
            before.ifPresent(this::requireOwn);
            Journal journal = new Journal(writer, clock);
            journal.began(spec, provider.name());
            Keys keys = new Keys(spec.name(), store.secrets(spec.name()), backend);
            Sessions sessions = sessions(spec, backend, keys);
            return new Attempt(
                    before,
                    writer,
                    journal,
                    events,
                    new CreationContext(plan, provider, backend, journal, events, keys, sessions));
        } catch (RuntimeException | Error e) {
            writer.close();
            throw e;
        }
    }

    private ClusterwrightException failed(
            Throwable cause, Attempt attempt, CreateOptions options, boolean existed, boolean interrupted) {
        String name = attempt.work.spec().name().toString();
        String reason = interrupted ? "interrupted" : String.valueOf(cause.getMessage());
        try {
            attempt.journal.failed(reason);
            if (options.keepOnFailure()) {
                return new CreateFailedException(
                        "cluster " + name + " was not created: " + reason
                                + "; what was made is kept: look at it, then destroy it",
                        cause,
                        attempt.work.made());
            }
            Removal.Outcome outcome = Uninterruptibles.run(() -> rollBack(attempt, existed));
            String rolledBack = outcome.left().isEmpty()
                    ? "; everything made for it was deleted"
                    : "; could not be deleted: " + outcome.left() + ": destroy the cluster to try again";
            return new CreateFailedException(
                    "cluster " + name + " was not created: " + reason + rolledBack,
                    cause,
                    List.copyOf(outcome.left().keySet()));
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private static Removal.Outcome rollBack(Attempt attempt, boolean existed) {
        Removal.Outcome outcome = attempt.events.step(
                Step.DESTROY, "roll back", () -> attempt.removal().remove(attempt.work.made(), !existed));
        if (outcome.left().isEmpty() && !existed) {
            attempt.writer.forget();
        }
        return outcome;
    }

    private List<CheckReport> check(Cluster cluster, ClusterListener listener, boolean createOnly) {
        Emitter events = new Emitter(listener, clock);
        List<ClusterCheck> checks = ServiceLoader.load(ClusterCheck.class).stream()
                .map(ServiceLoader.Provider::get)
                .filter(check -> check.wanted(cluster.spec()) && (check.partOfCreate() || !createOnly))
                .sorted((a, b) -> Integer.compare(a.order(), b.order()))
                .toList();
        List<CheckReport> reports = new ArrayList<>();
        for (ClusterCheck check : checks) {
            Instant start = clock.instant();
            CheckReport report = check.run(cluster, line -> events.progress(Step.CHECK, line));
            events.checked(report, Duration.between(start, clock.instant()));
            reports.add(report);
        }
        return reports;
    }

    private boolean exists(ClusterName name) {
        return !store.read(name).isEmpty();
    }

    private Optional<ClusterState> state(ClusterName name) {
        List<String> entries = store.read(name);
        return entries.isEmpty() ? Optional.empty() : Optional.of(ClusterState.replay(name, entries));
    }

    /** A cluster of this provider that has machines. */
    private ClusterState own(ClusterName name) {
        ClusterState state = state(name).orElseThrow(() -> unknown(name));
        requireOwn(state);
        if (state.machines().isEmpty()) {
            throw new ClusterwrightException("cluster " + name + " has no machines: its creation did not get that far; "
                    + "create it again to go on, or destroy it");
        }
        return state;
    }

    private static void requireAwake(ClusterState state) {
        if (state.phase().asleep()) {
            throw new ClusterwrightException("cluster " + state.spec().name() + " is "
                    + state.phase().name().toLowerCase(java.util.Locale.ROOT)
                    + ", so its nodes cannot be reached; start it first");
        }
    }

    private void requireOwn(ClusterState state) {
        if (!state.provider().equals(provider.name())) {
            throw new ClusterwrightException("cluster " + state.spec().name() + " was made on " + state.provider()
                    + ", not on " + provider.name() + "; name that provider");
        }
    }

    private ClusterwrightException unknown(ClusterName name) {
        List<String> names =
                list().stream().map(summary -> summary.name().value()).toList();
        String known = names.isEmpty() ? "there is none; create one first" : "there is " + String.join(", ", names);
        return new ClusterwrightException("no cluster is named " + name + ": " + known);
    }

    private Sessions sessions(ClusterSpec spec, NodeBackend backend, Keys keys) {
        NodeTransport transport = provider.relays(spec) ? backend.openRelayTransport() : backend.openTransport();
        return new Sessions(spec.name(), provider, transport, keys.login());
    }

    private static NodeBackend backend(OperatingSystem system) {
        return ServiceLoader.load(NodeBackend.class).stream()
                .map(ServiceLoader.Provider::get)
                .filter(backend -> backend.operatingSystem() == system)
                .findFirst()
                .orElseThrow(() -> new ClusterwrightException("nothing here knows " + system
                        + " nodes; add clusterwright-" + system.name().toLowerCase(java.util.Locale.ROOT)
                        + " to the class path or module path"));
    }

    /** One try at making something of a plan, holding the cluster's record. */
    private final class Attempt implements AutoCloseable {
        private final Optional<ClusterState> before;
        private final StateStore.Writer writer;
        private final Journal journal;
        private final Emitter events;
        private final CreationContext work;

        Attempt(
                Optional<ClusterState> before,
                StateStore.Writer writer,
                Journal journal,
                Emitter events,
                CreationContext work) {
            this.before = before;
            this.writer = writer;
            this.journal = journal;
            this.events = events;
            this.work = work;
        }

        Removal removal() {
            return new Removal(work.spec().name(), provider, work, events, List.of());
        }

        @Override
        public void close() {
            writer.close();
        }
    }
}
