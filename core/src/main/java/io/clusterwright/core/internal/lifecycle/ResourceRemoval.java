package io.clusterwright.core.internal.lifecycle;

import io.clusterwright.core.ClusterEvent.NodePhase;
import io.clusterwright.core.DestroyReport;
import io.clusterwright.core.ResourceId;
import io.clusterwright.core.internal.concurrent.Tasks;
import io.clusterwright.core.internal.session.FanOut;
import io.clusterwright.core.plan.Step;
import io.clusterwright.core.spi.Machine;
import io.clusterwright.core.spi.MachineProvider;
import io.clusterwright.core.type.ClusterId;
import io.clusterwright.core.type.ClusterwrightException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

/** Deletes resources, the latest first, resources of one kind in parallel; finds orphans by the cluster's mark. Used once. */
final class ResourceRemoval {
    private final ClusterId cluster;
    private final MachineProvider provider;
    private final CapturedImages images;
    private final Consumer<ResourceId> log;
    private final EventEmitter events;
    private final Map<ResourceId, Machine> machines = new LinkedHashMap<>();
    private BiConsumer<ClusterId, ResourceId> delete;
    private final List<ResourceId> deleted = new ArrayList<>();
    private final Map<ResourceId, String> left = new LinkedHashMap<>();
    private final Set<ResourceId> staying = ConcurrentHashMap.newKeySet();

    /**
     * A removal.
     *
     * @param log receives each resource that is gone
     * @param machines the known machines, so that events can name their nodes
     */
    ResourceRemoval(
            ClusterId cluster,
            MachineProvider provider,
            CapturedImages images,
            Consumer<ResourceId> log,
            EventEmitter events,
            Collection<Machine> machines) {
        this.cluster = cluster;
        this.provider = provider;
        this.images = images;
        this.log = log;
        this.events = events;
        this.delete = provider::delete;
        machines.forEach(machine -> this.machines.put(machine.resource(), machine));
    }

    /** Deletes with the resources what they hold of others. */
    ResourceRemoval withContents() {
        delete = provider::deleteWithContents;
        return this;
    }

    /** Deletes these, announced in this order. */
    DestroyReport remove(List<ResourceId> announced) {
        List<ResourceId> order = new ArrayList<>(announced);
        Collections.reverse(order);
        List<ResourceId> parallel = new ArrayList<>();
        for (ResourceId resource : order) {
            if (!parallel.isEmpty() && !resource.kind().equals(parallel.get(0).kind())) {
                deleteAll(parallel);
                parallel.clear();
            }
            parallel.add(resource);
        }
        deleteAll(parallel);
        return new DestroyReport(deleted, left);
    }

    /** Deletes these, announced in this order, and then all others that carry the cluster's mark. */
    DestroyReport removeAndSweep(List<ResourceId> announced) {
        remove(announced);
        List<ResourceId> orphans = provider.remaining(cluster);
        if (!orphans.isEmpty()) {
            deleteAll(orphans);
            Set<ResourceId> remaining = Set.copyOf(provider.remaining(cluster));
            left.keySet()
                    .removeIf(resource -> !resource.kind().equals(ClusterWork.IMAGE) && !remaining.contains(resource));
        }
        return new DestroyReport(deleted, left);
    }

    private void deleteAll(List<ResourceId> resources) {
        List<String> failures = Tasks.each(
                "remove",
                FanOut.LIMIT,
                resources,
                resource -> {
                    delete(resource);
                    return "";
                },
                (resource, cause) -> cause instanceof ClusterwrightException && cause.getMessage() != null
                        ? cause.getMessage()
                        : cause.toString());
        for (int i = 0; i < resources.size(); i++) {
            ResourceId resource = resources.get(i);
            if (failures.get(i).isEmpty()) {
                log.accept(resource);
                left.remove(resource);
                if (!staying.contains(resource)) {
                    deleted.add(resource);
                    report(resource);
                }
            } else {
                left.put(resource, failures.get(i));
                events.progress(Step.DESTROY, "left: " + resource + ": " + failures.get(i));
            }
        }
    }

    /** Images that are proven, perhaps since then for another cluster, serve all clusters and stay. */
    private void delete(ResourceId resource) {
        if (!resource.kind().equals(ClusterWork.IMAGE)) {
            delete.accept(cluster, resource);
        } else if (!images.undo(cluster, resource.name())) {
            staying.add(resource);
        }
    }

    private void report(ResourceId resource) {
        Machine machine = machines.get(resource);
        if (machine == null) {
            events.progress(Step.DESTROY, "deleted " + resource);
        } else {
            events.node(machine.name(), NodePhase.DELETED, "");
        }
    }
}
