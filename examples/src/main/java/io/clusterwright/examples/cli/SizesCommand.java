package io.clusterwright.examples.cli;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.clusterwright.core.catalog.InfiniBand;
import io.clusterwright.core.catalog.VmSizeFacts;
import io.clusterwright.core.catalog.VmSizes;
import io.clusterwright.core.internal.json.Json;
import io.clusterwright.examples.console.ExitCodes;
import java.math.BigDecimal;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

@Command(name = "sizes", description = "Lists the VM sizes of the catalog.")
final class SizesCommand extends ProgramCommand {
    @Option(names = "--rdma", description = "Only sizes with an RDMA interconnect.")
    private boolean rdma;

    @Option(names = "--add", paramLabel = "FILE.csv", description = "More rows; they override rows of the catalog.")
    private @Nullable Path add;

    @Override
    public Integer call() {
        VmSizes catalog = add == null ? VmSizes.standard() : VmSizes.standard().plus(add);
        List<VmSizeFacts> sizes = rdma ? catalog.rdma() : catalog.all();
        if (!json) {
            out.printf(
                    "%-29s %5s %6s %8s  %-16s %-10s %9s  %s%n",
                    "SIZE", "CORES", "BILLED", "GIB", "INTERCONNECT", "LINK", "GBIT/S", "STATUS");
        }
        print(sizes, SizesCommand::json, this::print);
        return ExitCodes.OK;
    }

    private void print(VmSizeFacts size) {
        out.printf(
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

    /** The JSON form of a size; unknown facts are absent keys. */
    private static ObjectNode json(VmSizeFacts size) {
        ObjectNode json = Json.object()
                .put("name", size.size().name())
                .put("shortName", size.shortName())
                .put("vcpus", size.vcpus())
                .put("billedCores", size.billedCores())
                .put("memoryGib", size.memoryGib())
                .put("rdma", size.interconnect().isRdma())
                .put("interconnect", size.interconnect().toString());
        if (size.isInterconnectDisputed()) {
            json.put("interconnectDisputed", true);
        }
        size.infiniBand().ifPresent(generation -> json.put("infiniBand", generation.toString()));
        size.linkRate().ifPresent(rate -> json.put("gbps", rate.gigabitsPerSecond()));
        size.quotaFamily().ifPresent(family -> json.put("quotaFamily", family));
        json.put("architecture", size.architecture().toString());
        json.put("generation2Only", size.isGeneration2Only());
        json.put("status", size.status().toString());
        size.retiredOn().ifPresent(day -> json.put("retiredOn", day.toString()));
        size.replacement().ifPresent(name -> json.put("replacement", name.name()));
        if (size.ports() > 0) {
            json.put("ports", size.ports());
        }
        size.verbsLatency().ifPresent(latency -> json.put("verbsLatencyMicros", latency.micros()));
        size.verbsBandwidth().ifPresent(bandwidth -> json.put("verbsGbpsOfPort", bandwidth.gigabitsPerSecond()));
        size.mpiLatency().ifPresent(latency -> json.put("mpiLatencyMicros", latency.micros()));
        size.mpiBandwidth().ifPresent(bandwidth -> json.put("mpiGbpsOfPort", bandwidth.gigabitsPerSecond()));
        if (!size.use().isEmpty()) {
            json.put("use", size.use());
        }
        return json.put("source", size.source());
    }
}
