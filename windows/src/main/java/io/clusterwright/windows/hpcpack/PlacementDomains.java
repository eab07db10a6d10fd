package io.clusterwright.windows.hpcpack;

import io.clusterwright.core.spec.ClusterSpec;
import io.clusterwright.core.type.InvalidValueException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/**
 * Which nodes can reach each other over RDMA: those of one cloud service, availability set or placement group. Immutable.
 *
 * <p>An MPI job over two of them fails to connect, or runs over sockets without a word.
 */
public final class PlacementDomains {
    private final Map<String, String> domains = new LinkedHashMap<>();

    private PlacementDomains(Map<String, String> domains) {
        domains.forEach((name, domain) -> this.domains.put(key(name), domain));
    }

    /**
     * The domains of a cluster.
     *
     * @param domains the domain of each node and of each node group that lies in one; case does not matter in the names
     */
    public static PlacementDomains of(Map<String, String> domains) {
        return new PlacementDomains(domains);
    }

    /**
     * What a description says of them: the cloud services of its head node, its nodes and its worker roles.
     *
     * @param spec the description; without names of services nothing is known
     */
    public static PlacementDomains of(ClusterSpec spec) {
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
     * Looks whether an MPI job stays in one domain. A name that is not known is not judged.
     *
     * @throws InvalidValueException when it could get nodes of two
     */
    public void check(JobSubmit job) {
        Set<String> reached = new LinkedHashSet<>();
        List<String> names = names(job);
        names.forEach(name -> reached.add(domains.getOrDefault(key(name), "")));
        reached.remove("");
        if (names.isEmpty()) {
            reached.addAll(domains.values());
        }
        boolean uniform =
                job.option("nodegroupop").filter("Uniform"::equalsIgnoreCase).isPresent();
        if (reached.size() > 1 && !uniform) {
            throw new InvalidValueException(
                    "MPI job, which would span " + String.join(" and ", reached),
                    names.isEmpty() ? "any node" : String.join(",", names),
                    "nodes of one cloud service, availability set or placement group; RDMA does not cross them",
                    JobOption.nodeGroup("AzureNodes").toString());
        }
    }

    private static List<String> names(JobSubmit job) {
        List<String> names = new ArrayList<>();
        for (String option : List.of("nodegroup", "requestednodes", "requirednodes", "askednodes")) {
            job.option(option).ifPresent(value -> names.addAll(List.of(value.split(","))));
        }
        return names;
    }

    private static String key(String name) {
        return name.toLowerCase(Locale.ROOT);
    }
}
