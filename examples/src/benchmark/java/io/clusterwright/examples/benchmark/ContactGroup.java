package io.clusterwright.examples.benchmark;

import io.clusterwright.core.Cluster;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.stream.Collectors;

/** A command on every node: by pdsh, clush, parallel-ssh and Ansible, by the program, and by the library in a new JVM, a warm one, and over kept sessions. */
final class ContactGroup implements Group {
    private static final int WARM = 30;
    private static final int IN_A_ROW = 10;

    @Override
    public void measure(Settings settings, Report report) throws IOException, InterruptedException {
        try (LocalNodes local = new LocalNodes("contact", settings)) {
            measure(local, settings, report);
        }
    }

    private static void measure(LocalNodes local, Settings settings, Report report)
            throws IOException, InterruptedException {
        Cluster cluster = local.cluster();
        int nodes = settings.nodes();
        Peers peers = local.peers();
        String program = Settings.examples().resolve("clusterwright").toString();
        Rounds rounds = settings.rounds(125);
        Map<String, Series> tools = tools(local, settings, peers, rounds);
        Series run = rounds.add("run", () -> {
            peers.run(1, program, "run", local.name(), "--", "hostname");
        });
        Series command = Series.of("new JVM, first command", "ms");
        Series opening = rounds.add("new JVM, opening", () -> {
            double[] times = FirstContact.measured(peers.java(1, FirstContact.class, local.name()));
            command.add(times[1]);
            return OptionalDouble.of(times[0]);
        });
        ArchivedClasses archived =
                ArchivedClasses.of(peers, settings.folder(), FirstContact.class, local.name());
        Series archivedCommand = Series.of("archive of classes, first command", "ms");
        Series archivedOpening = rounds.add("archive of classes, opening", () -> {
            double[] times = FirstContact.measured(archived.java(FirstContact.class, local.name()));
            archivedCommand.add(times[1]);
            return OptionalDouble.of(times[0]);
        });
        Series warm = rounds.add("warm JVM, first command", () -> {
            try (Cluster again = local.manager().open(cluster.name())) {
                long start = System.nanoTime();
                LocalNodes.hostname(again);
                return OptionalDouble.of((System.nanoTime() - start) / 1e6);
            }
        });
        Series kept = rounds.add("kept sessions", () -> LocalNodes.hostname(cluster));
        Series row = rounds.add("kept sessions, " + IN_A_ROW + " in a row", () -> {
            long start = System.nanoTime();
            for (int i = 0; i < IN_A_ROW; i++) {
                LocalNodes.hostname(cluster);
            }
            return OptionalDouble.of((System.nanoTime() - start) / 1e6 / IN_A_ROW);
        });
        for (int i = 0; i < WARM; i++) {
            LocalNodes.hostname(cluster);
        }
        rounds.measure();
        command.samples().remove(0);
        archivedCommand.samples().remove(0);

        Series pdsh = tools.getOrDefault("pdsh", Row.NO_PEER);
        report.add("contact", "warm JVM, first command", warm, pdsh, Goal.ofPeer(1));
        report.add("contact", "program, run", run, pdsh, Goal.ofPeer(1.5));
        report.add("contact", "new JVM, opening", opening, Row.NO_PEER, Goal.value(250));
        report.add("contact", "new JVM, first command", command, pdsh, Goal.NONE);
        report.add("contact", "new JVM, archive of classes, opening", archivedOpening, Row.NO_PEER, Goal.value(250));
        report.add("contact", "new JVM, archive of classes, first command", archivedCommand, pdsh, Goal.NONE);
        report.add("contact", "kept sessions, each of " + IN_A_ROW + " in a row", row, pdsh, Goal.faster(15));
        report.add("contact", "kept sessions, one after a pause", kept, pdsh, Goal.NONE);
        tools.forEach((name, tool) -> {
            if (!name.equals("pdsh")) {
                report.add("contact", "kept sessions, " + nodes + " nodes", row, tool, Goal.NONE);
            }
        });
    }

    private static Map<String, Series> tools(LocalNodes local, Settings settings, Peers peers, Rounds rounds)
            throws IOException {
        List<String> names = local.nodes();
        int nodes = names.size();
        String all = String.join(",", names);
        String fanout = Integer.toString(Math.max(32, nodes));
        String config = "-F " + settings.folder().resolve("ssh_config");
        Map<String, List<String>> commands = new LinkedHashMap<>();
        commands.put("pdsh", List.of("pdsh", "-R", "ssh", "-f", fanout, "-w", all, "-l", local.user(), "hostname"));
        commands.put(
                "clush",
                List.of("clush", "-S", "-f", fanout, "-w", all, "-l", local.user(), "-o", config, "hostname"));
        commands.put(
                "parallel-ssh",
                List.of(
                        "parallel-ssh", "-i", "-p", fanout, "-H", String.join(" ", names), "-l", local.user(), "-x",
                        config, "hostname"));
        Path inventory = Files.writeString(
                settings.folder().resolve("inventory"),
                names.stream().collect(Collectors.joining("\n", "[all]\n", "\n")));
        commands.put(
                "ansible",
                new ArrayList<>(List.of(
                        "ansible", "all", "-i", inventory.toString(), "-f", fanout, "-u", local.user(), "-m", "raw",
                        "-a", "hostname", "--ssh-common-args", config + " -o ControlMaster=no -o ControlPath=none")));
        Map<String, Series> tools = new LinkedHashMap<>();
        commands.forEach((tool, command) -> {
            if (Peers.installed(tool)) {
                int every = tool.equals("ansible") ? 4 : 1;
                int lines = tool.equals("parallel-ssh") ? 2 * nodes : nodes;
                tools.put(tool, rounds.add(tool, every, () -> {
                    peers.run(lines, command.toArray(String[]::new));
                    return OptionalDouble.empty();
                }));
            }
        });
        return tools;
    }
}
