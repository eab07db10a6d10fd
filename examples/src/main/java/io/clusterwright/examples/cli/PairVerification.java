package io.clusterwright.examples.cli;

import io.clusterwright.core.internal.json.JsonFields;
import io.clusterwright.core.type.ClusterwrightException;
import io.clusterwright.mpi.bench.BenchmarkReport;
import io.clusterwright.mpi.bench.Verdict;
import io.clusterwright.mpi.job.JobTarget;
import io.clusterwright.windows.hpcpack.MpiPingPong;
import java.nio.file.Path;
import java.time.Duration;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The ping-pong of HPC Pack between all pairs of nodes, for latency and for throughput, with a verdict about each.
 *
 * @param command prints the tables, or one JSON document
 * @param limit the time of each test, with the wait for nodes
 */
record PairVerification(ProgramCommand command, Function<BenchmarkReport, Verdict> judge, Duration limit) {

    /** Measures, prints and draws the latency where a file is named; returns the exit status. */
    int run(JobTarget nodes, @Nullable Path plot) {
        if (nodes.nodeNames().size() < 2) {
            throw new RefusedException("a ping-pong needs two nodes, and "
                    + nodes.nodeNames().get(0) + " is the only node that accepts jobs; bring more nodes online");
        }
        BenchmarkReport latency = measure(nodes, MpiPingPong.latency());
        Verdict aboutLatency = show("latency", latency);
        BenchmarkReport throughput = measure(nodes, MpiPingPong.throughput());
        Verdict aboutThroughput = show("throughput", throughput);
        if (plot != null) {
            ProgramCommand.write(plot, latency.toSvg());
        }
        boolean good =
                aboutLatency.status() != Verdict.Status.FAILED && aboutThroughput.status() != Verdict.Status.FAILED;
        if (command.json) {
            command.print(JsonFields.of("latency", latency.toMap(aboutLatency))
                    .and("throughput", throughput.toMap(aboutThroughput))
                    .and("passed", good));
        }
        return ExitCodes.ofVerdict(good);
    }

    private BenchmarkReport measure(JobTarget nodes, MpiPingPong test) {
        ProgressPrinter notes = new ProgressPrinter();
        MpiPingPong.Report report = test.run(nodes, limit);
        report.result().findings().forEach(notes::finding);
        report.parsed().findings().forEach(notes::finding);
        if (!report.result().succeeded() || report.table().isEmpty()) {
            report.result().outputTail().forEach(line -> notes.line("  " + line.text()));
            throw new ClusterwrightException(test + " printed an incomplete table: the job ended as "
                    + report.result().outcome() + "; its output is above");
        }
        return report.table().get();
    }

    private Verdict show(String test, BenchmarkReport table) {
        Verdict verdict = judge.apply(table);
        if (!command.json) {
            command.print(test + ":", table, verdict);
        }
        return verdict;
    }
}
