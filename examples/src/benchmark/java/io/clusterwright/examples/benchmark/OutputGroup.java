package io.clusterwright.examples.benchmark;

import io.clusterwright.core.Command;
import io.clusterwright.core.NodeSession;
import io.clusterwright.core.RunningCommand;
import io.clusterwright.core.spec.MpiFlavour;
import io.clusterwright.mpi.MpiJob;
import io.clusterwright.mpi.job.JobTarget;
import io.clusterwright.mpi.job.MpiInstallation;
import io.clusterwright.mpi.spi.NodeTarget;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/** A large binary output of one node, written to a file of this machine: by ssh, the library and the program. Each first copy is compared. */
final class OutputGroup implements Group {
    private static final String FILE = "/tmp/benchmark-output";

    @Override
    public void measure(Settings settings, Report report) throws IOException, InterruptedException {
        Path copies = Files.createDirectories(settings.folder().resolve("copies"));
        try (LocalNodes local = new LocalNodes("output", settings)) {
            NodeTarget target = NodeTarget.of(JobTarget.of(local.cluster()));
            String node = target.nodes().get(0).name().value();
            NodeSession session = target.session(target.nodes().get(0).name());
            int bytes = settings.megabytes() * 1_000_000;
            session.run(Command.shell("head -c " + bytes + " /dev/urandom > " + FILE + " && chmod a+r " + FILE))
                    .orThrow();
            Path original = copies.resolve("original");
            session.download(FILE, original);
            Peers peers = local.peers();
            String size = settings.megabytes() + " MB";
            Rounds rounds = settings.rounds(30);
            String login =
                    "exec ssh -F " + settings.folder().resolve("ssh_config") + " " + local.user() + "@" + node + " ";
            Series ssh = rounds.add(
                    "ssh",
                    compared(
                            original,
                            copies.resolve("ssh"),
                            copy -> shell(peers, login + "cat " + FILE + " > " + copy)));
            Series sshStart = rounds.add("ssh", () -> shell(peers, login + "true"));
            Series command = rounds.add(
                    "library", compared(original, copies.resolve("command"), copy -> command(session, copy)));
            String program = Settings.examples().resolve("clusterwright").toString();
            String running = "exec " + program + " run " + local.name() + " --nodes " + node + " -- ";
            Series run = rounds.add(
                    "run",
                    compared(
                            original,
                            copies.resolve("run"),
                            copy -> shell(peers, running + "cat " + FILE + " > " + copy)));
            Series runStart = rounds.add("run", () -> shell(peers, running + "true"));
            List<MpiFlavour> flavours = List.of(MpiFlavour.MPICH, MpiFlavour.OPEN_MPI);
            Series[] jobs = new Series[flavours.size()];
            Series[] programs = new Series[flavours.size()];
            Series[] starts = new Series[flavours.size()];
            Series[] launchers = new Series[flavours.size()];
            for (int i = 0; i < jobs.length; i++) {
                Optional<MpiInstallation> mpi = LaunchGroup.installed(target, flavours.get(i));
                if (mpi.isEmpty()) {
                    jobs[i] = Row.NO_PEER;
                    programs[i] = Row.NO_PEER;
                    starts[i] = Row.NO_PEER;
                    launchers[i] = Row.NO_PEER;
                    continue;
                }
                Path ranks = copies.resolve(flavours.get(i).toString());
                MpiJob job = MpiJob.of("cat", FILE).ranks(1).installation(mpi.get());
                jobs[i] = rounds.add(flavours.get(i) + " library", compared(original, ranks.resolve("rank-0.out"), copy -> job.on(
                                target)
                        .outputTo(ranks)
                        .run(LaunchGroup.LIMIT)
                        .orThrow()));
                String labels = flavours.get(i) == MpiFlavour.MPICH ? " -prepend-rank" : " --tag-output";
                String mpirun = login + mpi.get().mpirun() + labels + " -n 1 cat " + FILE + " > /dev/null";
                launchers[i] = rounds.add("mpirun" + labels + " by ssh", () -> shell(peers, mpirun));
                String flavour = flavours.get(i).toString();
                String launching = "exec " + program + " mpi " + local.name() + " --mpi " + flavour + " -n 1 -- ";
                programs[i] = rounds.add(
                        flavour + " program",
                        compared(
                                original,
                                copies.resolve(flavour + ".out"),
                                copy -> shell(peers, launching + "cat " + FILE + " > " + copy)));
                starts[i] = rounds.add(flavour + " program", () -> shell(peers, launching + "true"));
            }
            rounds.measure();
            report.add("output", "a command's, library, " + size, command, ssh, Goal.ofPeer(2));
            report.add("output", "a command's, program run, " + size, run, ssh, Goal.ofPeer(2));
            Series sshOutput = Series.difference(ssh, sshStart);
            Series runOutput = Series.difference(run, runStart);
            report.add("output", "the same without both starts", runOutput, sshOutput, Goal.NONE);
            for (int i = 0; i < jobs.length; i++) {
                String name = flavours.get(i).toString();
                report.add("output", name + ", labels and files, library, " + size, jobs[i], ssh, Goal.ofPeer(2));
                report.add("output", name + ", the same, its mpirun", jobs[i], launchers[i], Goal.NONE);
                report.add("output", name + ", program mpi, " + size, programs[i], ssh, Goal.ofPeer(2));
                Series output = Series.difference(programs[i], starts[i]);
                report.add("output", name + ", the same without both starts", output, sshOutput, Goal.NONE);
            }
        }
    }

    private static void command(NodeSession session, Path copy) throws IOException {
        try (OutputStream out = new BufferedOutputStream(Files.newOutputStream(copy));
                RunningCommand running = session.start(Command.of("cat", FILE), (stream, bytes, length) -> {
                    try {
                        out.write(bytes, 0, length);
                    } catch (IOException e) {
                        throw new UncheckedIOException(e);
                    }
                })) {
            running.await(LaunchGroup.LIMIT);
        }
    }

    private static void shell(Peers peers, String line) throws IOException, InterruptedException {
        peers.run(LaunchGroup.LIMIT, 0, List.of("sh", "-c", line));
    }

    /** Makes a copy; the time of its comparison is not counted. */
    private static Rounds.Work compared(Path original, Path copy, Copying work) {
        return () -> {
            long start = System.nanoTime();
            work.copy(copy);
            double time = (System.nanoTime() - start) / 1e6;
            if (Files.mismatch(original, copy) >= 0) {
                throw new IllegalStateException(copy.getFileName() + " differs from the file on the node");
            }
            Files.delete(copy);
            return OptionalDouble.of(time);
        };
    }

    private interface Copying {
        void copy(Path copy) throws IOException, InterruptedException;
    }
}
