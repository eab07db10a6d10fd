package io.clusterwright.examples.cli;

import io.clusterwright.core.ClusterManager;
import io.clusterwright.core.catalog.QuotaFile;
import io.clusterwright.core.plan.Plan;
import io.clusterwright.core.plan.Planner;
import io.clusterwright.core.plan.PriceTable;
import io.clusterwright.core.plan.Severity;
import io.clusterwright.core.plan.SpecCheck;
import io.clusterwright.core.spec.ClusterSpec;
import io.clusterwright.core.spec.InvalidSpecException;
import io.clusterwright.examples.console.ExitCodes;
import io.clusterwright.examples.console.RefusedException;
import io.clusterwright.examples.emulator.SharedAzure;
import java.nio.file.Path;
import java.util.Locale;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
        name = "plan",
        description = "Says what creating a cluster would do and what stands in its way; touches nothing.")
final class PlanCommand implements Callable<Integer> {
    @Mixin
    private Common common = new Common();

    @Mixin
    private AzureOptions azure = new AzureOptions();

    @Parameters(paramLabel = "SPEC", description = SpecInput.HELP)
    private Path spec = Path.of("");

    @Option(
            names = "--on",
            paramLabel = "WHERE",
            description =
                    "Where: azure, asked when --subscription or --endpoint is given and from the catalogs alone otherwise;"
                            + " emulator; or local. Default: azure.")
    private String on = "azure";

    @Option(
            names = "--prices",
            paramLabel = "FILE",
            description = "What machines cost: {currency: EUR, perHour: {Standard_HB120rs_v3: 3.60}}, as YAML or JSON.")
    private @Nullable Path prices;

    @Option(
            names = "--quota",
            paramLabel = "FILE",
            description = "What the subscription allows: CSV with the columns family,used,limit.")
    private @Nullable Path quota;

    @Option(
            names = "--severity",
            paramLabel = "LEVEL",
            description = "Shows findings of this level and worse: error, warning or info. Default: info.")
    private Severity severity = Severity.INFO;

    @Override
    public Integer call() {
        PriceTable table = prices == null ? null : PriceTable.read(prices);
        try {
            Plan plan = plan(SpecInput.read(spec), table).atLeast(severity);
            if (common.json) {
                common.print(Descriptions.plan(plan));
            } else {
                common.out.print(plan.toText());
            }
            return plan.feasible() ? ExitCodes.OK : ExitCodes.REFUSED;
        } catch (InvalidSpecException e) {
            return unreadable(SpecCheck.refused(e));
        }
    }

    private Plan plan(ClusterSpec read, @Nullable PriceTable table) {
        return switch (on.toLowerCase(Locale.ROOT)) {
            case "azure" ->
                azure.given()
                        ? asked(Common.On.AZURE, read, table)
                        : planner(table).plan(read);
            case "emulator" -> asked(Common.On.EMULATOR, read, table);
            case "local" -> asked(Common.On.LOCAL, read, table);
            default -> throw new RefusedException("plan --on " + on + ": write --on azure, emulator or local");
        };
    }

    private Plan asked(Common.On provider, ClusterSpec read, @Nullable PriceTable table) {
        try (ClusterManager manager = common.manager(provider, azure, SharedAzure.Want.ASK)) {
            return table == null ? manager.plan(read) : manager.plan(read, table);
        }
    }

    private Planner planner(@Nullable PriceTable table) {
        Planner planner = table == null ? Planner.offline() : Planner.offline().prices(table);
        return quota == null ? planner : planner.quota(QuotaFile.read(quota));
    }

    private int unreadable(SpecCheck.Result result) {
        if (common.json) {
            common.print(Descriptions.validation(result));
        } else {
            result.reading().forEach(problem -> FindingLines.print(common, SpecInput.name(spec), problem));
        }
        return ExitCodes.REFUSED;
    }
}
