package io.clusterwright.core.internal.lifecycle;

import io.clusterwright.core.ClusterSummary.ClusterPhase;
import io.clusterwright.core.CreateOptions;
import io.clusterwright.core.NodesFailedException;
import io.clusterwright.core.ResourceId;
import io.clusterwright.core.internal.lifecycle.NodeBoot.Result;
import io.clusterwright.core.internal.planning.ComputedPlan.ImagePlan;
import io.clusterwright.core.internal.planning.NodePlan;
import io.clusterwright.core.internal.state.ClusterState;
import io.clusterwright.core.plan.Finding;
import io.clusterwright.core.plan.Severity;
import io.clusterwright.core.plan.Step;
import io.clusterwright.core.spi.ImageSource;
import io.clusterwright.core.spi.Machine;
import io.clusterwright.core.spi.MachineProvider.MachineRequest;
import io.clusterwright.core.type.Ipv4Address;
import io.clusterwright.core.type.NodeName;
import io.clusterwright.core.type.NodeSet;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/**
 * Creates a cluster by a plan, or makes an existing one converge to it. {@code Lifecycle.create} runs the checks afterwards; a failed
 * check does not fail the creation.
 */
public final class ClusterCreation {
    private final ClusterWork work;
    private final ImagePlan image;
    private final Optional<ClusterState> before;
    private final CreateOptions options;

    /**
     * A creation.
     *
     * @param image the image that its nodes boot from
     * @param before the state after earlier attempts; empty for a new cluster
     * @param options whether the image is built again even if it exists, and whether nodes are replaced that do not answer
     */
    public ClusterCreation(ClusterWork work, ImagePlan image, Optional<ClusterState> before, CreateOptions options) {
        this.work = work;
        this.image = image;
        this.before = before;
        this.options = options;
    }

    /** Creates or converges the cluster; returns the machines of all ready nodes. */
    public List<Machine> run() {
        NodePlan addresses = NodePlan.of(work.spec);
        work.events.step(
                Step.NETWORK,
                work.spec.network().addressSpace() + " with "
                        + work.spec.network().subnet().name(),
                () -> work.provider.createNetwork(work.spec, work));
        boolean asleep = before.filter(state -> state.phase().asleep()).isPresent();
        List<Machine> kept = new NodeSurvey(work, asleep).answering(wanted(addresses), options.replacesUnreachable());
        work.begin(ClusterPhase.CREATING, kept.isEmpty());
        removeOthers(kept);
        Map<NodeName, Ipv4Address> nodes = new LinkedHashMap<>(addresses.nodes());
        Map<NodeName, Ipv4Address> heads = new LinkedHashMap<>(addresses.heads());
        kept.forEach(machine -> {
            nodes.remove(machine.name());
            heads.remove(machine.name());
        });
        List<Machine> there = new ArrayList<>(kept);
        boolean moved = false;
        if (!nodes.isEmpty() || !heads.isEmpty()) {
            ImageSource source = image(addresses);
            // Until machines that boot from it show that it is in use, the record does.
            usesImage(source, work::creating);
            if (!heads.isEmpty()) {
                there.addAll(bootHead(heads, kept, source));
            }
            if (!nodes.isEmpty()) {
                Result booted = boot(nodes, List.copyOf(there), source);
                there.addAll(booted.ready());
                moved = booted.moved();
            }
            usesImage(source, resource -> work.kept(resource.name()));
        }
        List<Machine> sorted =
                there.stream().sorted((a, b) -> a.name().compareTo(b.name())).toList();
        if (!kept.isEmpty()
                || moved
                || !heads.isEmpty()
                || sorted.size() < addresses.machines().size()) {
            // The host lists of kept nodes and of the head lack the new nodes, and all lists may hold failed ones.
            work.joinAll(sorted);
        }
        work.startScheduler(sorted);
        work.journal.phase(ClusterPhase.READY);
        Set<NodeName> wanted = addresses.machines().keySet();
        before.stream()
                .flatMap(state -> state.allMachines().stream())
                .map(Machine::name)
                .filter(node -> !wanted.contains(node))
                .forEach(work.keys::removeHost);
        return sorted;
    }

    /** The existing machines that the spec still wants. */
    private List<Machine> wanted(NodePlan addresses) {
        boolean anyAddress = work.provider.choosesAddresses(work.spec);
        Map<NodeName, Ipv4Address> all = addresses.machines();
        return before.stream()
                .flatMap(state -> state.machines().values().stream())
                .filter(machine -> {
                    Ipv4Address planned = all.get(machine.name());
                    return planned != null && (anyAddress || machine.address().equals(planned));
                })
                .toList();
    }

    /** Deletes all machines of earlier attempts but these. */
    private void removeOthers(List<Machine> kept) {
        Set<ResourceId> leaving = new LinkedHashSet<>();
        before.map(ClusterState::resources).orElse(Set.of()).stream()
                .filter(resource -> resource.kind().equals("machine"))
                .forEach(leaving::add);
        before.stream()
                .flatMap(state -> state.allMachines().stream())
                .forEach(machine -> leaving.add(machine.resource()));
        kept.forEach(machine -> leaving.remove(machine.resource()));
        ClusterWork.requireNone(ClusterWork.each("remove", leaving, ResourceId::toString, work::delete));
    }

    private ImageSource image(NodePlan addresses) {
        if (!image.capture()) {
            return new ImageSource.Base(work.spec.image().base());
        }
        if (image.exists() && !options.buildsFreshImage()) {
            work.events.step(
                    Step.TEMPLATE,
                    "kept image " + image.name() + ": the recipe is unchanged",
                    () -> work.endEarlierClaim(image.name()));
            return new ImageSource.Captured(image.name());
        }
        return new ImageBuild(work, image, addresses).build(options.buildsFreshImage());
    }

    private static void usesImage(ImageSource source, Consumer<ResourceId> record) {
        if (source instanceof ImageSource.Captured captured) {
            record.accept(ClusterWork.image(captured.name()));
        }
    }

    /** The head is cheap, and the way to the nodes: none of those is billed before it is ready. */
    private List<Machine> bootHead(Map<NodeName, Ipv4Address> heads, List<Machine> kept, ImageSource source) {
        return work.events.step(Step.NODES, "head " + NodeSet.fold(heads.keySet()) + " from " + title(source), () -> {
            Result result = new NodeBoot(work, kept, image.capture()).boot(requests(heads, source));
            result.failed().forEach((node, cause) -> {
                throw new NodesFailedException(
                        "the head node " + node + " is not ready, so no other node was created: " + cause.getMessage(),
                        Map.of(node, cause));
            });
            return result.ready();
        });
    }

    private Result boot(Map<NodeName, Ipv4Address> missing, List<Machine> kept, ImageSource source) {
        return work.events.step(Step.NODES, missing.size() + " nodes from " + title(source), () -> {
            Result result = new NodeBoot(work, kept, image.capture()).boot(requests(missing, source));
            long before = kept.stream()
                    .filter(machine -> !work.spec.isSeparateHead(machine.name()))
                    .count();
            judge((int) before + result.ready().size(), result);
            return result;
        });
    }

    private Map<NodeName, MachineRequest> requests(Map<NodeName, Ipv4Address> machines, ImageSource source) {
        Map<NodeName, MachineRequest> requests = new LinkedHashMap<>();
        machines.forEach((node, address) -> requests.put(node, work.request(node, address, source)));
        return requests;
    }

    private static String title(ImageSource source) {
        return source instanceof ImageSource.Captured captured ? captured.name() : "the base image";
    }

    private void judge(int ready, Result result) {
        if (result.failed().isEmpty()) {
            return;
        }
        int quorum = work.spec.nodes().quorum();
        String failed = NodeSet.fold(result.failed().keySet()) + ": "
                + result.failed().values().iterator().next().getMessage();
        if (ready < quorum) {
            throw new NodesFailedException(
                    ready + " nodes are ready and " + quorum + " are required (nodes.quorum); not ready: " + failed,
                    result.failed());
        }
        work.events.notice(new Finding(
                "CW-NODES-001",
                Severity.WARNING,
                "nodes.count",
                result.failed().size() + " nodes did not become ready: " + failed,
                "run create again to add them; to require all nodes, raise nodes.quorum"));
    }
}
