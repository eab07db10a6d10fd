package io.clusterwright.core.internal.lifecycle;

import io.clusterwright.core.Cluster;
import io.clusterwright.core.ClusterEvent.NodePhase;
import io.clusterwright.core.ClusterSummary.ClusterPhase;
import io.clusterwright.core.NodeSession;
import io.clusterwright.core.ResourceId;
import io.clusterwright.core.internal.concurrent.Tasks;
import io.clusterwright.core.internal.planning.ImageRecipe;
import io.clusterwright.core.internal.session.FanOut;
import io.clusterwright.core.internal.session.Sessions;
import io.clusterwright.core.internal.session.SteadySession;
import io.clusterwright.core.internal.state.Journal;
import io.clusterwright.core.internal.state.TimeToLive;
import io.clusterwright.core.internal.text.Reason;
import io.clusterwright.core.plan.Step;
import io.clusterwright.core.spec.ClusterSpec;
import io.clusterwright.core.spec.HeadNode;
import io.clusterwright.core.spec.OperatingSystem;
import io.clusterwright.core.spi.Bootstrap;
import io.clusterwright.core.spi.ImageSource;
import io.clusterwright.core.spi.Machine;
import io.clusterwright.core.spi.MachineProvider;
import io.clusterwright.core.spi.MachineProvider.ImageClaim;
import io.clusterwright.core.spi.MachineProvider.MachineOutcome;
import io.clusterwright.core.spi.MachineProvider.MachineRequest;
import io.clusterwright.core.spi.MachineProvider.ResourceLog;
import io.clusterwright.core.spi.NodeBackend;
import io.clusterwright.core.type.ClusterId;
import io.clusterwright.core.type.ClusterwrightException;
import io.clusterwright.core.type.Ipv4Address;
import io.clusterwright.core.type.NodeName;
import io.clusterwright.core.type.Secret;
import io.clusterwright.core.type.SshPublicKey;
import io.clusterwright.core.type.UserName;
import io.clusterwright.core.type.VmSize;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Shared parts of one operation on a cluster, and the steps that several operations take: machines are made, proven and joined. */
public final class ClusterWork implements ResourceLog {
    /** The kind of a captured image that is not proven yet. */
    static final String IMAGE = "image";

    final ClusterSpec spec;
    final MachineProvider provider;
    final CapturedImages images;
    final NodeBackend backend;
    final Journal journal;
    final EventEmitter events;
    final ClusterKeys keys;
    final Sessions sessions;
    private final Set<ResourceId> made = new LinkedHashSet<>();
    private final Set<ResourceId> earlier;
    private volatile Optional<Instant> expires;
    private final Set<ResourceId> gone = new HashSet<>();
    private boolean begun;

    /**
     * Work on the cluster of a spec.
     *
     * @param earlier the resources that exist after earlier work
     * @param expires the end of the cluster's time to live; empty for none
     */
    ClusterWork(
            ClusterSpec spec,
            Set<ResourceId> earlier,
            Optional<Instant> expires,
            MachineProvider provider,
            CapturedImages images,
            NodeBackend backend,
            Journal journal,
            EventEmitter events,
            ClusterKeys keys,
            Sessions sessions) {
        this.spec = spec;
        this.earlier = Set.copyOf(earlier);
        this.expires = expires;
        this.provider = provider;
        this.images = images;
        this.backend = backend;
        this.journal = journal;
        this.events = events;
        this.keys = keys;
        this.sessions = sessions;
    }

    MachineRequest request(NodeName node, Ipv4Address address, ImageSource image) {
        List<String> loginKeys = new ArrayList<>();
        loginKeys.add(keys.login().publicKey().toString());
        spec.login().publicKeys().stream().map(SshPublicKey::toString).forEach(loginKeys::add);
        Secret password = spec.operatingSystem() == OperatingSystem.WINDOWS ? keys.password(spec) : null;
        Bootstrap bootstrap = new Bootstrap(node, spec.login().user(), loginKeys, keys.host(node), password);
        return new MachineRequest(node, address, size(node).orElse(VmSize.LOCAL), image, bootstrap);
    }

    private Optional<VmSize> size(NodeName machine) {
        return spec.isSeparateHead(machine)
                ? spec.headNode().flatMap(HeadNode::size)
                : spec.nodes().size();
    }

    /** These machines in the order in which they are started: a separate head node, through which the others are reached, and then those. */
    static List<List<Machine>> headFirst(ClusterSpec spec, Collection<Machine> machines) {
        Map<Boolean, List<Machine>> byRole =
                machines.stream().collect(Collectors.partitioningBy(machine -> spec.isSeparateHead(machine.name())));
        return Stream.of(byRole.get(true), byRole.get(false))
                .filter(batch -> !batch.isEmpty())
                .toList();
    }

    /** A cluster of these machines, which closes the sessions of this context. */
    public Cluster cluster(List<Machine> machines) {
        return sessions.cluster(spec, machines);
    }

    /**
     * Writes the spec to the journal, from where on the cluster is being changed.
     *
     * @param again whether the cluster has a record and none of its machines is kept: its time to live begins again
     */
    void begin(ClusterPhase phase, boolean again) {
        if (!begun) {
            Instant at = journal.began(spec, provider.name(), phase, again);
            expires = again ? TimeToLive.end(spec, at) : expires;
            begun = true;
        }
    }

    /** Whether the cluster is being changed. */
    boolean begun() {
        return begun;
    }

    /** Closes the sessions. */
    public void closeSessions() {
        sessions.close();
    }

    /** The session to a machine as the login user, for the commands of a step, which a lost connection does not end. */
    NodeSession steadySession(Machine machine, Consumer<String> progress) {
        return steadySession(machine, spec.login().user(), progress);
    }

    private NodeSession steadySession(Machine machine, UserName user, Consumer<String> progress) {
        if (spec.operatingSystem() != OperatingSystem.LINUX || provider.relays(spec)) {
            return sessions.session(machine, user);
        }
        return new SteadySession(sessions, backend, machine, user, spec.nodes().deadline(), progress);
    }

    /**
     * Does something over the session to a machine as the login user, and again over another one where the connection is lost.
     *
     * @param work what may be done twice
     */
    void steadily(Machine machine, Step step, Consumer<NodeSession> work) {
        NodeSession session = steadySession(machine, line -> events.progress(step, line));
        if (session instanceof SteadySession steady) {
            steady.steadily(open -> {
                work.accept(open);
                return open;
            });
        } else {
            work.accept(session);
        }
    }

    /** Makes one machine. */
    Machine make(MachineRequest request) {
        AtomicReference<@Nullable MachineOutcome> outcome = new AtomicReference<>();
        provider.createMachines(spec, List.of(request), this, outcome::set);
        MachineOutcome fate = outcome.get();
        if (fate instanceof MachineOutcome.Made made) {
            return made.machine();
        }
        if (fate instanceof MachineOutcome.Failed failed) {
            throw failed.cause();
        }
        throw new IllegalStateException("provider " + provider.name() + " did not answer for " + request.name());
    }

    /** Waits until a command ran on the machine over a session with its pinned host key. */
    void prove(Machine machine) {
        awaitReady(machine);
        events.node(machine.name(), NodePhase.READY, "");
    }

    /** Gives one machine the host list of all members. */
    void join(Machine machine, List<Machine> members) {
        NodeSession session = steadySession(machine, line -> events.progress(Step.JOIN, line));
        backend.join(session, spec, members, keys.trust());
        events.node(machine.name(), NodePhase.JOINED, "");
    }

    /** Gives all members the host list of all members. */
    void joinAll(List<Machine> members) {
        events.step(
                Step.JOIN,
                members.size() + " nodes",
                () -> requireNone(each("join", members, Machine::name, machine -> join(machine, members))));
    }

    /** Configures the scheduler of the spec, if any, with exactly these members. */
    void startScheduler(List<Machine> members) {
        if (ImageRecipe.installsSlurm(spec)) {
            events.step(Step.SCHEDULER, spec.scheduler() + " on " + members.size() + " nodes", () -> {
                Consumer<String> progress = line -> events.progress(Step.SCHEDULER, line);
                Cluster steady =
                        sessions.cluster(spec, members, (machine, user) -> steadySession(machine, user, progress));
                backend.startScheduler(steady, keys.trust(), progress);
            });
        }
    }

    /** Deletes a machine, and records it. */
    void delete(ResourceId resource) {
        provider.delete(cluster(), resource);
        deleted(resource);
    }

    /** Works on all items in parallel; returns the failures, by item. */
    static <T> Map<T, ClusterwrightException> each(
            String name, Collection<T> items, Function<T, Object> title, Consumer<T> work) {
        Map<T, ClusterwrightException> failures = new LinkedHashMap<>();
        List<Optional<ClusterwrightException>> outcomes = Tasks.each(
                name,
                FanOut.LIMIT,
                items,
                item -> {
                    work.accept(item);
                    return Optional.empty();
                },
                (item, cause) -> Optional.of(
                        cause instanceof ClusterwrightException known
                                ? known
                                : new ClusterwrightException(title.apply(item) + ": " + Reason.of(cause), cause)));
        int at = 0;
        for (T item : items) {
            outcomes.get(at++).ifPresent(failure -> failures.put(item, failure));
        }
        return failures;
    }

    /** Throws the first of the failures, with the others suppressed in it. */
    static void requireNone(Map<?, ClusterwrightException> failures) {
        Iterator<ClusterwrightException> all = failures.values().iterator();
        if (all.hasNext()) {
            ClusterwrightException first = all.next();
            all.forEachRemaining(each -> {
                if (each != first) {
                    first.addSuppressed(each);
                }
            });
            throw first;
        }
    }

    /** A captured image as a resource of the cluster that captures it, until it is proven. */
    static ResourceId image(String name) {
        return new ResourceId(IMAGE, name);
    }

    /** Becomes the only builder of an image, after others that build it already. */
    ImageClaim claim(String image) {
        String told = "";
        while (true) {
            ImageClaim claim =
                    provider.claimImage(cluster(), image, spec.region().orElse(""));
            String other = claim.builder().orElse("");
            if (other.isEmpty()) {
                return claim;
            }
            if (!other.equals(told)) {
                events.progress(Step.TEMPLATE, "waiting for image " + image + ": " + other + " builds it");
                told = other;
            }
            claim.awaitChange();
        }
    }

    /** Ends the claim on a proven image that earlier work on this cluster left when its process was killed. */
    void endEarlierClaim(String image) {
        if (earlier.contains(image(image))) {
            provider.claimImage(cluster(), image, "").close();
        }
    }

    /** Leaves a proven image to all clusters. */
    void kept(String image) {
        journal.kept(image(image));
        synchronized (made) {
            made.remove(image(image));
        }
    }

    @Override
    public ClusterId cluster() {
        return journal.cluster();
    }

    @Override
    public Optional<Instant> expires() {
        return expires;
    }

    @Override
    public void creating(ResourceId resource) {
        synchronized (made) {
            made.add(resource);
            // Providers announce what does not exist: others deleted the resource if earlier work made it.
            gone.add(resource);
        }
        journal.creating(resource);
    }

    @Override
    public void created(ResourceId resource) {
        journal.created(resource);
    }

    @Override
    public void deleted(ResourceId resource) {
        synchronized (made) {
            made.remove(resource);
            gone.add(resource);
        }
        journal.deleted(resource);
    }

    @Override
    public NodeSession awaitReady(Machine machine) {
        return sessions.awaitReady(machine, spec.login().user(), spec.nodes().deadline());
    }

    @Override
    public Optional<Machine> existing(NodeName node) {
        return sessions.machine(node);
    }

    /** The resources that this work announced and did not delete, in order of announcement. */
    public List<ResourceId> made() {
        synchronized (made) {
            return List.copyOf(made);
        }
    }

    /** The resources of earlier work that this work neither deleted nor found missing. */
    Set<ResourceId> kept() {
        synchronized (made) {
            Set<ResourceId> kept = new LinkedHashSet<>(earlier);
            kept.removeAll(gone);
            return kept;
        }
    }
}
