package io.clusterwright.windows.hpcpack;

import io.clusterwright.core.spec.ClusterSpec;
import io.clusterwright.core.type.InvalidValueException;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Domains whose nodes reach each other over RDMA: a cloud service, availability set or placement group. Immutable.
 *
 * <p>An MPI job over two of them fails to connect, or silently runs over sockets.
 */
final class PlacementDomains {
    private final Map<String, String> domains = new LinkedHashMap<>();

    private PlacementDomains(Map<String, String> domains) {
        domains.forEach((name, domain) -> this.domains.put(key(name), domain));
    }

    /**
     * The domains of a cluster.
     *
     * @param domains the domain of each node and of each node group that lies in one; case does not matter in the names
     */
    static PlacementDomains of(Map<String, String> domains) {
        return new PlacementDomains(domains);
    }

    /**
     * The cloud services that a spec names, of its head node, its nodes and its worker roles.
     *
     * @param spec the spec; without names of services nothing is known
     */
    static PlacementDomains of(ClusterSpec spec) {
        Map<String, String> domains = new LinkedHashMap<>();
        spec.hpcPack().ifPresent(pack -> {
            pack.headNodeService().ifPresent(service -> domains.put("HeadNodes", service));
            pack.computeNodeService().ifPresent(service -> {
                domains.put(pack.nodeGroup().orElse("ComputeNodes"), service);
                spec.nodes().names().forEach(node -> domains.put(node.value(), service));
            });
            pack.burst().ifPresent(burst -> domains.put(burst.nodeGroup(), burst.cloudService()));
        });
        return of(domains);
    }

    /**
     * The domain of each of these nodes: its own, or the domain of one of its groups, or where none is known what the head node reports about it.
     * Burst nodes of one node template are in one cloud service; all other nodes are in the network of the head node.
     */
    Map<String, String> of(List<HpcPackNode> nodes) {
        Map<String, String> all = new LinkedHashMap<>();
        for (HpcPackNode node : nodes) {
            all.put(
                    node.name(),
                    Stream.concat(Stream.of(node.name()), node.groups().stream())
                            .flatMap(name -> Stream.ofNullable(domains.get(key(name))))
                            .findFirst()
                            .orElseGet(() -> reported(node)));
        }
        return all;
    }

    private static String reported(HpcPackNode node) {
        if (node.groups().stream().anyMatch("AzureNodes"::equalsIgnoreCase)) {
            String template = node.properties().getOrDefault("Template", "");
            return template.isEmpty() ? "the burst nodes" : "the burst nodes of node template " + template;
        }
        return "the nodes in the network of the head node";
    }

    /**
     * Refuses an MPI job that could get nodes of two domains. A name that is not known is not judged.
     *
     * @param names the nodes and node groups that the job names; empty for a job that takes any node
     * @param anyGroup whether all nodes come from any one of the groups
     * @throws InvalidValueException when the job could span two domains
     */
    void check(List<String> names, boolean anyGroup) {
        Set<String> reached = new LinkedHashSet<>();
        names.forEach(name -> reached.add(domains.getOrDefault(key(name), "")));
        reached.remove("");
        if (names.isEmpty()) {
            reached.addAll(domains.values());
        }
        if (reached.size() > 1 && !anyGroup) {
            throw InvalidValueException.of(
                    "the job " + (names.isEmpty() ? "takes any node" : "names " + String.join(", ", names))
                            + ", so it could span " + String.join(" and ", reached)
                            + ", and RDMA does not cross from one to the other",
                    "name nodes of one cloud service, availability set or placement group"
                            + " (example: /nodegroup:AzureNodes)");
        }
    }

    private static String key(String name) {
        return name.toLowerCase(Locale.ROOT);
    }
}
