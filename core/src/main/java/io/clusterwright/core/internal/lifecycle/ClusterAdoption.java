package io.clusterwright.core.internal.lifecycle;

import io.clusterwright.core.ClusterSummary;
import io.clusterwright.core.ClusterSummary.ClusterPhase;
import io.clusterwright.core.DestroyReport;
import io.clusterwright.core.MachineState;
import io.clusterwright.core.MarkedCluster;
import io.clusterwright.core.ResourceId;
import io.clusterwright.core.StateStore;
import io.clusterwright.core.StateStore.SecretStore;
import io.clusterwright.core.internal.concurrent.Tasks;
import io.clusterwright.core.internal.planning.NodePlan;
import io.clusterwright.core.internal.state.ClusterRecord;
import io.clusterwright.core.internal.state.ClusterRecords;
import io.clusterwright.core.internal.state.Journal;
import io.clusterwright.core.plan.Finding;
import io.clusterwright.core.plan.Severity;
import io.clusterwright.core.plan.Step;
import io.clusterwright.core.spec.ClusterSpec;
import io.clusterwright.core.spi.Machine;
import io.clusterwright.core.spi.MachineProvider;
import io.clusterwright.core.spi.NodeBackend;
import io.clusterwright.core.type.ClusterId;
import io.clusterwright.core.type.ClusterName;
import io.clusterwright.core.type.ClusterwrightException;
import io.clusterwright.core.type.Interconnect;
import io.clusterwright.core.type.NodeName;
import java.time.Clock;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The clusters at a provider that have no record: they are found by their marks, deleted, or given a record. */
public final class ClusterAdoption {
    private static final String MACHINE = "machine";

    private final ClusterRecords records;
    private final MachineProvider provider;
    private final Clock clock;

    ClusterAdoption(ClusterRecords records, MachineProvider provider, Clock clock) {
        this.records = records;
        this.provider = provider;
        this.clock = clock;
    }

    /** The clusters without a record, apart from those that a running program uses. One whose record is damaged has one. */
    public List<MarkedCluster> untracked() {
        Set<ClusterId> known = new HashSet<>();
        Set<ClusterName> unclear = new HashSet<>();
        for (ClusterRecord record : ClusterRecords.all(records.store())) {
            record.knownId().ifPresentOrElse(known::add, () -> unclear.add(record.name()));
        }
        return provider.marked().stream()
                .filter(cluster -> !known.contains(cluster.id()))
                .filter(cluster -> !unclear.contains(cluster.id().name()))
                .filter(cluster -> !cluster.resources().isEmpty())
                .toList();
    }

    /** The clusters of this name that have no record, or a damaged one. */
    public List<MarkedCluster> adoptable(ClusterName name) {
        Optional<ClusterRecord> record = records.readable(name);
        record.ifPresent(ClusterRecord::requireReadable);
        Optional<ClusterId> known = record.flatMap(ClusterRecord::knownId);
        return provider.marked(name).stream()
                .filter(cluster -> record.isEmpty()
                        || record.get().damage().isPresent()
                                && (known.isEmpty() || known.get().equals(cluster.id())))
                .toList();
    }

    /** Deletes a cluster without a record; an interrupt does not cut it short. */
    public DestroyReport destroy(ClusterId id, EventEmitter events) {
        return Tasks.uninterruptibly(() -> destroyUntracked(id, events));
    }

    private DestroyReport destroyUntracked(ClusterId id, EventEmitter events) {
        MarkedCluster found = untracked().stream()
                .filter(cluster -> cluster.id().equals(id))
                .findFirst()
                .orElseThrow(() -> new ClusterwrightException(provider.name() + " has no untracked cluster with id "
                        + id + "; run: clusterwright list --untracked (ClusterManager.untracked)"));
        return events.step(Step.DESTROY, "cluster " + id, () -> {
            return new ResourceRemoval(
                            id,
                            provider,
                            new CapturedImages(records, provider, clock),
                            resource -> {},
                            events,
                            List.of())
                    .removeAndSweep(inOrder(found));
        });
    }

    /** The resources in the order in which they were made; a provider reports those first that are deleted first. */
    private static List<ResourceId> inOrder(MarkedCluster found) {
        List<ResourceId> resources = new ArrayList<>(found.resources());
        Collections.reverse(resources);
        return resources;
    }

    /**
     * Writes the record of a cluster anew from what its provider reports and what of a damaged record can be read; its secrets stay.
     *
     * @param given the spec, or null for the spec of the damaged record
     */
    public ClusterSummary adopt(ClusterId id, @Nullable ClusterSpec given, EventEmitter events) {
        ClusterName name = id.name();
        String refusal = "cluster " + name + " was not adopted: ";
        if (given != null && !given.name().equals(name)) {
            throw new ClusterwrightException(refusal + "the spec is of cluster " + given.name());
        }
        MarkedCluster found = provider.marked(name).stream()
                .filter(cluster -> cluster.id().equals(id))
                .findFirst()
                .orElseThrow(() -> new ClusterwrightException(
                        refusal + provider.name() + " has no resources with this name and the id " + id.id()));
        try (StateStore.Writer writer = records.store().open(name)) {
            ClusterRecord damaged = records.readable(name).orElse(null);
            if (damaged != null) {
                damaged.requireReadable();
            }
            if (damaged != null && damaged.damage().isEmpty()) {
                throw new ClusterwrightException(refusal
                        + "this state folder already has an intact record of cluster " + name + " on "
                        + damaged.provider()
                        + "; there is nothing to adopt");
            }
            if (damaged != null && damaged.id() != null && !damaged.id().equals(id)) {
                throw new ClusterwrightException(refusal + "its damaged record has another id: "
                        + damaged.id().id());
            }
            ClusterSpec known = given != null ? given : damaged == null ? null : damaged.spec();
            ClusterSpec spec = known != null ? known : minimal(found);
            Journal journal = new Journal(id, writer, clock);
            SecretStore secrets = records.store().secrets(name);
            boolean reachable = secrets.get(ClusterKeys.LOGIN).isPresent();
            try {
                List<Machine> machines = known == null ? List.of() : machines(id, spec, damaged, secrets);
                ClusterPhase phase = phase(id, machines);
                journal.adopted(spec, provider.name(), damaged == null ? Optional.empty() : damaged.created());
                inOrder(found).forEach(journal::created);
                machines.forEach(journal::machine);
                journal.phase(phase);
            } catch (ClusterwrightException e) {
                if (damaged == null && !reachable) {
                    Lifecycle.forget(writer, e);
                }
                throw e;
            }
            if (!reachable) {
                events.notice(unreachable(name, provider.name(), records.store().place(name), known != null));
            }
            return records.readable(name).orElseThrow();
        }
    }

    private static Finding unreachable(ClusterName name, String provider, String journal, boolean described) {
        return new Finding(
                "CW-ADOPT-001",
                Severity.WARNING,
                "name",
                "the login keys of cluster " + name + " are not in this state folder, so its nodes cannot be reached;"
                        + " it can be listed" + (described ? ", stopped" : "") + " and destroyed",
                "to keep the nodes: 1. delete the file " + journal
                        + "; 2. copy the folder secrets beside it from the state folder that created the cluster;"
                        + " 3. run: clusterwright adopt " + name + " --on " + provider
                        + (described
                                ? "; to replace the nodes, run: clusterwright create SPEC --on " + provider
                                        + " --replace-unreachable (CreateOptions.replaceUnreachable)"
                                : ""));
    }

    /** A spec of a cluster of which only the name and the number of machines are known. */
    private static ClusterSpec minimal(MarkedCluster found) {
        long machines = found.resources().stream()
                .filter(resource -> resource.kind().equals(MACHINE))
                .count();
        return ClusterSpec.builder(found.id().name())
                .region("unknown")
                .nodes(nodes -> nodes.count((int) Math.max(1, machines)))
                .build();
    }

    /** The nodes of the spec that exist: as the damaged record has them, or as the provider finds them. */
    private List<Machine> machines(
            ClusterId id, ClusterSpec spec, @Nullable ClusterRecord damaged, SecretStore secrets) {
        Map<NodeName, Machine> known = damaged == null ? Map.of() : damaged.machines();
        ClusterKeys keys = new ClusterKeys(spec.name(), secrets, NodeBackend.of(spec.operatingSystem()));
        Map<NodeName, Machine> nodes = new LinkedHashMap<>();
        NodePlan.of(spec)
                .machines()
                .forEach((node, address) -> nodes.put(
                        node,
                        new Machine(
                                node,
                                address,
                                new ResourceId(MACHINE, node.value()),
                                keys.host(node).publicKey(),
                                Interconnect.NONE)));
        Map<NodeName, Machine> found = new HashMap<>();
        provider.find(id, spec, List.copyOf(nodes.values())).forEach(machine -> found.put(machine.name(), machine));
        found.putAll(known);
        return nodes.keySet().stream()
                .filter(found::containsKey)
                .map(found::get)
                .toList();
    }

    private ClusterPhase phase(ClusterId id, List<Machine> machines) {
        boolean stopped = !machines.isEmpty()
                && machines.stream().allMatch(machine -> provider.state(id, machine) == MachineState.STOPPED);
        return stopped ? ClusterPhase.STOPPED : ClusterPhase.READY;
    }
}
