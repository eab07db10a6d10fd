package io.clusterwright.examples.benchmark;

import io.clusterwright.core.Cluster;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;

/** The growth of first and further commands: local nodes and four times as many, then fake ones and four times as many. */
final class ScaleGroup implements Group {
    private static final int FACTOR = 4;
    private static final String FANOUT = "32";

    /** The times at one size. */
    private record Times(Series first, Series whole, Series kept, Series pdsh) {}

    @Override
    public void measure(Settings settings, Report report) throws IOException, InterruptedException {
        int nodes = settings.nodes();
        Times few = local(settings, nodes);
        Times more = local(settings, FACTOR * nodes);
        rows(report, "program, run", nodes, few, more);
        few = fake(settings, FACTOR * nodes);
        more = fake(settings, FACTOR * FACTOR * nodes);
        rows(report, "fake, new JVM, open and run", FACTOR * nodes, few, more);
    }

    private static void rows(Report report, String whole, int nodes, Times few, Times more) {
        String fake = whole.startsWith("fake") ? "fake, " : "";
        int many = FACTOR * nodes;
        report.add("scale", fake + "first command, " + many + " nodes", more.first, more.pdsh, Goal.ofPeer(1));
        report.add("scale", whole + ", " + many + " nodes", more.whole, more.pdsh, Goal.ofPeer(1.5));
        report.add("scale", fake + "kept sessions, " + many + " nodes", more.kept, more.pdsh, Goal.NONE);
        String growth = "growth, " + nodes + " to " + many + ": ";
        report.add("scale", growth + "first", more.first, linear(few.first, nodes), Goal.ofPeer(1));
        report.add("scale", growth + "new JVM", more.whole, linear(few.whole, nodes), Goal.ofPeer(1));
        report.add("scale", growth + "kept", more.kept, linear(few.kept, nodes), Goal.NONE);
        if (more.pdsh.measured()) {
            report.add("scale", growth + "pdsh", more.pdsh, linear(few.pdsh, nodes), Goal.NONE);
        }
    }

    private static Series linear(Series few, int nodes) {
        Series times = Series.of(FACTOR + " x " + nodes + " nodes", "ms");
        few.samples().forEach(value -> times.add(FACTOR * value));
        return times;
    }

    private static Times local(Settings settings, int nodes) throws IOException, InterruptedException {
        String program = Settings.examples().resolve("clusterwright").toString();
        try (LocalNodes local = new LocalNodes("scale", settings.nodes(nodes))) {
            Peers peers = local.peers();
            return measure(
                    settings,
                    () -> local.manager().open(local.cluster().name()),
                    () -> peers.run(1, program, "run", local.name(), "--", "hostname"),
                    peers,
                    pdsh(local.nodes(), local.user()));
        }
    }

    private static Times fake(Settings settings, int nodes) throws IOException, InterruptedException {
        try (FakeNodes fake = new FakeNodes(settings.folder(), nodes)) {
            Peers peers = new Peers(settings.folder(), Map.of("PDSH_SSH_ARGS_APPEND", "-F " + fake.sshConfig()));
            return measure(
                    settings,
                    () -> FakeNodes.connect(fake.arguments()),
                    () -> peers.java(1, FirstContact.class, fake.arguments()),
                    peers,
                    pdsh(fake.hosts(), "bench"));
        }
    }

    private static String[] pdsh(List<String> nodes, String user) {
        return new String[] {"pdsh", "-R", "ssh", "-f", FANOUT, "-w", String.join(",", nodes), "-l", user, "hostname"};
    }

    private interface Opening {
        Cluster open();
    }

    private static Times measure(Settings settings, Opening opening, Rounds.Timed whole, Peers peers, String... pdsh)
            throws IOException, InterruptedException {
        int nodes = pdsh[6].split(",").length;
        try (Cluster cluster = opening.open()) {
            Rounds rounds = settings.rounds(35);
            Series tool = Peers.installed("pdsh")
                    ? rounds.add("pdsh -f " + FANOUT, () -> {
                        peers.run(nodes, pdsh);
                    })
                    : Row.NO_PEER;
            Series first = rounds.add("first", () -> {
                try (Cluster again = opening.open()) {
                    long start = System.nanoTime();
                    LocalNodes.hostname(again);
                    return OptionalDouble.of((System.nanoTime() - start) / 1e6);
                }
            });
            Series another = rounds.add("whole", whole);
            Series kept = rounds.add("kept", () -> LocalNodes.hostname(cluster));
            rounds.measure();
            return new Times(first, another, kept, tool);
        }
    }
}
