package io.clusterwright.examples.cli;

import io.clusterwright.core.ClusterManager;
import io.clusterwright.core.ClusterSummary;
import io.clusterwright.core.MarkedCluster;
import io.clusterwright.core.Node;
import io.clusterwright.core.StateStore;
import io.clusterwright.core.internal.json.JsonFields;
import io.clusterwright.core.plan.PriceTable;
import io.clusterwright.core.plan.PriceTable.Price;
import io.clusterwright.core.type.NodeName;
import io.clusterwright.core.type.NodeSet;
import io.clusterwright.core.type.VmSize;
import java.math.BigDecimal;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(name = "list", description = "Lists the clusters in the state folder.")
final class ListCommand extends ProgramCommand {
    @Mixin
    private AzureOptions azure = new AzureOptions();

    @Option(
            names = "--untracked",
            description =
                    "List clusters, and parts of clusters, without a record in this state folder. They may belong to"
                            + " another state folder.")
    private boolean untracked;

    @Option(
            names = "--delete",
            description = "With --untracked: delete the listed clusters, also clusters of other users.")
    private boolean delete;

    @Option(names = "--id", paramLabel = "ID", description = "With --untracked: only the cluster with this id.")
    private @Nullable String id;

    @Option(
            names = "--on",
            paramLabel = "WHERE",
            description =
                    "With --untracked: only this provider: ${COMPLETION-CANDIDATES}. Default: all; azure only with"
                            + " --subscription or --endpoint.")
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
                    "--delete, --id, --on and --prices need --untracked; to delete a cluster of this list,"
                            + " run: clusterwright destroy NAME");
        }
        return print(
                ClusterManager.list(StateStore.standard()),
                ClusterSummary::toMap,
                "no clusters" + othersHint(),
                this::print);
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
        cluster.damage().or(cluster::newer).ifPresent(reason -> out.println("  " + reason));
    }

    private int listUntracked() {
        PriceTable table = prices == null ? null : SpecCommand.Prices.read(prices);
        List<JsonFields> entries = new ArrayList<>();
        boolean left = false;
        for (Provider provider : on == null ? reachable(azure) : List.of(on)) {
            try (ClusterManager manager = manager(provider, azure, SharedAzure.Want.ASK)) {
                for (MarkedCluster found : manager.untracked()) {
                    if (id == null || found.id().id().equals(id)) {
                        JsonFields entry = json(provider, found, table);
                        entries.add(entry);
                        if (!json) {
                            print(provider, found, table);
                        }
                        left |= delete && !delete(manager, found, entry);
                    }
                }
            }
        }
        print(entries, entry -> entry, "no clusters without a record", entry -> {});
        return ExitCodes.ofDeletion(!left);
    }

    /** Whether nothing is left. */
    private boolean delete(ClusterManager manager, MarkedCluster found, JsonFields entry) {
        DestroyCommand.Deletions done = new DestroyCommand.Deletions();
        done.addOneOfMany("cluster " + found.id(), () -> manager.destroyUntracked(found.id(), new ProgressPrinter()));
        done.addTo(entry);
        if (!json) {
            done.print(out, "  ");
        }
        return done.left.isEmpty();
    }

    private void print(Provider provider, MarkedCluster found, @Nullable PriceTable table) {
        Map<String, Long> kinds = found.resources().stream()
                .collect(Collectors.groupingBy(resource -> resource.kind(), TreeMap::new, Collectors.counting()));
        String parts = kinds.entrySet().stream()
                .map(kind -> kind.getValue() + " " + kind.getKey())
                .collect(Collectors.joining(", "));
        String cost = cost(found, table)
                .map(price -> ", " + price.perHour().toPlainString() + " " + price.currency() + " an hour")
                .orElseGet(() ->
                        found.running().isEmpty() ? "" : ", " + found.running().size() + " machines billed");
        out.printf(
                "%-20s %-8s %s  %s: %s%s%n",
                found.id().name(), provider, found.id().id(), found.place(), parts, cost);
    }

    private static JsonFields json(Provider provider, MarkedCluster found, @Nullable PriceTable table) {
        Optional<Price> cost = cost(found, table);
        return JsonFields.of("name", found.id().name())
                .and("id", found.id().id())
                .and("provider", provider)
                .and("place", found.place())
                .and("resources", found.resources())
                .and("running", found.running())
                .and("perHour", cost.map(Price::perHour))
                .and("currency", cost.map(Price::currency));
    }

    /** The price of the running machines for an hour; empty where a price is not known, or no machine runs. */
    private static Optional<Price> cost(MarkedCluster found, @Nullable PriceTable table) {
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
        return Optional.of(new Price(table.currency(), sum));
    }
}
