package io.clusterwright.examples.benchmark;

import java.io.IOException;
import java.util.Collection;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;

/** Work inside the JVM, by JMH: {@link PlanBenchmark} with few and short iterations. */
final class JvmGroup implements Group {
    private static final int ITERATIONS = 5;

    @Override
    public void measure(Settings settings, Report report) throws IOException, InterruptedException {
        Collection<RunResult> results;
        try {
            results = new Runner(new OptionsBuilder()
                            .include(PlanBenchmark.class.getSimpleName() + "\\.read")
                            .param("nodes", "10", "1000", "10000")
                            .warmupIterations(2)
                            .warmupTime(TimeValue.seconds(1))
                            .measurementIterations(ITERATIONS)
                            .measurementTime(TimeValue.milliseconds(500))
                            .forks(1)
                            .shouldFailOnError(true)
                            .output(settings.folder().resolve("jmh.txt").toString())
                            .build())
                    .run();
        } catch (RunnerException e) {
            throw new IOException("JMH did not run: " + e.getMessage(), e);
        }
        for (RunResult result : results) {
            Series series = Series.of("JMH", "ms");
            result.getAggregatedResult().getIterationResults().forEach(iteration -> series.add(
                    iteration.getPrimaryResult().getScore()));
            String name = result.getParams().getBenchmark();
            report.add(
                    "jvm",
                    name.substring(name.lastIndexOf('.') + 1) + ", "
                            + result.getParams().getParam("nodes") + " nodes",
                    series,
                    Row.NO_PEER,
                    Goal.NONE);
        }
    }
}
