package io.clusterwright.examples.cli;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.clusterwright.core.ClusterManager;
import io.clusterwright.core.ClusterSummary;
import io.clusterwright.core.MarkedCluster;
import io.clusterwright.core.Node;
import io.clusterwright.core.Planner;
import io.clusterwright.core.StateStore;
import io.clusterwright.core.internal.json.Json;
import io.clusterwright.core.plan.PriceTable;
import io.clusterwright.core.type.NodeName;
import io.clusterwright.core.type.NodeSet;
import io.clusterwright.core.type.VmSize;
import io.clusterwright.examples.SharedAzure;
import io.clusterwright.examples.console.ExitCodes;
import io.clusterwright.examples.console.ProgressPrinter;
import io.clusterwright.examples.console.RefusedException;
import io.clusterwright.examples.console.ResultJson;
import io.clusterwright.examples.options.AzureOptions;
import java.math.BigDecimal;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(name = "list", description = "Lists the clusters in the state store.")
final class ListCommand extends ProgramCommand {
    @Mixin
    private AzureOptions azure = new AzureOptions();

    @Option(
            names = "--untracked",
            description =
                    "List instead the clusters, and parts of clusters, that exist and have no record in this state"
                            + " folder. They may be those of another state folder.")
    private boolean untracked;

    @Option(names = "--delete", description = "With --untracked: delete what is listed, of every user.")
    private boolean delete;

    @Option(names = "--id", paramLabel = "ID", description = "With --untracked: only the cluster with this id.")
    private @Nullable String id;

    @Option(
            names = "--on",
            paramLabel = "WHERE",
            description = "With --untracked: only this provider: ${COMPLETION-CANDIDATES}. Default: all, azure where"
                    + " --subscription or --endpoint is given.")
    private @Nullable Provider on;

    @Option(names = "--prices", paramLabel = "FILE", description = "With --untracked: prices of machines, as for plan.")
    private @Nullable Path prices;

    @Override
    public Integer call() {
        if (untracked) {
            return listUntracked();
        }
        if (delete || id != null || on != null || prices != null) {
            throw new RefusedException(
                    "--delete, --id, --on and --prices need --untracked; destroy deletes a cluster that"
                            + " has a record");
        }
        List<ClusterSummary> clusters = ClusterManager.list(StateStore.standard());
        if (clusters.isEmpty() && !json) {
            out.println("no clusters" + othersHint());
        }
        print(clusters, ResultJson::cluster, this::print);
        return ExitCodes.OK;
    }

    private void print(ClusterSummary cluster) {
        List<NodeName> compute = cluster.nodes().stream()
                .map(Node::name)
                .filter(node -> !cluster.headNode().equals(Optional.of(node)))
                .toList();
        String head = cluster.headNode().map(node -> ", head " + node).orElse("");
        out.printf(
                "%-20s %-8s %-9s %s%n",
                cluster.name(), cluster.provider(), cluster.phase(), NodeSet.fold(compute) + head);
        cluster.damage().ifPresent(damage -> out.println("  " + damage));
    }

    private int listUntracked() {
        PriceTable table = prices == null ? null : Planner.readPrices(prices);
        ArrayNode document = Json.array();
        int left = 0;
        for (Provider provider : on == null ? reachable(azure) : List.of(on)) {
            try (ClusterManager manager = manager(provider, azure, SharedAzure.Want.ASK)) {
                for (MarkedCluster found : found(manager)) {
                    ObjectNode entry = json(provider, found, table);
                    document.add(entry);
                    if (!json) {
                        print(provider, found, table);
                    }
                    if (delete) {
                        ResultJson.addOneOfMany(
                                entry,
                                "cluster " + found.id(),
                                () -> manager.destroyUntracked(found.id(), new ProgressPrinter()));
                        left += entry.path("left").size();
                        printDeletion(entry);
                    }
                }
            }
        }
        if (json) {
            print(document);
        } else if (document.isEmpty()) {
            out.println("no clusters without a record");
        }
        return ExitCodes.ofDeletion(left == 0);
    }

    private List<MarkedCluster> found(ClusterManager manager) {
        return manager.untracked().stream()
                .filter(cluster -> id == null || cluster.id().id().equals(id))
                .toList();
    }

    private void print(Provider provider, MarkedCluster found, @Nullable PriceTable table) {
        Map<String, Long> kinds = found.resources().stream()
                .collect(Collectors.groupingBy(resource -> resource.kind(), TreeMap::new, Collectors.counting()));
        String parts = kinds.entrySet().stream()
                .map(kind -> kind.getValue() + " " + kind.getKey())
                .collect(Collectors.joining(", "));
        String cost = cost(found, table)
                .map(hourly ->
                        ", " + hourly.toPlainString() + " " + (table == null ? "" : table.currency()) + " an hour")
                .orElseGet(() ->
                        found.running().isEmpty() ? "" : ", " + found.running().size() + " machines billed");
        out.printf(
                "%-20s %-8s %s  %s: %s%s%n",
                found.id().name(), provider, found.id().id(), found.place(), parts, cost);
    }

    private static ObjectNode json(Provider provider, MarkedCluster found, @Nullable PriceTable table) {
        ObjectNode entry = Json.object()
                .put("name", found.id().name().value())
                .put("id", found.id().id())
                .put("provider", provider.toString())
                .put("place", found.place());
        ArrayNode resources = entry.putArray("resources");
        found.resources().forEach(resource -> resources.add(resource.toString()));
        ArrayNode running = entry.putArray("running");
        found.running().forEach(size -> running.add(size.toString()));
        cost(found, table)
                .ifPresent(
                        hourly -> entry.put("perHour", hourly).put("currency", table == null ? "" : table.currency()));
        return entry;
    }

    /** The price of the running machines for an hour; empty where that of some is not known, or none runs. */
    private static Optional<BigDecimal> cost(MarkedCluster found, @Nullable PriceTable table) {
        if (table == null || found.running().isEmpty()) {
            return Optional.empty();
        }
        BigDecimal sum = BigDecimal.ZERO;
        for (VmSize size : found.running()) {
            Optional<BigDecimal> price = table.of(size);
            if (price.isEmpty()) {
                return Optional.empty();
            }
            sum = sum.add(price.get());
        }
        return Optional.of(sum);
    }

    private void printDeletion(ObjectNode entry) {
        if (!json) {
            entry.path("deleted").forEach(resource -> out.println("  deleted " + resource.asText()));
            entry.path("left").forEach(resource -> out.println("  left    " + resource.asText()));
        }
    }
}
