package io.clusterwright.core.internal.lifecycle;

import io.clusterwright.core.Cluster;
import io.clusterwright.core.ResourceId;
import io.clusterwright.core.internal.session.Sessions;
import io.clusterwright.core.internal.state.Journal;
import io.clusterwright.core.internal.planning.PlanData;
import io.clusterwright.core.spec.ClusterSpec;
import io.clusterwright.core.spec.OperatingSystem;
import io.clusterwright.core.spi.Bootstrap;
import io.clusterwright.core.spi.ImageSource;
import io.clusterwright.core.spi.Machine;
import io.clusterwright.core.spi.MachineProvider;
import io.clusterwright.core.spi.MachineProvider.MachineOutcome;
import io.clusterwright.core.spi.MachineProvider.MachineRequest;
import io.clusterwright.core.spi.MachineProvider.ResourceLog;
import io.clusterwright.core.spi.NodeBackend;
import io.clusterwright.core.type.Ipv4Address;
import io.clusterwright.core.type.NodeName;
import io.clusterwright.core.type.Secret;
import io.clusterwright.core.type.SshPublicKey;
import io.clusterwright.core.type.VmSize;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** Shared parts of the steps of one creation. */
public final class CreationContext implements ResourceLog {
    final PlanData plan;
    final MachineProvider provider;
    final NodeBackend backend;
    final Journal journal;
    final Emitter events;
    final Keys keys;
    final Sessions sessions;
    private final Set<ResourceId> made = new LinkedHashSet<>();

    /** The context of carrying out a plan. */
    public CreationContext(
            PlanData plan,
            MachineProvider provider,
            NodeBackend backend,
            Journal journal,
            Emitter events,
            Keys keys,
            Sessions sessions) {
        this.plan = plan;
        this.provider = provider;
        this.backend = backend;
        this.journal = journal;
        this.events = events;
        this.keys = keys;
        this.sessions = sessions;
    }

    /** The description that is carried out. */
    public ClusterSpec spec() {
        return plan.spec();
    }

    Joining joining() {
        return new Joining(spec(), backend, sessions, keys, events);
    }

    MachineRequest request(NodeName node, Ipv4Address address, ImageSource image) {
        List<String> loginKeys = new ArrayList<>();
        loginKeys.add(keys.login().publicKey().toString());
        spec().login().publicKeys().stream().map(SshPublicKey::toString).forEach(loginKeys::add);
        Secret password = spec().operatingSystem() == OperatingSystem.WINDOWS ? keys.password(spec()) : null;
        Bootstrap bootstrap = new Bootstrap(node, spec().login().user(), loginKeys, keys.host(node), password);
        return new MachineRequest(node, address, spec().nodes().size().orElse(VmSize.LOCAL), image, bootstrap);
    }

    /** A cluster of these machines, which closes the sessions of this context. */
    public Cluster cluster(List<Machine> machines) {
        return sessions.cluster(spec(), machines);
    }

    /** Closes the sessions. */
    public void closeSessions() {
        sessions.close();
    }

    /** Makes one machine. */
    Machine make(MachineRequest request) {
        AtomicReference<@Nullable MachineOutcome> outcome = new AtomicReference<>();
        provider.createMachines(spec(), List.of(request), this, outcome::set);
        MachineOutcome fate = outcome.get();
        if (fate instanceof MachineOutcome.Made made) {
            return made.machine();
        }
        if (fate instanceof MachineOutcome.Failed failed) {
            throw failed.cause();
        }
        throw new IllegalStateException("provider " + provider.name() + " did not answer for " + request.name());
    }

    @Override
    public void creating(ResourceId resource) {
        synchronized (made) {
            made.add(resource);
        }
        journal.creating(resource);
    }

    @Override
    public void created(ResourceId resource) {
        journal.created(resource);
    }

    @Override
    public void deleted(ResourceId resource) {
        journal.deleted(resource);
        synchronized (made) {
            made.remove(resource);
        }
    }

    /** The resources that were announced and not deleted, in order of announcement. */
    public List<ResourceId> made() {
        synchronized (made) {
            return List.copyOf(made);
        }
    }
}
