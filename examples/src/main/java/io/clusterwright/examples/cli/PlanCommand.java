package io.clusterwright.examples.cli;

import io.clusterwright.core.ClusterManager;
import io.clusterwright.core.Planner;
import io.clusterwright.core.catalog.QuotaUse;
import io.clusterwright.core.plan.Plan;
import io.clusterwright.core.plan.PriceTable;
import io.clusterwright.core.spec.ClusterSpec;
import io.clusterwright.core.spec.InvalidSpecException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(name = "plan", description = "Shows the steps of create, with findings, quota and price; changes nothing.")
final class PlanCommand extends SpecCommand {
    @Mixin
    private AzureOptions azure = new AzureOptions();

    @Option(
            names = "--on",
            paramLabel = "WHERE",
            description =
                    "Provider: azure, emulator or local. Default: azure. Without --subscription or --endpoint the plan is"
                            + " offline.")
    private String on = "azure";

    @Mixin
    private Prices prices = new Prices();

    @Option(
            names = "--quota",
            paramLabel = "FILE",
            description = "Quota of the subscription: CSV with the columns family,used,limit.")
    private @Nullable Path quota;

    @Mixin
    private Shown shown = new Shown();

    @Override
    public Integer call() {
        if (quota != null && (azure.given() || !on.equalsIgnoreCase("azure"))) {
            throw new RefusedException("--quota " + quota
                    + " replaces the usage of a subscription in an offline plan; remove --quota, or remove --on, "
                    + "--subscription and --endpoint");
        }
        PriceTable table = prices.table().orElse(null);
        try {
            Plan plan = plan(spec(), table).atLeast(shown.severity);
            print(() -> MethodNames.removed(plan.toMap()), () -> out.print(MethodNames.removed(plan.toText())));
            return ExitCodes.ofSpec(plan.isFeasible());
        } catch (InvalidSpecException e) {
            print(Planner.findings(e));
            return ExitCodes.REFUSED;
        }
    }

    private Plan plan(ClusterSpec read, @Nullable PriceTable table) {
        return switch (on.toLowerCase(Locale.ROOT)) {
            case "azure" ->
                azure.given()
                        ? queried(Provider.AZURE, read, table)
                        : planner(table).plan(read);
            case "emulator" -> queried(Provider.EMULATOR, read, table);
            case "local" -> queried(Provider.LOCAL, read, table);
            default -> throw new RefusedException("--on " + on + ": write --on azure, emulator or local");
        };
    }

    private Plan queried(Provider provider, ClusterSpec read, @Nullable PriceTable table) {
        try (ClusterManager manager = manager(provider, azure, SharedAzure.Want.ASK)) {
            return table == null ? manager.plan(read) : manager.plan(read, table);
        }
    }

    private Planner planner(@Nullable PriceTable table) {
        Planner planner = table == null ? Planner.offline() : Planner.offline().prices(table);
        return quota == null ? planner : planner.quota(uses(quota));
    }

    /** The quotas of a file; a problem in it is refused under its own name, not under the spec's. */
    private static List<QuotaUse> uses(Path file) {
        try {
            return QuotaUse.read(file);
        } catch (InvalidSpecException e) {
            throw new RefusedException("--quota: " + e.getMessage());
        }
    }
}
