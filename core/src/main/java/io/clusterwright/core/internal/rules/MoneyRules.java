package io.clusterwright.core.internal.rules;

import static io.clusterwright.core.spi.Rule.Where.CLOUD;
import static io.clusterwright.core.spi.Rule.Where.EVERYWHERE;

import io.clusterwright.core.plan.PlannedMachines;
import io.clusterwright.core.plan.PriceTable.Price;
import io.clusterwright.core.spec.ClusterSpec;
import io.clusterwright.core.spi.Facts;
import io.clusterwright.core.spi.Rule;
import java.math.BigDecimal;
import java.util.List;
import java.util.Optional;

/** Rules on the cost and the lifetime of a cluster, and the price of its machines. */
public final class MoneyRules {
    private MoneyRules() {}

    static List<Rule> rules() {
        return List.of(
                Rule.warning(
                        "CW-COST-001",
                        CLOUD,
                        "there is no timeToLive: the machines run, and cost money, until you destroy the cluster",
                        "write timeToLive: 8h, or the time that the work needs. At its end Azure stops the machines, or deletes"
                                + " the instances of a scale set; disks and addresses are billed until destroy",
                        MoneyRules::endless),
                Rule.error(
                        "CW-COST-002",
                        CLOUD,
                        "the machines cost more per hour than costCap allows",
                        "lower nodes.count, choose a smaller nodes.size, or raise costCap.perHour",
                        MoneyRules::aboveCap),
                Rule.error(
                        "CW-COST-003",
                        CLOUD,
                        "costCap and the price table have different currencies",
                        "use one currency in costCap and in the price table",
                        MoneyRules::otherCurrency),
                Rule.warning(
                        "CW-COST-004",
                        EVERYWHERE,
                        "timeToLive ends before the nodes have to be ready",
                        "write a timeToLive longer than nodes.deadline",
                        MoneyRules::tooShort));
    }

    private static void endless(ClusterSpec spec, Facts facts, Rule.Report report) {
        boolean ofFiles = spec.hpcPack().filter(pack -> pack.head().isEmpty()).isPresent();
        if (spec.timeToLive().isEmpty() && !ofFiles) {
            // create makes no proxies, and no machines that only the files of a scenario make
            int machines = spec.hpcPack().isPresent() ? spec.nodes().count() : SpecQueries.machines(spec);
            report.add(
                    "timeToLive",
                    "there is no timeToLive: " + machines
                            + " machines run, and cost money, until you destroy the cluster");
        }
    }

    private static void aboveCap(ClusterSpec spec, Facts facts, Rule.Report report) {
        spec.costCap()
                .ifPresent(cap -> price(spec, facts)
                        .filter(price -> price.currency().equals(cap.currency())
                                && price.perHour().compareTo(cap.perHour()) > 0)
                        .ifPresent(price -> report.add(
                                "costCap.perHour",
                                "the machines cost " + price.perHour() + " " + price.currency()
                                        + " per hour, and costCap allows " + cap.perHour())));
    }

    private static void otherCurrency(ClusterSpec spec, Facts facts, Rule.Report report) {
        spec.costCap()
                .ifPresent(cap -> facts.prices()
                        .filter(table -> !table.currency().equals(cap.currency()))
                        .ifPresent(table -> report.add(
                                "costCap.currency",
                                "costCap is in " + cap.currency() + ", and the price table is in "
                                        + table.currency())));
    }

    private static void tooShort(ClusterSpec spec, Facts facts, Rule.Report report) {
        spec.timeToLive()
                .filter(time -> time.compareTo(spec.nodes().deadline()) <= 0)
                .ifPresent(time -> report.add(
                        "timeToLive",
                        "timeToLive is " + time.toMinutes() + " min, and nodes.deadline gives the nodes "
                                + spec.nodes().deadline().toMinutes() + " min to become ready"));
    }

    /** The price of all machines for an hour; empty without a price table, or when it lacks one of the sizes. */
    public static Optional<Price> price(ClusterSpec spec, Facts facts) {
        if (spec.nodes().size().isEmpty()) {
            return Optional.empty();
        }
        return facts.prices().flatMap(table -> {
            BigDecimal sum = BigDecimal.ZERO;
            for (PlannedMachines machines : PlannedMachines.of(spec)) {
                Optional<BigDecimal> one = table.of(machines.size());
                if (one.isEmpty()) {
                    return Optional.empty();
                }
                sum = sum.add(one.get().multiply(BigDecimal.valueOf(machines.count())));
            }
            return Optional.of(new Price(table.currency(), sum));
        });
    }
}
