package io.clusterwright.examples.hpcpack;

import io.clusterwright.core.catalog.VmSizeFacts;
import io.clusterwright.core.catalog.VmSizes;
import io.clusterwright.core.type.VmSize;
import io.clusterwright.examples.console.RefusedException;
import io.clusterwright.mpi.bench.BenchmarkReport;
import io.clusterwright.mpi.bench.Verdict;
import io.clusterwright.mpi.fabric.FabricEnvelope;
import io.clusterwright.windows.hpcpack.HpcPackTarget;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

@Command(
        name = "verify",
        description =
                "Runs mpipingpong between all pairs of nodes, for latency and for throughput, and judges each pair.")
final class PingPongCommand extends TargetCommand {
    @Option(
            names = "--size",
            paramLabel = "VMSIZE",
            description =
                    "The size of the nodes, such as Standard_A9, to judge by. Default: that of the spec, or no verdict.")
    private @Nullable String size;

    @Option(
            names = "--minutes",
            paramLabel = "N",
            description = "Time limit for each test, with the wait for nodes; default: 30.")
    private int minutes = 30;

    @Option(names = "--plot", paramLabel = "FILE.svg", description = "Draw the latency of the pairs.")
    private @Nullable Path plot;

    @Override
    void check() {
        if (minutes < 1) {
            throw new RefusedException("--minutes " + minutes + " is not possible; give 1 or more");
        }
        facts();
    }

    private Optional<VmSizeFacts> facts() {
        if (size != null) {
            return Optional.of(VmSizes.standard()
                    .find(VmSize.of(size))
                    .orElseThrow(() -> new RefusedException(
                            "the size " + size + " is not in the catalog; clusterwright sizes lists the sizes")));
        }
        return head().spec().flatMap(spec -> VmSizes.standard().ofNodes(spec));
    }

    @Override
    int run(HpcPackTarget target) {
        return new PairVerification(this::judge, Duration.ofMinutes(minutes), head().out(), head().json())
                .run(target, plot);
    }

    private Verdict judge(BenchmarkReport table) {
        return facts().map(known -> FabricEnvelope.judge(known, table))
                .orElseGet(() -> Verdict.notJudged("no size was given; give --size VMSIZE to have it judged"));
    }
}
