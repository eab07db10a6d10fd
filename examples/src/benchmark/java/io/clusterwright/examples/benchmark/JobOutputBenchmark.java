package io.clusterwright.examples.benchmark;

import io.clusterwright.core.RunningCommand.OutputListener;
import io.clusterwright.core.spec.MpiFlavour;
import io.clusterwright.core.type.Ipv4Address;
import io.clusterwright.core.type.NodeName;
import io.clusterwright.mpi.internal.explain.JobOutput;
import io.clusterwright.mpi.internal.explain.RankFiles;
import io.clusterwright.mpi.internal.launch.HydraLauncher;
import io.clusterwright.mpi.internal.launch.OpenMpiLauncher;
import io.clusterwright.mpi.job.MpiInstallation;
import io.clusterwright.mpi.spi.JobFolder;
import io.clusterwright.mpi.spi.LaunchNode;
import io.clusterwright.mpi.spi.LaunchRequest;
import io.clusterwright.mpi.spi.Launcher;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.Set;
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
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/** The cost of 50 MB of a job's output on this machine, without connections and launchers. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.SingleShotTime)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
@Warmup(iterations = 5)
@Measurement(iterations = 15)
@Fork(1)
public class JobOutputBenchmark {
    private static final int SIZE = 50_000_000;
    private static final int PIECE = 32 * 1024;

    /** Lines of 80 characters, or random bytes. */
    @Param({"text", "random"})
    public String content;

    /** The launcher whose labels stand before each line; those lines are written to files. */
    @Param({"none", "MPICH", "OPEN_MPI"})
    public String labels;

    private byte[][] pieces = {};
    private Launcher launcher;
    private LaunchRequest request;
    private Path folder;

    /** Makes the output as the launcher prints it. */
    @Setup
    public void print() throws IOException {
        byte[] bytes = new byte[SIZE];
        if (content.equals("text")) {
            byte[] line = ("step 0123456 of a solver ".repeat(4).substring(0, 79) + "\n").getBytes(StandardCharsets.US_ASCII);
            for (int i = 0; i < SIZE; i++) {
                bytes[i] = line[i % line.length];
            }
        } else {
            new Random(1).nextBytes(bytes);
        }
        boolean openMpi = labels.equals("OPEN_MPI");
        JobFolder job = new JobFolder("cwjob-0123456789abcdef");
        launcher = openMpi ? new OpenMpiLauncher() : new HydraLauncher();
        request = LaunchRequest.of(
                new MpiInstallation(
                        openMpi ? MpiFlavour.OPEN_MPI : MpiFlavour.MPICH, openMpi ? "4.1.4" : "4.0.2", "/usr/bin/mpirun"),
                List.of(new LaunchNode(NodeName.of("node1"), Ipv4Address.of("10.0.0.1"), 1)),
                job,
                List.of("solver"));
        String label = openMpi ? "[1,0]<stdout>:" : "<" + job.token() + ":0>";
        if (labels.equals("none")) {
            label = "";
        } else {
            request = request.options(Set.of(LaunchRequest.LaunchOption.LABEL_RANKS));
        }
        ByteArrayOutputStream printed = new ByteArrayOutputStream(2 * SIZE);
        for (int start = 0; start < SIZE; ) {
            int end = start;
            while (end < SIZE && bytes[end] != '\n') {
                end++;
            }
            end = Math.min(SIZE, end + 1);
            printed.writeBytes(label.getBytes(StandardCharsets.US_ASCII));
            printed.write(bytes, start, end - start);
            start = end;
        }
        byte[] all = printed.toByteArray();
        pieces = new byte[(all.length + PIECE - 1) / PIECE][];
        for (int i = 0; i < pieces.length; i++) {
            pieces[i] = Arrays.copyOfRange(all, i * PIECE, Math.min(all.length, (i + 1) * PIECE));
        }
        folder = Files.createTempDirectory("output");
    }

    /** Lines to a listener, and labelled ones to files. */
    @Benchmark
    public long lines() {
        long[] length = {0};
        try (RankFiles files = new RankFiles(folder)) {
            JobOutput output = new JobOutput(
                    request, launcher, line -> length[0] += line.length(), labels.equals("none") ? null : files);
            for (byte[] piece : pieces) {
                output.onOutput(OutputListener.Stream.STDOUT, piece, piece.length);
            }
            output.finish();
        }
        if (length[0] != SIZE) {
            throw new IllegalStateException(length[0] + " bytes came of " + SIZE);
        }
        return length[0];
    }

    /** Removes the files. */
    @TearDown
    public void remove() throws IOException {
        Files.deleteIfExists(folder.resolve("rank-0.out"));
        Files.delete(folder);
    }
}
