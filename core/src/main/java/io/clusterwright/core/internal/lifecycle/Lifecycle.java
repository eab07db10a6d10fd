package io.clusterwright.core.internal.lifecycle;

import io.clusterwright.core.CheckReport;
import io.clusterwright.core.Cluster;
import io.clusterwright.core.ClusterDescription;
import io.clusterwright.core.ClusterListener;
import io.clusterwright.core.ClusterSummary;
import io.clusterwright.core.ClusterSummary.ClusterPhase;
import io.clusterwright.core.CreateOptions;
import io.clusterwright.core.DestroyReport;
import io.clusterwright.core.MachineState;
import io.clusterwright.core.Machines;
import io.clusterwright.core.ResourceId;
import io.clusterwright.core.SpecRefusedException;
import io.clusterwright.core.SshAccess;
import io.clusterwright.core.StateStore;
import io.clusterwright.core.StoredImage;
import io.clusterwright.core.internal.concurrent.Tasks;
import io.clusterwright.core.internal.concurrent.WaitTime;
import io.clusterwright.core.internal.planning.ComputedPlan;
import io.clusterwright.core.internal.planning.ImageRecipe;
import io.clusterwright.core.internal.planning.NodePlan;
import io.clusterwright.core.internal.planning.Planning;
import io.clusterwright.core.internal.service.Services;
import io.clusterwright.core.internal.session.Sessions;
import io.clusterwright.core.internal.state.ClusterRecords;
import io.clusterwright.core.internal.state.ClusterState;
import io.clusterwright.core.internal.state.Journal;
import io.clusterwright.core.internal.state.TimeToLive;
import io.clusterwright.core.plan.Plan;
import io.clusterwright.core.plan.PriceTable;
import io.clusterwright.core.plan.Step;
import io.clusterwright.core.spec.ClusterSpec;
import io.clusterwright.core.spi.ClusterCheck;
import io.clusterwright.core.spi.Machine;
import io.clusterwright.core.spi.MachineProvider;
import io.clusterwright.core.spi.NodeBackend;
import io.clusterwright.core.spi.NodeTransport;
import io.clusterwright.core.spi.ProviderMachines;
import io.clusterwright.core.type.ClusterId;
import io.clusterwright.core.type.ClusterName;
import io.clusterwright.core.type.ClusterwrightException;
import io.clusterwright.core.type.InvalidValueException;
import io.clusterwright.core.type.NodeName;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** The operations of a cluster manager. Safe for use by several threads. */
public final class Lifecycle implements AutoCloseable {
    /** The longest time that an operation that was cancelled gets for its rollback. */
    public static final Duration LONGEST_END = Duration.ofMinutes(2);

    private final ProviderMachines machines;
    private final ClusterRecords records;
    private final Clock clock;
    private @Nullable MachineProvider opened;
    private boolean closed;

    /**
     * The operations on these machines, whose provider is opened when it is first needed.
     *
     * @throws InvalidValueException when no provider stands behind the machines
     */
    public Lifecycle(Machines machines, StateStore store, Clock clock) {
        if (!(machines instanceof ProviderMachines known)) {
            throw InvalidValueException.of(
                    machines.getClass().getName() + " is not made by a provider",
                    "use the machines of a provider's module (example: LocalMachines.create())");
        }
        this.machines = known;
        this.records = new ClusterRecords(store, known.name());
        this.clock = clock;
    }

    /** The records of the provider's clusters. */
    public ClusterRecords records() {
        return records;
    }

    private synchronized MachineProvider provider() {
        if (closed) {
            throw new IllegalStateException("the cluster manager is closed");
        }
        if (opened == null) {
            opened = machines.open();
        }
        return opened;
    }

    /** The plan of a spec. */
    public ComputedPlan plan(ClusterSpec spec, @Nullable PriceTable prices) {
        return Planning.plan(spec, provider(), records.exists(spec.name()), prices);
    }

    /** Carries out a plan of this manager. */
    public Cluster create(Plan given, CreateOptions options) {
        return create(notCreated(given), given, options, false, (id, cluster) -> cluster);
    }

    /** As {@link #create}, but refuses the name of a cluster that has a record. */
    public <T> T createNew(Plan given, CreateOptions options, BiFunction<ClusterId, Cluster, T> result) {
        return create(notCreated(given), given, options, true, result);
    }

    private static String notCreated(Plan given) {
        return "cluster " + given.spec().name() + " was not created";
    }

    private <T> T create(
            String failure,
            Plan given,
            CreateOptions options,
            boolean onlyNew,
            BiFunction<ClusterId, Cluster, T> result) {
        requireFeasible(given, "cluster " + given.spec().name() + " cannot be created on " + given.provider());
        ComputedPlan plan = queried(given);
        return attempt(failure, plan, options, ClusterPhase.CREATING, name -> {
                    if (onlyNew) {
                        records.requireNew(name, failure);
                    }
                })
                .run((context, before) -> {
                    plan.findings().forEach(context.events::notice);
                    Cluster cluster =
                            context.cluster(new ClusterCreation(context, plan.image(), before, options).run());
                    if (options.runsChecks()) {
                        verifyQuickly(cluster, context.events);
                    }
                    if (before.isEmpty()) {
                        ClusterLog.created(
                                plan.spec().name(),
                                machines.name(),
                                cluster.nodes().size(),
                                context.expires());
                    } else {
                        ClusterLog.changed(plan.spec().name(), cluster.nodes().size());
                    }
                    return result.apply(context.cluster(), cluster);
                });
    }

    /** Builds the image of a spec without a cluster. */
    public StoredImage buildImage(ClusterSpec spec, CreateOptions options) {
        ComputedPlan plan = plan(spec, null);
        requireFeasible(plan, "the image of " + plan.spec().name() + " cannot be built on " + plan.provider());
        ComputedPlan.ImagePlan image = plan.image();
        if (!image.capture()) {
            throw InvalidValueException.of("image build needs image.capture: true", "write image: {capture: true}");
        }
        String failure = "the image of " + plan.spec().name() + " was not built";
        endBrokenBuild(plan.spec().name(), failure, options);
        if (!image.exists() || options.buildsFreshImage()) {
            withoutCluster(
                    failure,
                    plan,
                    options,
                    context -> new ImageBuild(context, plan.image(), NodePlan.of(context.spec))
                            .build(options.buildsFreshImage()));
        }
        return images().find(image.name())
                .orElseThrow(() -> new ClusterwrightException("image " + image.name() + " was built on "
                        + plan.provider() + " and deleted later; run image build again"));
    }

    /** Builds the updated base of a spec; empty when it has none. */
    public Optional<StoredImage> buildUpdatedBase(ClusterSpec spec, CreateOptions options) {
        String failure = "the updated base of " + spec.name() + " was not built";
        endBrokenBuild(spec.name(), failure, options);
        ComputedPlan plan = plan(spec, null);
        requireFeasible(plan, "the updated base of " + plan.spec().name() + " cannot be built on " + plan.provider());
        if (!ImageRecipe.installsUpdates(plan.spec())
                || !plan.image().capture()
                || !plan.image().updatesApart()
                || records.exists(plan.spec().name())) {
            return Optional.empty();
        }
        if (!plan.image().updatesExist()) {
            withoutCluster(
                    failure,
                    plan,
                    options,
                    context -> new ImageBuild(context, plan.image(), NodePlan.of(context.spec)).buildUpdatedBase());
        }
        return images().find(plan.image().updatesName());
    }

    /** Deletes what the building of an image left when its process died. */
    private void endBrokenBuild(ClusterName name, String failure, CreateOptions options) {
        Optional<ClusterState> broken = records.find(name).filter(state -> state.phase() == ClusterPhase.BUILDING);
        if (broken.isEmpty()) {
            return;
        }
        // By its id: another process may have ended it meanwhile and made a cluster of that name.
        DestroyReport report = destroy(broken.get().id(), options.listener());
        if (!report.left().isEmpty()) {
            throw new ClusterwrightException(
                    failure + ": an earlier attempt left resources that could not be deleted: " + report.left());
        }
    }

    private void withoutCluster(String failure, ComputedPlan plan, CreateOptions options, Consumer<ClusterWork> build) {
        requireNoCluster(failure, plan.spec().name());
        attempt(failure, plan, options, ClusterPhase.BUILDING, name -> requireNoCluster(failure, name))
                .runAndRemove(context -> {
                    provider().createNetwork(context.spec, context);
                    build.accept(context);
                });
    }

    private void requireNoCluster(String failure, ClusterName name) {
        if (records.exists(name)) {
            throw new ClusterwrightException(failure + ": cluster " + name
                    + " already exists; run: clusterwright destroy " + name
                    + " (ClusterManager.destroy), or give the spec another name");
        }
    }

    /** While another process makes the cluster, an error of the plan is often only that its parts exist: the process is named then. */
    private void requireFeasible(Plan plan, String refusal) {
        if (!plan.isFeasible()) {
            ClusterName name = plan.spec().name();
            if (records.store().clusters().contains(name)) {
                try (StateStore.Writer writer = records.store().open(name)) {
                    if (records.store().read(name).isEmpty()) {
                        writer.forget();
                    }
                }
            }
            throw new SpecRefusedException(refusal, plan.findings());
        }
    }

    private static ComputedPlan queried(Plan plan) {
        if (plan instanceof ComputedPlan known && !known.offline()) {
            return known;
        }
        throw InvalidValueException.of(
                "the plan of " + plan.spec().name() + " is an offline plan, so it cannot be carried out",
                "use a plan of ClusterManager.plan");
    }

    /** Changes the number of nodes. */
    public Cluster resize(ClusterName name, int count, CreateOptions options) {
        ClusterState state = records.withMachines(name);
        ClusterRecords.requireAwake(state);
        return create(
                "cluster " + name + " was not resized to " + count + " nodes",
                Planning.plan(state.spec().withNodeCount(count), provider(), true, null),
                options,
                false,
                (id, cluster) -> cluster);
    }

    /** Stops the machines. */
    public ClusterSummary stop(ClusterName name, ClusterListener listener) {
        records.withMachines(name);
        try (StateStore.Writer writer = records.store().open(name);
                EventEmitter events = emitter(listener)) {
            // Read again: another process may have changed the record before this one got it.
            ClusterState state = records.withMachines(name);
            ClusterPower.stop(state, provider(), new Journal(state.id(), writer, clock), events);
            ClusterLog.stopped(name);
            return records.withMachines(name);
        }
    }

    /** Starts the machines again. */
    public Cluster start(ClusterName name, ClusterListener listener) {
        records.withMachines(name);
        try (StateStore.Writer writer = records.store().open(name);
                EventEmitter events = emitter(listener)) {
            ClusterState state = records.withMachines(name);
            ClusterWork work = work(state.id(), state.spec(), Optional.of(state), writer, events);
            try {
                Cluster cluster = work.cluster(ClusterPower.start(state, work));
                ClusterLog.started(name);
                verifyQuickly(cluster, events);
                return cluster;
            } catch (RuntimeException | Error e) {
                work.closeSessions();
                throw e;
            }
        }
    }

    /** Runs all checks that the spec asks for. */
    public List<CheckReport> verify(Cluster cluster, ClusterListener listener) {
        return reporting(listener, events -> verify(cluster, events, check -> true));
    }

    /** Runs the checks that the spec asks for and that take seconds. */
    public List<CheckReport> verifyQuickly(Cluster cluster, ClusterListener listener) {
        return reporting(listener, events -> verifyQuickly(cluster, events));
    }

    private List<CheckReport> verifyQuickly(Cluster cluster, EventEmitter events) {
        return verify(cluster, events, ClusterCheck::partOfCreate);
    }

    private List<CheckReport> verify(Cluster cluster, EventEmitter events, Predicate<ClusterCheck> fit) {
        List<ClusterCheck> checks = Services.of(ClusterCheck.class).stream()
                .filter(check -> check.wantedOn(cluster) && fit.test(check))
                .sorted((a, b) -> Integer.compare(a.order(), b.order()))
                .toList();
        List<CheckReport> reports = new ArrayList<>();
        SteadyCheck steady = new SteadyCheck(cluster);
        for (ClusterCheck check : checks) {
            long beginNanos = WaitTime.nanos();
            CheckReport report = steady.run(check, line -> events.progress(Step.CHECK, line));
            events.checked(report, Duration.ofNanos(WaitTime.nanos() - beginNanos));
            reports.add(report);
        }
        PastChecks.keep(records.store(), cluster.name(), clock.instant(), reports);
        return reports;
    }

    /** A cluster that exists. */
    public Cluster open(ClusterName name) {
        ClusterState state = records.withMachines(name);
        ClusterRecords.requireAwake(state);
        return cluster(
                state,
                NodeBackend.of(state.spec().operatingSystem()),
                state.machines().values());
    }

    /** A cluster of machines of a record; its sessions are opened when they are needed. */
    private Cluster cluster(ClusterState state, NodeBackend backend, Collection<Machine> machines) {
        ClusterKeys keys = new ClusterKeys(state.name(), records.store().secrets(state.name()), backend);
        return sessions(state.id(), state.spec(), backend, keys, machines).cluster(state.spec(), machines);
    }

    /** A cluster as it is now, with the last lines of the logs of some nodes. */
    public ClusterDescription describe(ClusterName name, Collection<NodeName> withLogs, int lines) {
        ClusterState state = records.withAnyMachines(name);
        NodeBackend backend = NodeBackend.of(state.spec().operatingSystem());
        try (Cluster cluster = cluster(state, backend, state.allMachines())) {
            withLogs.forEach(cluster::node);
            return DescriptionReader.of(
                    state, cluster, provider(), backend, records.store(), Set.copyOf(withLogs), lines);
        }
    }

    /** The way of an SSH client to the nodes of a cluster. */
    public SshAccess sshAccess(ClusterName name) {
        ClusterState state = records.withAnyMachines(name);
        ClusterRecords.requireAwake(state);
        return AccessRoutes.of(state, provider(), records.store().secrets(name));
    }

    /** The states of a cluster's machines now. */
    public Map<NodeName, MachineState> states(ClusterName name) {
        Map<NodeName, MachineState> states = new LinkedHashMap<>();
        records.find(name)
                .ifPresent(state -> state.machines()
                        .values()
                        .forEach(
                                machine -> states.put(machine.name(), provider().state(state.id(), machine))));
        return states;
    }

    /** Deletes a cluster, with what others put into its resources where {@code withContents} says so. */
    public DestroyReport destroy(ClusterName name, boolean withContents, ClusterListener listener) {
        return destroy(name, id -> true, withContents, listener);
    }

    /** Deletes a cluster, and does nothing when its name belongs to another cluster now. */
    public DestroyReport destroy(ClusterId id, ClusterListener listener) {
        return destroy(id.name(), id::equals, false, listener);
    }

    private DestroyReport destroy(
            ClusterName name, Predicate<ClusterId> wanted, boolean withContents, ClusterListener listener) {
        DestroyReport report = Tasks.uninterruptibly(() -> reporting(
                listener,
                events -> new ClusterDestruction(records, provider(), clock, events)
                        .destroy(name, wanted, withContents)));
        ClusterLog.destroyed(name, report);
        return report;
    }

    /** The clusters at the provider that the state store has no whole record of. */
    public ClusterAdoption adoption() {
        return new ClusterAdoption(records, provider(), clock);
    }

    /** The captured images. */
    public CapturedImages images() {
        return new CapturedImages(records, provider(), clock);
    }

    /** Closes the provider, if it was opened. */
    @Override
    public synchronized void close() {
        if (!closed && opened != null) {
            machines.close(opened);
        }
        closed = true;
    }

    /**
     * Begins an operation.
     *
     * @param condition refuses a name; asked while this process holds the record, which no other one can change then
     */
    private PlanExecution attempt(
            String failure,
            ComputedPlan plan,
            CreateOptions options,
            ClusterPhase phase,
            Consumer<ClusterName> condition) {
        ClusterSpec spec = plan.spec();
        StateStore.Writer writer = records.store().open(spec.name());
        boolean fresh = false;
        try {
            condition.accept(spec.name());
            Optional<ClusterState> before = records.find(spec.name());
            before.ifPresent(records::requireOwn);
            fresh = before.isEmpty();
            if (fresh) {
                records.requireUnmarked(provider().marked(spec.name()), failure);
            }
            ClusterId id = before.map(ClusterState::id).orElseGet(() -> ClusterId.random(spec.name()));
            ClusterWork work = work(id, spec, before, writer, emitter(options.listener()));
            if (fresh) {
                work.begin(phase, false);
            }
            return new PlanExecution(failure, work, before, writer, options);
        } catch (RuntimeException | Error e) {
            if (fresh) {
                forget(writer, e);
            }
            writer.close();
            throw e;
        }
    }

    /** Forgets a record for which nothing was made. */
    static void forget(StateStore.Writer writer, Throwable failure) {
        try {
            writer.forget();
        } catch (RuntimeException e) {
            failure.addSuppressed(e);
        }
    }

    private ClusterWork work(
            ClusterId id,
            ClusterSpec spec,
            Optional<ClusterState> before,
            StateStore.Writer writer,
            EventEmitter events) {
        NodeBackend backend = NodeBackend.of(spec.operatingSystem());
        ClusterKeys keys = new ClusterKeys(spec.name(), records.store().secrets(spec.name()), backend);
        Journal journal = new Journal(id, writer, clock);
        Set<ResourceId> earlier = before.map(ClusterState::resources).orElse(Set.of());
        Collection<Machine> machines =
                before.map(state -> state.machines().values()).orElse(List.of());
        Instant since = before.map(ClusterState::since).orElseGet(clock::instant);
        return new ClusterWork(
                spec,
                earlier,
                TimeToLive.end(spec, since),
                provider(),
                images(),
                backend,
                journal,
                events,
                keys,
                sessions(id, spec, backend, keys, machines));
    }

    /** Does an operation whose events end at this listener. */
    public <T> T reporting(ClusterListener listener, Function<EventEmitter, T> operation) {
        try (EventEmitter events = emitter(listener)) {
            return operation.apply(events);
        }
    }

    /** The events of an operation, which end at this listener; closed at the end of the operation. */
    private EventEmitter emitter(ClusterListener listener) {
        EventEmitter events = new EventEmitter(listener, clock);
        provider().onNotice(events::notice);
        return events;
    }

    private Sessions sessions(
            ClusterId id, ClusterSpec spec, NodeBackend backend, ClusterKeys keys, Collection<Machine> known) {
        MachineProvider provider = provider();
        NodeTransport transport = provider.relays(spec) ? backend.openRelayTransport() : backend.openTransport();
        return new Sessions(id, spec, provider, transport, keys.login(), known);
    }
}
