package io.clusterwright.mpi;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.clusterwright.core.Cluster;
import io.clusterwright.core.ClusterManager;
import io.clusterwright.core.Command;
import io.clusterwright.core.NodeResults;
import io.clusterwright.core.StateStore;
import io.clusterwright.core.spec.ClusterSpec;
import io.clusterwright.core.spec.MpiFlavour;
import io.clusterwright.core.spec.Verification;
import io.clusterwright.linux.local.LocalMachines;
import io.clusterwright.mpi.job.JobResult;
import io.clusterwright.mpi.job.JobTarget;
import io.clusterwright.mpi.job.MpiInstallation;
import io.clusterwright.mpi.spi.NodeTarget;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A secret in the variables of commands and jobs on real nodes, and every place where others could read it. */
@Tag("breadth")
@Timeout(270)
class SecretsTest {
    private static final Duration MINUTE = Duration.ofMinutes(1);
    private static final String VARIABLE = "SOLVER_LICENCE";
    private static final int PIECE = 12;

    @TempDir
    private Path folder;

    @Test
    void aSecretInTheEnvironmentIsOnNoCommandLineAndInNoLogAtTraceAndInNoFileOfTheState() throws Exception {
        byte[] random = new byte[20];
        new SecureRandom().nextBytes(random);
        String secret = HexFormat.of().formatHex(random);
        Path log = folder.resolve("trace.log");
        ProcessBuilder builder = new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Dorg.slf4j.simpleLogger.defaultLogLevel=trace",
                "-Dorg.slf4j.simpleLogger.logFile=" + log,
                "-cp",
                System.getProperty("java.class.path"),
                Program.class.getName(),
                folder.toString());
        builder.environment().put(VARIABLE, secret);
        Path said = folder.resolve("said.txt");
        Process process =
                builder.redirectErrorStream(true).redirectOutput(said.toFile()).start();
        try {
            assertThat(process.waitFor(240, TimeUnit.SECONDS)).isTrue();
        } finally {
            process.destroyForcibly();
        }

        String digest =
                HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(secret.getBytes(UTF_8)));
        String text = Files.readString(said);
        assertThat(text)
                .as("what ran got the secret")
                .contains(
                        "as itself " + digest,
                        "as root " + digest,
                        "mpich over sessions " + digest + " " + digest,
                        "mpich over ssh " + digest + " " + digest,
                        "open-mpi over ssh " + digest + " " + digest);
        assertThat(text).as("command lines with the secret").contains("found on command lines: []");
        assertThat(process.exitValue()).as(text).isZero();
        assertThat(log).as("the log is one at trace").content().contains(" TRACE ", " DEBUG ");
        assertThat(log)
                .content()
                .contains(
                        "INFO io.clusterwright.core.ClusterManager - cluster hush was created on local: ",
                        "INFO io.clusterwright.core.ClusterManager - cluster hush was destroyed: ");
        for (String piece : pieces(secret)) {
            assertThat(text).as("output and findings").doesNotContain(piece);
            try (Stream<String> lines = Files.lines(log, ISO_8859_1)) {
                assertThat(lines.filter(line -> line.contains(piece)).limit(3))
                        .as("log")
                        .isEmpty();
            }
            try (Stream<Path> files = Files.walk(folder.resolve("kept"))) {
                assertThat(files.filter(Files::isRegularFile))
                        .isNotEmpty()
                        .allSatisfy(file ->
                                assertThat(Files.readString(file, ISO_8859_1)).doesNotContain(piece));
            }
        }
    }

    /** Parts of the secret, as they are, and as a dump of bytes shows them. */
    private static List<String> pieces(String secret) {
        List<String> pieces = new ArrayList<>();
        for (int i = 0; i + PIECE <= secret.length(); i++) {
            String part = secret.substring(i, i + PIECE);
            pieces.add(part);
            pieces.add(HexFormat.ofDelimiter(" ").formatHex(part.getBytes(UTF_8)));
            pieces.add(HexFormat.ofDelimiter(":").formatHex(part.getBytes(UTF_8)));
        }
        return pieces;
    }

    /** Uses the secret in every way, in a process of its own, whose loggers all write. */
    static final class Program {
        private final Path folder;
        private final String secret = System.getenv(VARIABLE);
        private final ConcurrentSkipListSet<String> found = new ConcurrentSkipListSet<>();
        private volatile boolean done;

        private Program(Path folder) {
            this.folder = folder;
        }

        public static void main(String[] arguments) throws Exception {
            new Program(Path.of(arguments[0])).run();
            System.exit(0);
        }

        private void run() throws Exception {
            LocalMachines machines = LocalMachines.builder()
                    .runFolder(folder.resolve("run"))
                    .storeFolder(folder.resolve("store"))
                    .build();
            ClusterSpec spec = ClusterSpec.builder("hush")
                    .region("here")
                    .nodes(nodes -> nodes.count(2).size("Standard_HB120rs_v3"))
                    .network(network -> network.addressSpace("10.57.0.0/16"))
                    .verify(verify -> verify.fabric(Verification.Fabric.NONE))
                    .build();
            try (ClusterManager manager = ClusterManager.builder(machines)
                    .stateStore(StateStore.inFolder(folder.resolve("state")))
                    .build()) {
                Cluster cluster = manager.create(spec);
                Thread scanner = new Thread(this::scan);
                scanner.start();
                try {
                    use(cluster);
                } finally {
                    done = true;
                    scanner.join();
                    keepState();
                    manager.destroy(spec.name());
                }
            }
            System.out.println("found on command lines: " + found);
        }

        /** As it is while the cluster stands. */
        private void keepState() throws IOException {
            Path state = folder.resolve("state");
            try (Stream<Path> files = Files.walk(state)) {
                for (Path file : files.filter(Files::isRegularFile).toList()) {
                    Path kept = folder.resolve("kept")
                            .resolve(state.relativize(file).toString());
                    Files.createDirectories(folder.resolve("kept")
                            .resolve(state.relativize(file.resolveSibling(".")).toString()));
                    Files.copy(file, kept);
                }
            }
        }

        private void use(Cluster cluster) {
            Command command = Command.of("/bin/sh", "-c", "sleep 0.5; printf %s \"$" + VARIABLE + "\" | sha256sum")
                    .environment(VARIABLE, secret);
            say("as itself", cluster.run(command));
            say("as root", cluster.run(command.elevate()));
            for (MpiFlavour flavour : List.of(MpiFlavour.MPICH, MpiFlavour.OPEN_MPI)) {
                MpiJob job = MpiJob.of("/bin/sh", "-c", "sleep 1; printf %s \"$" + VARIABLE + "\" | sha256sum")
                        .installation(installed(cluster, flavour))
                        .environment(VARIABLE, secret)
                        .ranksPerNode(1);
                if (flavour == MpiFlavour.MPICH) {
                    say(flavour + " over sessions", job.launchOverSessions(), cluster);
                }
                say(flavour + " over ssh", job.launchOverSsh(), cluster);
            }
        }

        private static void say(String what, NodeResults results) {
            results.orThrow().groupedByOutput().keySet().forEach(text -> System.out.println(what + " " + text));
        }

        private static void say(String what, MpiJob job, Cluster cluster) {
            Map<Integer, String> lines = new TreeMap<>();
            JobResult result = job.on(cluster)
                    .onOutput(line -> line.rank().ifPresent(rank -> {
                        synchronized (lines) {
                            lines.put(rank, line.text().split(" ")[0]);
                        }
                    }))
                    .run(MINUTE);
            System.out.println(what + " " + String.join(" ", lines.values()) + " " + result.findings() + result);
        }

        private static MpiInstallation installed(Cluster cluster, MpiFlavour flavour) {
            NodeTarget target = NodeTarget.of(JobTarget.of(cluster));
            return MpiInstallation.on(target.session(target.nodes().get(0).name())).stream()
                    .filter(mpi -> mpi.flavour() == flavour)
                    .findFirst()
                    .orElseThrow();
        }

        /** The processes of local nodes are processes of this machine, too. */
        private void scan() {
            while (!done) {
                try (DirectoryStream<Path> processes = Files.newDirectoryStream(Path.of("/proc"), "[0-9]*")) {
                    for (Path process : processes) {
                        look(process);
                    }
                    Thread.sleep(5);
                } catch (IOException e) {
                    found.add("a look at /proc failed: " + e);
                } catch (InterruptedException e) {
                    return;
                }
            }
        }

        private void look(Path process) {
            try {
                String line = Files.readString(process.resolve("cmdline"), ISO_8859_1);
                if (line.contains(secret.substring(0, PIECE))) {
                    found.add(line.split("\0")[0]);
                }
            } catch (NoSuchFileException e) {
                return;
            } catch (IOException e) {
                // The process ended while its file was read.
                return;
            }
        }
    }
}
