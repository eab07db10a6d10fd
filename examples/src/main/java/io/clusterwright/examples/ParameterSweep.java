package io.clusterwright.examples;

import io.clusterwright.core.Cluster;
import io.clusterwright.linux.Hosts;
import io.clusterwright.mpi.MpiJob;
import io.clusterwright.mpi.job.JobResult;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * A scientific application that runs one MPI job for each value of a parameter, on hosts that exist already: the hosts of a machine file, or
 * the hosts that Slurm or PBS allocated ({@link Hosts#ofThisJob()}). Ctrl-C leaves no process on the hosts.
 */
public final class ParameterSweep {
    private static final Duration LIMIT = Duration.ofMinutes(10);

    private ParameterSweep() {}

    /** Runs {@code PROGRAM VALUE} for each value: {@code MACHINEFILE PROGRAM VALUE…}; without a machine file, {@code -}. */
    public static void main(String[] arguments) {
        Hosts hosts = arguments[0].equals("-") ? Hosts.ofThisJob() : Hosts.machineFile(Path.of(arguments[0]));
        List<String> values = List.of(arguments).subList(2, arguments.length);
        try (Cluster cluster = hosts.connect()) {
            run(cluster, arguments[1], values).forEach((value, lines) -> System.out.println(value + " " + lines));
        }
    }

    /** The lines that the ranks printed, for each value. */
    static Map<String, List<String>> run(Cluster hosts, String program, List<String> values) {
        Map<String, List<String>> results = new TreeMap<>();
        for (String value : values) {
            List<String> lines = new ArrayList<>();
            JobResult result = MpiJob.of(program, value)
                    .on(hosts)
                    .onOutput(line -> lines.add(line.text()))
                    .run(LIMIT);
            if (result.succeeded()) {
                results.put(value, List.copyOf(lines));
            } else {
                System.err.println(value + ": " + result.outcome());
                result.firstFailure().ifPresent(rank -> System.err.println("  first failure: " + rank));
                result.findings().forEach(finding -> System.err.println("  " + finding.message()));
            }
        }
        return results;
    }
}
