package io.clusterwright.examples.benchmark;

import io.clusterwright.core.Planner;
import io.clusterwright.core.plan.Plan;
import io.clusterwright.core.plan.RenderedFiles;
import io.clusterwright.core.spec.ClusterSpec;
import io.clusterwright.core.spec.SpecReader;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/** What a description of many nodes costs before anything is made. The heap is held to what the project promises. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
@Warmup(iterations = 3, time = 2)
@Measurement(iterations = 5, time = 2)
@Fork(value = 1, jvmArgsAppend = "-Xmx128m")
public class PlanBenchmark {
    /** How many nodes. */
    @Param({"10", "1000", "10000"})
    public int nodes;

    private String text = "";
    private ClusterSpec spec;

    /** Makes the description: a subnet that holds 10,000 nodes, one finding suppressed, since no placement does. */
    @Setup
    public void describe() {
        text =
                """
                name: wing
                region: westeurope
                timeToLive: 8h
                nodes: {count: %d, size: Standard_HB120rs_v3, firstIndex: 1}
                network:
                  addressSpace: 10.32.0.0/16
                  subnet: {name: Subnet-1, range: 10.32.0.0/17}
                  firstAddress: 10.32.0.10
                image: {capture: true}
                extensions: [{name: InfiniBandDriverLinux}]
                suppress: [CW-PLACE-001]
                """
                        .formatted(nodes);
        spec = SpecReader.read(text, "wing.yaml");
    }

    /** Text to description. */
    @Benchmark
    public ClusterSpec read() {
        return SpecReader.read(text, "wing.yaml");
    }

    /** Description to plan, written as text. */
    @Benchmark
    public String plan() {
        Plan plan = Planner.offline().plan(spec);
        return plan.toText();
    }

    /** Description to every file of all modules. */
    @Benchmark
    public RenderedFiles render() {
        return Planner.offline().render(spec);
    }

    /** All of it. */
    @Benchmark
    public RenderedFiles readPlanAndRender() {
        ClusterSpec read = SpecReader.read(text, "wing.yaml");
        if (!Planner.offline().plan(read).isFeasible()) {
            throw new IllegalStateException("the description has errors");
        }
        return Planner.offline().render(read);
    }

    /** All of it in a JVM that has not done it before, as a command line does. */
    @Benchmark
    @BenchmarkMode(Mode.SingleShotTime)
    @Warmup(iterations = 0)
    @Measurement(iterations = 1)
    @Fork(value = 7, jvmArgsAppend = "-Xmx128m")
    public RenderedFiles coldReadPlanAndRender() {
        return readPlanAndRender();
    }
}
