package io.clusterwright.examples.cli;

import com.fasterxml.jackson.databind.node.ArrayNode;
import io.clusterwright.core.catalog.InfiniBand;
import io.clusterwright.core.catalog.VmSizeFacts;
import io.clusterwright.core.catalog.VmSizes;
import io.clusterwright.examples.console.ExitCodes;
import java.math.BigDecimal;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(name = "sizes", description = "Lists the sizes of machines that the catalog knows.")
final class SizesCommand implements Callable<Integer> {
    @Mixin
    private Common common = new Common();

    @Option(names = "--rdma", description = "Only those with an RDMA interconnect.")
    private boolean rdma;

    @Option(names = "--add", paramLabel = "FILE.csv", description = "Rows of your own, which win over the catalog's.")
    private @Nullable Path add;

    @Override
    public Integer call() {
        VmSizes catalog = add == null ? VmSizes.standard() : VmSizes.standard().plus(add);
        List<VmSizeFacts> sizes = rdma ? catalog.rdma() : catalog.all();
        if (common.json) {
            ArrayNode array = Common.JSON.createArrayNode();
            sizes.forEach(size -> array.add(CatalogJson.size(size)));
            common.print(array);
            return ExitCodes.OK;
        }
        common.out.printf(
                "%-29s %5s %6s %8s  %-16s %-10s %9s  %s%n",
                "SIZE", "CORES", "BILLED", "GIB", "INTERCONNECT", "LINK", "GBIT/S", "STATUS");
        sizes.forEach(this::print);
        return ExitCodes.OK;
    }

    private void print(VmSizeFacts size) {
        common.out.printf(
                Locale.ROOT,
                "%-29s %5d %6d %8s  %-16s %-10s %9s  %s%n",
                size.size(),
                size.vcpus(),
                size.billedCores(),
                BigDecimal.valueOf(size.memoryGib()).stripTrailingZeros().toPlainString(),
                size.interconnect() + (size.isInterconnectDisputed() ? "?" : ""),
                size.infiniBand().map(InfiniBand::toString).orElse("-"),
                size.linkRate()
                        .map(rate -> "%.0f".formatted(rate.gigabitsPerSecond()))
                        .orElse("-"),
                size.status()
                        + size.retiredOn().map(day -> " " + day).orElse("")
                        + size.replacement().map(name -> " -> " + name).orElse(""));
    }
}
