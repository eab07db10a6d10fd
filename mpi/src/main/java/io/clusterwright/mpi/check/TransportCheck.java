package io.clusterwright.mpi.check;

import io.clusterwright.core.internal.concurrent.WaitTime;
import io.clusterwright.core.plan.Finding;
import io.clusterwright.core.type.InvalidValueException;
import io.clusterwright.core.type.NodeName;
import io.clusterwright.mpi.MpiJob;
import io.clusterwright.mpi.PlacedMpiJob;
import io.clusterwright.mpi.bench.BenchmarkStream;
import io.clusterwright.mpi.bench.Transport;
import io.clusterwright.mpi.bench.Verdict;
import io.clusterwright.mpi.internal.engine.MpiChoice;
import io.clusterwright.mpi.internal.finding.MpiFinding;
import io.clusterwright.mpi.job.JobInterruptedException;
import io.clusterwright.mpi.job.JobResult;
import io.clusterwright.mpi.job.JobTarget;
import io.clusterwright.mpi.job.MpiInstallation;
import io.clusterwright.mpi.job.MpiNotFoundException;
import io.clusterwright.mpi.spi.LaunchTarget;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Finds the transport that an MPI uses between two nodes. Use it to see whether MPI uses the RDMA network.
 *
 * <pre>{@code
 * TransportCheck.Report used = TransportCheck.between(
 *                 two, two.nodeNames().get(0), two.nodeNames().get(1))
 *         .run(Duration.ofMinutes(1));
 * Transport transport = used.transport();
 * System.out.println(transport.kind() + " " + transport.names());
 * }</pre>
 *
 * <p>It runs a short ping-pong that prints the transport; the measured times are not reported. On nodes with an RDMA
 * interconnect only RDMA passes.
 */
public final class TransportCheck {
    private final LaunchTarget pair;
    private final @Nullable MpiInstallation installation;
    private final Map<String, String> environment;

    private TransportCheck(LaunchTarget pair, @Nullable MpiInstallation installation, Map<String, String> environment) {
        this.pair = pair;
        this.installation = installation;
        this.environment = environment;
    }

    /**
     * The check between two nodes; the first starts it.
     *
     * @throws InvalidValueException when the target has no such node
     */
    public static TransportCheck between(JobTarget target, NodeName first, NodeName second) {
        return new TransportCheck(LaunchTarget.of(target).exactly(List.of(first, second)), null, Map.of());
    }

    /** Sets the MPI installation. */
    public TransportCheck installation(MpiInstallation mpi) {
        return new TransportCheck(pair, mpi, environment);
    }

    /** Adds a variable for both ranks, such as a variable of an application. */
    public TransportCheck environment(String name, String value) {
        Map<String, String> all = new LinkedHashMap<>(environment);
        all.put(name, value);
        return new TransportCheck(pair, installation, all);
    }

    /**
     * Runs the check, at most this long. A benchmark that has measured and does not end within 5 s is ended. It passes only when the
     * nodes exchanged messages.
     *
     * @throws MpiNotFoundException when there is no MPI on the first node
     * @throws JobInterruptedException when this thread was interrupted
     */
    public Report run(Duration limit) {
        MpiInstallation mpi = MpiChoice.installationOn(pair, installation);
        PingPongProgram program = PingPongProgram.on(pair, mpi)
                .orElseThrow(() -> PingPongProgram.notFound(pair.nodes().get(0).name(), mpi));
        Map<String, String> variables = new TreeMap<>(TransportReader.environment(mpi.flavour()));
        variables.putAll(environment);
        MpiJob asking =
                MpiJob.of(program.shortest()).installation(mpi).ranksPerNode(1).withoutRankLabels();
        for (Map.Entry<String, String> variable : variables.entrySet()) {
            asking = asking.environment(variable.getKey(), variable.getValue());
        }
        List<String> lines = Collections.synchronizedList(new ArrayList<>());
        AtomicLong complete = new AtomicLong();
        BenchmarkStream table = new BenchmarkStream(row -> {
            if (row.bytes().orElse(0) >= PingPongProgram.SHORTEST) {
                complete.compareAndSet(0, WaitTime.RUNNING.nanos());
            }
        });
        PlacedMpiJob measurement = asking.on(pair).onOutput(line -> {
            lines.add(line.text());
            table.feed(line.text() + "\n");
        });
        JobResult result = PingPongCheck.untilMeasured(measurement, limit, complete);
        Transport named = TransportReader.read(List.copyOf(lines).stream());
        // A rank that failed before it met the other has named its way to itself only.
        boolean met = result.succeeded() || complete.get() != 0;
        Transport transport = named.kind() == Transport.Kind.SHARED_MEMORY && !met ? Transport.unknown() : named;
        return new Report(result, transport, judge(transport, met), met ? "" : why(result));
    }

    private static String why(JobResult result) {
        return MpiFinding.cause(result)
                .map(Finding::message)
                .orElseGet(() -> result.outcome() == JobResult.Outcome.ENDED
                        ? "it ended with " + MpiFinding.exitStatus(result)
                        : "it did not finish: " + result.outcome());
    }

    /** An MPI that opened a device and then sent nothing through it, such as for want of locked memory, has proven nothing. */
    private Verdict judge(Transport transport, boolean met) {
        Verdict verdict = transport.judge(pair.interconnect());
        return verdict.status() == Verdict.Status.PASSED && !met
                ? Verdict.notJudged("MPI chose " + transport + " and failed before a message had crossed it")
                : verdict;
    }

    /**
     * The result of a check. A benchmark that failed after it had named its transport still has the transport, and is no pass.
     *
     * @param result the run
     * @param transport what carried the messages
     * @param verdict what that is worth on these nodes
     * @param problem why the nodes exchanged no messages in this run; empty when they did
     */
    public record Report(JobResult result, Transport transport, Verdict verdict, String problem) {}
}
