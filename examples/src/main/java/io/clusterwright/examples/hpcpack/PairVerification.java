package io.clusterwright.examples.hpcpack;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.clusterwright.core.internal.json.Json;
import io.clusterwright.core.type.ClusterwrightException;
import io.clusterwright.examples.console.ExitCodes;
import io.clusterwright.examples.console.ProgressPrinter;
import io.clusterwright.examples.console.RefusedException;
import io.clusterwright.mpi.bench.BenchmarkReport;
import io.clusterwright.mpi.bench.Verdict;
import io.clusterwright.mpi.job.JobTarget;
import io.clusterwright.windows.hpcpack.MpiPingPong;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The ping-pong of HPC Pack between all pairs of nodes, for latency and for throughput, with a verdict about each. */
public final class PairVerification {
    private final Function<BenchmarkReport, Verdict> judge;
    private final Duration limit;
    private final PrintStream out;
    private final boolean asJson;
    private final ProgressPrinter notes = new ProgressPrinter();

    /**
     * A verification that has not begun.
     *
     * @param limit the time of each test, with the wait for nodes
     * @param out takes the tables, or one JSON document
     */
    public PairVerification(Function<BenchmarkReport, Verdict> judge, Duration limit, PrintStream out, boolean asJson) {
        this.judge = judge;
        this.limit = limit;
        this.out = out;
        this.asJson = asJson;
    }

    /** Measures, prints and draws the latency where a file is named; returns the exit status. */
    public int run(JobTarget nodes, @Nullable Path plot) {
        if (nodes.nodeNames().size() < 2) {
            throw new RefusedException("a ping-pong needs two nodes, and "
                    + nodes.nodeNames().get(0) + " alone takes jobs; bring more nodes online");
        }
        ObjectNode json = Json.object();
        BenchmarkReport latency = measure(nodes, MpiPingPong.latency());
        boolean good = show("latency", latency, json);
        good &= show("throughput", measure(nodes, MpiPingPong.throughput()), json);
        if (plot != null) {
            write(plot, latency.toSvg());
        }
        if (asJson) {
            out.println(Json.indented(json.put("passed", good)));
        }
        return ExitCodes.ofVerdict(good);
    }

    private BenchmarkReport measure(JobTarget nodes, MpiPingPong test) {
        MpiPingPong.Report report = test.run(nodes, limit);
        report.result().findings().forEach(notes::finding);
        report.parsed().findings().forEach(notes::finding);
        if (!report.result().succeeded() || report.table().isEmpty()) {
            report.result().outputTail().forEach(line -> notes.line("  " + line.text()));
            throw new ClusterwrightException(test + " printed no whole table: the job ended as "
                    + report.result().outcome() + "; its output is above");
        }
        return report.table().get();
    }

    /** Whether no pair is bad. */
    private boolean show(String test, BenchmarkReport table, ObjectNode json) {
        Verdict verdict = judge.apply(table);
        if (asJson) {
            json.set(test, Json.MAPPER.<JsonNode>valueToTree(table.toJson(verdict)));
        } else {
            out.println(test + ":");
            table.toTable().lines().forEach(out::println);
            out.println("verdict: " + verdict.status().key());
            verdict.reasons().forEach(reason -> out.println("  " + reason));
        }
        return verdict.status() != Verdict.Status.FAILED;
    }

    private static void write(Path file, String text) {
        try {
            Files.writeString(file, text);
        } catch (IOException e) {
            throw new ClusterwrightException(
                    "cannot write " + file + ": " + e + "; name a file in a folder that exists", e);
        }
    }
}
