package io.clusterwright.examples.cli;

import io.clusterwright.core.catalog.InfiniBand;
import io.clusterwright.core.catalog.VmSizeFacts;
import io.clusterwright.core.catalog.VmSizes;
import io.clusterwright.core.internal.json.JsonFields;
import io.clusterwright.core.spec.Binding;
import io.clusterwright.core.type.Bandwidth;
import io.clusterwright.core.type.Latency;
import io.clusterwright.core.type.VmSize;
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
        return print(sizes, SizesCommand::json, this::print);
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
    private static JsonFields json(VmSizeFacts size) {
        return JsonFields.of("name", size.size().name())
                .and("shortName", size.shortName())
                .and("vcpus", size.vcpus())
                .and("billedCores", size.billedCores())
                .and("memoryGib", size.memoryGib())
                .and("rdma", size.interconnect().isRdma())
                .and("interconnect", size.interconnect())
                .andIf(size.isInterconnectDisputed(), "interconnectDisputed", true)
                .and("infiniBand", size.infiniBand())
                .and("gbps", size.linkRate().map(Bandwidth::gigabitsPerSecond))
                .and("quotaFamily", size.quotaFamily())
                .and("architecture", size.architecture())
                .and("generation2Only", size.isGeneration2Only())
                .and("status", size.status())
                .and("retiredOn", size.retiredOn())
                .and("replacement", size.replacement().map(VmSize::name))
                .andIf(size.ports() > 0, "ports", size.ports())
                .and("verbsLatencyMicros", size.verbsLatency().map(Latency::micros))
                .and("verbsGbpsOfPort", size.verbsBandwidth().map(Bandwidth::gigabitsPerSecond))
                .and("mpiLatencyMicros", size.mpiLatency().map(Latency::micros))
                .and("mpiGbpsOfPort", size.mpiBandwidth().map(Bandwidth::gigabitsPerSecond))
                .and("sockets", size.count(Binding.SOCKET))
                .and("numaDomains", size.count(Binding.NUMA))
                .and("l3Caches", size.count(Binding.L3))
                .and("misreports", size.misreport())
                .andIf(!size.use().isEmpty(), "use", size.use())
                .and("source", size.source());
    }
}
