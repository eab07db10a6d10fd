package io.clusterwright.examples.benchmark;

import io.clusterwright.core.Cluster;
import io.clusterwright.core.Command;
import io.clusterwright.core.Node;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.OptionalDouble;
import java.util.Random;
import java.util.Set;

/** A large file to all nodes: by clush, by the library and by the program. The copies are compared by checksum once, and deleted after each. */
final class CopyGroup implements Group {
    private static final Duration LIMIT = Duration.ofMinutes(10);
    private static final int MEGABYTE = 1 << 20;
    private static final String COPY = "/tmp/benchmark-copy";

    private final Set<String> compared = new HashSet<>();

    @Override
    public void measure(Settings settings, Report report) throws IOException, InterruptedException {
        Path file = settings.folder().resolve("copied");
        String checksum = fill(file, settings.megabytes());
        try (LocalNodes local = new LocalNodes("copy", settings)) {
            Cluster cluster = local.cluster();
            Peers peers = local.peers();
            Rounds rounds = settings.rounds(100);
            String all = String.join(",", local.nodes());
            Series clush = Peers.installed("clush")
                    ? rounds.add(
                            "clush --copy",
                            copy(cluster, checksum, "clush", () -> {
                                peers.run(LIMIT, 0, List.of(
                                        "clush", "-S", "-w", all, "-l", local.user(), "-o",
                                        "-F " + settings.folder().resolve("ssh_config"), "--copy", file.toString(),
                                        "--dest", COPY));
                            }))
                    : Row.NO_PEER;
            Series library = rounds.add("library", copy(cluster, checksum, "library", () -> cluster.upload(
                            file,
                            COPY,
                            cluster.nodes().stream().map(Node::name).toList(),
                            cluster.loginUser())
                    .orThrow()));
            String program = Settings.examples().resolve("clusterwright").toString();
            Series cp = rounds.add("cp", copy(cluster, checksum, "cp", () -> {
                peers.run(LIMIT, 0, List.of(program, "cp", local.name(), file.toString(), ":" + COPY));
            }));
            rounds.measure();
            String size = settings.megabytes() + " MiB to " + settings.nodes() + " nodes";
            report.add("copy", "library, " + size, library, clush, Goal.faster(1.5));
            report.add("copy", "program cp, " + size, cp, clush, Goal.faster(1.5));
        } finally {
            Files.deleteIfExists(file);
        }
    }

    /** Copies, then compares the first copy of each tool and deletes it without counting that time. */
    private Rounds.Work copy(Cluster cluster, String checksum, String tool, Rounds.Timed work) {
        return () -> {
            long start = System.nanoTime();
            work.run();
            double time = (System.nanoTime() - start) / 1e6;
            if (compared.add(tool)) {
                Set<String> sums = cluster.run(Command.of("sha256sum", COPY))
                        .orThrow()
                        .groupedByOutput()
                        .keySet();
                if (sums.size() != 1 || !sums.iterator().next().startsWith(checksum)) {
                    throw new IllegalStateException(tool + " copied something else: " + sums);
                }
            }
            cluster.run(Command.of("rm", COPY)).orThrow();
            return OptionalDouble.of(time);
        };
    }

    private static String fill(Path file, int megabytes) throws IOException {
        Random random = new Random(megabytes);
        byte[] block = new byte[MEGABYTE];
        try (OutputStream out = Files.newOutputStream(file)) {
            MessageDigest digest = MessageDigest.getInstance("SHA-256");
            for (int i = 0; i < megabytes; i++) {
                random.nextBytes(block);
                digest.update(block);
                out.write(block);
            }
            return HexFormat.of().formatHex(digest.digest());
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }
}
