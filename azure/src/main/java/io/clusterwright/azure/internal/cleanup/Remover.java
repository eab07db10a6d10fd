package io.clusterwright.azure.internal.cleanup;

import com.azure.core.util.Context;
import com.azure.resourcemanager.resources.fluent.models.GenericResourceExpandedInner;
import io.clusterwright.azure.AzureException;
import io.clusterwright.azure.AzureException.Reason;
import io.clusterwright.azure.internal.arm.ArmClient;
import io.clusterwright.azure.internal.arm.Clients;
import io.clusterwright.azure.internal.arm.Errors;
import io.clusterwright.azure.internal.resource.Names;
import io.clusterwright.azure.internal.resource.Tags;
import io.clusterwright.core.MarkedCluster;
import io.clusterwright.core.ResourceId;
import io.clusterwright.core.internal.arm.ArmId;
import io.clusterwright.core.internal.concurrent.Deadline;
import io.clusterwright.core.internal.concurrent.Tasks;
import io.clusterwright.core.internal.concurrent.WaitTime;
import io.clusterwright.core.type.ClusterId;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/** Deletes what this library made: by recorded id, each only when it carries the cluster's tag. */
public final class Remover {
    /** For how long something may be in use by what is going away itself; an interface is reserved for 180 s after a failure. */
    private static final Duration IN_USE = Duration.ofMinutes(5);

    private static final Duration IN_USE_PAUSE = Duration.ofSeconds(5);

    /** What others refer to, each after what refers to it; machines, which nothing refers to, come before all of these. */
    private static final List<String> ORDER = List.of(
            Names.LOAD_BALANCER,
            Names.ADDRESS,
            Names.NETWORK,
            Names.SECURITY_GROUP,
            Names.AVAILABILITY_SET,
            Names.PROXIMITY_GROUP);

    private final Clients clients;
    private final ArmClient arm;

    public Remover(Clients clients) {
        this.clients = clients;
        this.arm = clients.arm();
    }

    public void delete(ClusterId cluster, ResourceId resource) {
        ArmId id = ArmId.parse(resource.name());
        if (id.isType(ArmId.VM)) {
            machine(cluster, id);
        } else if (Names.kind(id).isPresent()) {
            one(cluster, id);
        } else {
            throw Errors.of(Reason.OTHER, "delete " + id, "this provider makes no such thing; delete it by hand");
        }
    }

    /** A machine with its parts, of which it takes most along. */
    public void machine(ClusterId cluster, ArmId id) {
        one(cluster, id);
        one(cluster, Names.nic(id));
        one(cluster, Names.disk(id));
        one(cluster, Names.address(id));
    }

    /**
     * What carries the cluster's tag, found by looking, in an order in which it can be deleted. What lies in a group of ours goes with the
     * group.
     */
    public List<ResourceId> remaining(ClusterId cluster) {
        String filter = "tagName eq '" + Tags.ID + "' and tagValue eq '" + cluster.id() + "'";
        Set<String> groups = new LinkedHashSet<>();
        List<ResourceId> found = new ArrayList<>();
        arm.list(
                        "list resource groups of cluster " + cluster,
                        () -> clients.resources().getResourceGroups().list(filter, null, Context.NONE))
                .forEach(group -> {
                    groups.add(group.name().toLowerCase(Locale.ROOT));
                    found.add(Names.resource(ArmId.group(clients.subscription(), group.name())));
                });
        Map<String, ResourceId> others = new LinkedHashMap<>();
        for (GenericResourceExpandedInner resource : arm.list(
                "list resources of cluster " + cluster,
                () -> clients.resources().getResources().list(filter, null, null, Context.NONE))) {
            if (!topLevel(resource.id())) {
                continue;
            }
            ArmId part = ArmId.parse(resource.id());
            if (groups.contains(part.group().toLowerCase(Locale.ROOT))) {
                continue;
            }
            String node = resource.tags() == null ? null : resource.tags().get(Tags.NODE);
            ArmId id = node == null ? part : part.sibling(ArmId.VM, node);
            others.putIfAbsent(id.plain(), Names.resource(id));
        }
        others.values().stream()
                .sorted(Comparator.comparingInt(resource -> ORDER.indexOf(resource.kind())))
                .forEach(found::add);
        return found;
    }

    /** The clusters whose ids stand in tags of the subscription. */
    public List<MarkedCluster> marked() {
        Set<ClusterId> ids = new LinkedHashSet<>();
        String filter = "tagName eq '" + Tags.ID + "'";
        arm.list(
                        "list resource groups of clusters",
                        () -> clients.resources().getResourceGroups().list(filter, null, Context.NONE))
                .forEach(group -> Tags.cluster(group.tags()).ifPresent(ids::add));
        arm.list(
                        "list resources of clusters",
                        () -> clients.resources().getResources().list(filter, null, null, Context.NONE))
                .forEach(resource -> Tags.cluster(resource.tags()).ifPresent(ids::add));
        return ids.stream().map(this::marked).toList();
    }

    private MarkedCluster marked(ClusterId cluster) {
        List<ResourceId> resources = remaining(cluster);
        Set<String> groups = new LinkedHashSet<>();
        resources.forEach(resource -> groups.add(ArmId.parse(resource.name()).group()));
        return new MarkedCluster(cluster, "resource group " + String.join(", ", groups), resources, List.of());
    }

    /** An extension, for one, goes with its machine. */
    private static boolean topLevel(String id) {
        return id.split("/", -1).length == 9;
    }

    private void one(ClusterId cluster, ArmId id) {
        String group = id.type().isEmpty() ? "resource group " : "";
        boolean ours = clients.find("look for " + group + id.name(), id)
                .filter(found -> Tags.areOf(found.tags(), cluster))
                .isPresent();
        if (!ours) {
            return;
        }
        Deadline deadline = Deadline.in("wait for its last user", IN_USE);
        while (true) {
            try {
                clients.delete("delete " + group + id.name(), id);
                return;
            } catch (AzureException e) {
                if (!inUse(e) || deadline.passed()) {
                    throw e;
                }
                Tasks.interruptibly(
                        "interrupted while something used it: " + e.getMessage(),
                        () -> WaitTime.sleep(IN_USE_PAUSE));
            }
        }
    }

    private static boolean inUse(AzureException e) {
        String code = e.code().toLowerCase(Locale.ROOT);
        return code.contains("inuse")
                || code.contains("nicreserved")
                || code.contains("cannotbedeleted")
                || code.equals("anotheroperationinprogress")
                || code.equals("retryableerror");
    }
}
