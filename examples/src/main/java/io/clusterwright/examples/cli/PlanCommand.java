package io.clusterwright.examples.cli;

import io.clusterwright.core.manager.ClusterManager;
import io.clusterwright.core.plan.Plan;
import io.clusterwright.core.plan.SpecCheck;
import io.clusterwright.core.spec.SpecReader;
import io.clusterwright.examples.console.Explanation;
import io.clusterwright.examples.console.RefusedException;
import java.nio.file.Path;
import java.util.Locale;
import java.util.concurrent.Callable;
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

    @Parameters(paramLabel = "SPEC", description = "The description, as YAML or JSON.")
    private Path spec = Path.of("");

    @Option(names = "--on", paramLabel = "WHERE", description = "Where: local. Default: local.")
    private String on = "local";

    @Override
    public Integer call() {
        if (!on.toLowerCase(Locale.ROOT).equals("local")) {
            throw new RefusedException("plan --on " + on + ": only local can be planned yet; write --on local,"
                    + " or use validate for the rules that need nobody to be asked");
        }
        SpecCheck.Result result = SpecCheck.offline(spec);
        if (!result.reading().isEmpty()) {
            return unreadable(result);
        }
        try (ClusterManager manager = common.manager(Common.On.LOCAL)) {
            Plan plan = manager.plan(SpecReader.read(spec));
            if (common.json) {
                common.print(Descriptions.plan(plan));
            } else {
                common.out.print(plan.toText());
            }
            return plan.feasible() ? Explanation.OK : Explanation.REFUSED;
        }
    }

    private int unreadable(SpecCheck.Result result) {
        if (common.json) {
            common.print(Descriptions.validation(result));
        } else {
            result.reading().forEach(problem -> FindingLines.print(common, spec, problem));
        }
        return Explanation.REFUSED;
    }
}
