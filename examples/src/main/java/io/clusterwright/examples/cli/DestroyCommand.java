package io.clusterwright.examples.cli;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.clusterwright.core.ClusterManager;
import io.clusterwright.core.ClusterSummary;
import io.clusterwright.core.DestroyReport;
import io.clusterwright.core.type.ClusterName;
import io.clusterwright.core.type.ClusterwrightException;
import io.clusterwright.examples.console.ExitCodes;
import io.clusterwright.examples.console.RefusedException;
import io.clusterwright.examples.emulator.SharedAzure;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(name = "destroy", description = "Deletes a cluster, whatever state it is in, and reports what is left.")
final class DestroyCommand implements Callable<Integer> {
    @Mixin
    private Common common = new Common();

    @Mixin
    private AzureOptions azure = new AzureOptions();

    @Parameters(arity = "0..1", paramLabel = "NAME", description = "The cluster's name.")
    private @Nullable String name;

    @Option(names = "--expired", description = "All clusters whose time to live has passed.")
    private boolean expired;

    @Override
    public Integer call() {
        if ((name == null) != expired) {
            throw new RefusedException("destroy needs either the name of a cluster or --expired");
        }
        List<DestroyReport> reports = new ArrayList<>();
        for (Common.On on : name == null ? List.of(Common.On.values()) : whereToLook(ClusterName.parse(name))) {
            try (ClusterManager manager = common.manager(on, azure, SharedAzure.Want.DELETE)) {
                for (ClusterName target : targets(manager)) {
                    reports.add(manager.destroy(target, common.progress()));
                }
            }
        }
        if (name != null && reports.stream().noneMatch(DestroyReport::known)) {
            throw new RefusedException("no cluster is named " + name + " and nothing here carries that name's mark");
        }
        report(reports);
        return reports.stream().allMatch(report -> report.left().isEmpty()) ? ExitCodes.OK : ExitCodes.FAILED;
    }

    /** Where the record says; without one, on Azure only where the command line says which. */
    private List<Common.On> whereToLook(ClusterName cluster) {
        for (Common.On on : Common.On.values()) {
            try (ClusterManager manager = common.manager(on, azure, SharedAzure.Want.DELETE)) {
                if (manager.list().stream().anyMatch(one -> one.name().equals(cluster))) {
                    return List.of(on);
                }
            } catch (ClusterwrightException e) {
                // A record that cannot be read is no obstacle: what carries the cluster's mark is looked for.
                break;
            }
        }
        List<Common.On> unnamed = new ArrayList<>(List.of(Common.On.LOCAL, Common.On.EMULATOR));
        if (azure.given()) {
            unnamed.add(Common.On.AZURE);
        }
        return unnamed;
    }

    private List<ClusterName> targets(ClusterManager manager) {
        if (name != null) {
            return List.of(ClusterName.parse(name));
        }
        Instant now = Instant.now();
        return manager.list().stream()
                .filter(cluster -> cluster.expires().map(now::isAfter).orElse(false))
                .map(ClusterSummary::name)
                .toList();
    }

    private void report(List<DestroyReport> reports) {
        ObjectNode json = Common.JSON.createObjectNode();
        ArrayNode deleted = json.putArray("deleted");
        ArrayNode left = json.putArray("left");
        for (DestroyReport report : reports) {
            report.deleted().forEach(resource -> deleted.add(resource.toString()));
            report.left().forEach((resource, reason) -> left.add(resource + ": " + reason));
        }
        if (common.json) {
            common.print(json);
            return;
        }
        deleted.forEach(resource -> common.out.println("deleted " + resource.asText()));
        left.forEach(resource -> common.out.println("left    " + resource.asText()));
        if (left.isEmpty()) {
            common.out.println(deleted.isEmpty() ? "nothing to delete" : "nothing is left");
        }
    }
}
