package io.clusterwright.azure.internal.machine;

import com.azure.core.util.Context;
import com.azure.resourcemanager.resources.fluent.models.GenericResourceExpandedInner;
import io.clusterwright.azure.AzureException;
import io.clusterwright.azure.AzureException.Reason;
import io.clusterwright.azure.internal.arm.ArmClient;
import io.clusterwright.azure.internal.arm.Clients;
import io.clusterwright.azure.internal.arm.Errors;
import io.clusterwright.azure.internal.resource.ResourceNames;
import io.clusterwright.azure.internal.resource.Tags;
import io.clusterwright.core.MarkedCluster;
import io.clusterwright.core.ResourceId;
import io.clusterwright.core.internal.arm.ArmId;
import io.clusterwright.core.internal.concurrent.Deadline;
import io.clusterwright.core.type.ClusterId;
import io.clusterwright.core.type.ClusterName;
import io.clusterwright.core.type.VmSize;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/** Deletes what this library made: by recorded id, each only when it carries the cluster's tag. */
public final class Remover {
    /** For how long something may be in use by what is going away itself; an interface is reserved for 180 s after a failure. */
    private static final Duration IN_USE = Duration.ofMinutes(5);

    private static final Duration IN_USE_PAUSE = Duration.ofSeconds(5);
    private static final int SHOWN = 5;

    /** What others refer to, each after what refers to it; machines, which nothing refers to, come before all of these. */
    private static final List<String> ORDER = List.of(
            ResourceNames.LOAD_BALANCER,
            ResourceNames.ADDRESS,
            ResourceNames.NETWORK,
            ResourceNames.SECURITY_GROUP,
            ResourceNames.AVAILABILITY_SET,
            ResourceNames.PROXIMITY_GROUP);

    private final Clients clients;
    private final ArmClient arm;
    private final MachinePower power;

    public Remover(Clients clients) {
        this.clients = clients;
        this.arm = clients.arm();
        this.power = new MachinePower(clients);
    }

    public void delete(ClusterId cluster, ResourceId resource) {
        ArmId id = ArmId.of(resource.name());
        if (id.type().isEmpty()) {
            group(cluster, id);
        } else if (id.isType(ArmId.VM)) {
            machine(cluster, id);
        } else if (ResourceNames.kind(id).isPresent()) {
            one(cluster, id);
        } else {
            throw Errors.of(
                    Reason.OTHER,
                    "delete " + id,
                    "the provider does not create this kind of resource; delete it in the Azure portal");
        }
    }

    /** As {@link #delete}; a resource group of the cluster goes with all that it holds. */
    public void deleteWithContents(ClusterId cluster, ResourceId resource) {
        ArmId id = ArmId.of(resource.name());
        if (id.type().isEmpty()) {
            one(cluster, id);
        } else {
            delete(cluster, resource);
        }
    }

    /** A machine with its parts, of which it takes most along. */
    public void machine(ClusterId cluster, ArmId id) {
        one(cluster, id);
        one(cluster, ResourceNames.nic(id));
        one(cluster, ResourceNames.disk(id));
        one(cluster, ResourceNames.address(id));
        autoShutdown(cluster, ResourceNames.autoShutdown(id));
    }

    /** A subscription without the service of schedules, or an account without a right to them, has none. */
    private void autoShutdown(ClusterId cluster, ArmId id) {
        try {
            if (!isOf(cluster, id)) {
                return;
            }
        } catch (AzureException e) {
            if (!Errors.isRefusal(e)) {
                throw e;
            }
            return;
        }
        one(cluster, id);
    }

    /**
     * What carries the cluster's tag, found by looking, in an order in which it can be deleted. What lies in a group of ours goes with the
     * group.
     */
    public List<ResourceId> remaining(ClusterId cluster) {
        String filter = filter(cluster);
        Set<String> groups = new LinkedHashSet<>();
        List<ResourceId> found = new ArrayList<>();
        arm.list(
                        "list resource groups of cluster " + cluster,
                        () -> clients.resources().getResourceGroups().list(filter, null, Context.NONE))
                .forEach(group -> {
                    groups.add(group.name().toLowerCase(Locale.ROOT));
                    found.add(ResourceNames.resource(ArmId.group(clients.subscription(), group.name())));
                });
        found.addAll(inOrder(cluster, tagged("list resources of cluster " + cluster, filter, groups)));
        return found;
    }

    /**
     * The resources that a filter by a tag finds, except those in these groups. Azure lists them without their tags,
     * so that their groups are
     * listed as well.
     */
    private List<GenericResourceExpandedInner> tagged(String what, String filter, Set<String> except) {
        Map<String, Set<String>> ids = new LinkedHashMap<>();
        arm.list(what, () -> clients.resources().getResources().list(filter, null, null, Context.NONE))
                .forEach(part -> ids.computeIfAbsent(groupOf(part), group -> new LinkedHashSet<>())
                        .add(part.id().toLowerCase(Locale.ROOT)));
        ids.keySet().removeAll(except);
        List<GenericResourceExpandedInner> found = new ArrayList<>();
        ids.forEach((group, inGroup) -> contents(ArmId.group(clients.subscription(), group)).stream()
                .filter(part -> inGroup.contains(part.id().toLowerCase(Locale.ROOT)))
                .forEach(found::add));
        return found;
    }

    /** The separate machines that carry the cluster's tag, found by looking. */
    public Set<ArmId> machines(ClusterId cluster) {
        return parts(cluster).stream()
                .filter(part -> topLevel(part.id()) && Tags.areOf(part.tags(), cluster))
                .map(part -> ArmId.of(part.id()))
                .filter(id -> id.isType(ArmId.VM))
                .collect(Collectors.toSet());
    }

    private List<GenericResourceExpandedInner> parts(ClusterId cluster) {
        return tagged("list resources of cluster " + cluster, filter(cluster), Set.of());
    }

    private static String filter(ClusterId cluster) {
        return "tagName eq '" + Tags.ID + "' and tagValue eq '" + cluster.id() + "'";
    }

    private static String groupOf(GenericResourceExpandedInner part) {
        return part.id().split("/", -1)[4].toLowerCase(Locale.ROOT);
    }

    /** The cluster's own of these: machines, which take their parts along, and what they refer to after them. */
    private static List<ResourceId> inOrder(ClusterId cluster, List<GenericResourceExpandedInner> parts) {
        Map<String, ResourceId> all = new LinkedHashMap<>();
        for (GenericResourceExpandedInner resource : parts) {
            if (!topLevel(resource.id()) || !Tags.areOf(resource.tags(), cluster)) {
                continue;
            }
            ArmId part = ArmId.of(resource.id());
            String node = resource.tags().get(Tags.NODE);
            ArmId id = node == null ? part : part.sibling(ArmId.VM, node);
            all.putIfAbsent(id.plain(), ResourceNames.resource(id));
        }
        return all.values().stream()
                .sorted(Comparator.comparingInt(resource -> ORDER.indexOf(resource.kind())))
                .toList();
    }

    /** The clusters whose ids stand in tags of the subscription. */
    public List<MarkedCluster> marked() {
        return marked("tagName eq '" + Tags.ID + "'", id -> true);
    }

    /** The marked clusters of this name. */
    public List<MarkedCluster> marked(ClusterName name) {
        return marked(
                "tagName eq '" + Tags.CLUSTER + "' and tagValue eq '" + name + "'",
                id -> id.name().equals(name));
    }

    private List<MarkedCluster> marked(String filter, Predicate<ClusterId> wanted) {
        Map<ClusterId, List<GenericResourceExpandedInner>> parts = new LinkedHashMap<>();
        arm.list(
                        "list resource groups of clusters",
                        () -> clients.resources().getResourceGroups().list(filter, null, Context.NONE))
                .forEach(group -> Tags.cluster(group.tags())
                        .filter(wanted)
                        .ifPresent(id -> parts.computeIfAbsent(id, key -> new ArrayList<>())));
        tagged("list resources of clusters", filter, Set.of())
                .forEach(part -> Tags.cluster(part.tags())
                        .filter(wanted)
                        .ifPresent(id -> parts.computeIfAbsent(id, key -> new ArrayList<>())
                                .add(part)));
        return parts.entrySet().stream()
                .map(entry -> marked(entry.getKey(), entry.getValue()))
                .filter(cluster -> !cluster.resources().isEmpty())
                .toList();
    }

    private MarkedCluster marked(ClusterId cluster, List<GenericResourceExpandedInner> parts) {
        List<ResourceId> resources = remaining(cluster);
        Set<String> groups = new LinkedHashSet<>();
        resources.forEach(resource -> groups.add(ArmId.of(resource.name()).group()));
        List<VmSize> running = new ArrayList<>();
        for (GenericResourceExpandedInner part : parts) {
            if (topLevel(part.id())) {
                running.addAll(power.running(ArmId.of(part.id())));
            }
        }
        return new MarkedCluster(
                cluster,
                (groups.size() == 1 ? "resource group " : "resource groups ") + String.join(", ", groups)
                        + " of subscription " + clients.subscription(),
                resources,
                running);
    }

    /** Deletes a resource group of the cluster, unless it holds what is not the cluster's; then all else in it is deleted. */
    private void group(ClusterId cluster, ArmId group) {
        if (!isOf(cluster, group)) {
            return;
        }
        List<GenericResourceExpandedInner> contents = contents(group);
        List<String> foreign = foreign(cluster, contents);
        if (foreign.isEmpty()) {
            one(cluster, group);
            return;
        }
        inOrder(cluster, contents).forEach(part -> delete(cluster, part));
        int shown = Math.min(SHOWN, foreign.size());
        throw new AzureException(
                Reason.CONFLICT,
                "",
                "delete resource group " + group.name() + ": it also holds "
                        + (foreign.size() == 1 ? "1 resource that is" : foreign.size() + " resources that are")
                        + " not of cluster " + cluster.name() + ", and was left with "
                        + (foreign.size() == 1 ? "it: " : "them: ")
                        + String.join(", ", foreign.subList(0, shown))
                        + (shown < foreign.size() ? " and " + (foreign.size() - shown) + " more" : "")
                        + "; move or delete them and destroy the cluster again, or delete all: clusterwright destroy "
                        + cluster.name() + " --with-foreign (ClusterManager.destroyWithContents)",
                null);
    }

    private List<GenericResourceExpandedInner> contents(ArmId group) {
        return arm.listIfAny(
                "list what is in " + group.name(),
                () -> clients.resources().getResources().listByResourceGroup(group.group()));
    }

    /**
     * The resources that are not the cluster's. Parts of a resource belong to whom that belongs to; so do disks that
     * Azure makes for a machine, which
     * name it as their manager. A list may still hold what is gone.
     */
    private List<String> foreign(ClusterId cluster, List<GenericResourceExpandedInner> contents) {
        List<String> ours = contents.stream()
                .filter(part -> Tags.areOf(part.tags(), cluster))
                .map(part -> part.id().toLowerCase(Locale.ROOT))
                .toList();
        return contents.stream()
                .filter(part -> !Tags.areOf(part.tags(), cluster) && topLevel(part.id()))
                .filter(part -> {
                    String manager =
                            part.managedBy() == null ? "" : part.managedBy().toLowerCase(Locale.ROOT);
                    return ours.stream().noneMatch(own -> manager.equals(own) || manager.startsWith(own + "/"));
                })
                .map(part -> ArmId.of(part.id()))
                .filter(id -> ResourceNames.kind(id).isEmpty()
                        || clients.find("look for " + id.name(), id).isPresent())
                .map(id -> id.type().substring(id.type().indexOf('/') + 1) + " " + id.name())
                .toList();
    }

    /** An extension, for one, goes with its machine. */
    private static boolean topLevel(String id) {
        return id.split("/", -1).length == 9;
    }

    private void one(ClusterId cluster, ArmId id) {
        String group = id.type().isEmpty() ? "resource group " : "";
        if (!isOf(cluster, id)) {
            return;
        }
        Deadline deadline = arm.deadline("wait for its last user", IN_USE);
        while (true) {
            try {
                clients.delete("delete " + group + id.name(), id);
                return;
            } catch (AzureException e) {
                if (!inUse(e) || deadline.passed()) {
                    throw e;
                }
                arm.pause("delete " + group + id.name() + ", which something uses", IN_USE_PAUSE);
            }
        }
    }

    private boolean isOf(ClusterId cluster, ArmId id) {
        return clients.find("look for " + (id.type().isEmpty() ? "resource group " : "") + id.name(), id)
                .filter(found -> Tags.areOf(found.tags(), cluster))
                .isPresent();
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
