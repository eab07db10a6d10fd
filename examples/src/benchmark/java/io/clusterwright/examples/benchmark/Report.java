package io.clusterwright.examples.benchmark;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** The rows of a run: as a table for people, as CSV, and as a picture. */
final class Report {
    private final List<Row> rows = new ArrayList<>();

    void add(String group, String what, Series ours, Series peer, Goal goal) {
        Row row = new Row(group, what, ours, peer, goal);
        rows.add(row);
        System.out.println("  " + line(row));
    }

    List<Row> rows() {
        return rows;
    }

    String table() {
        StringBuilder table = new StringBuilder(String.format(
                "%-9s %-38s %-28s %-44s %-14s %-16s %s%n", "", "what", "ours", "peer", "ratio", "goal", "met"));
        rows.forEach(row -> table.append(String.format("%-9s %s%n", row.group(), line(row))));
        return table.toString();
    }

    private static String line(Row row) {
        String peer = row.peer().measured() ? row.peer().name() + ": " + row.peer().toText() : "";
        return String.format(
                        "%-38s %-28s %-44s %-14s %-16s %s",
                        row.what(),
                        row.ours().toText(),
                        peer,
                        row.result(),
                        row.goal().toText(row.ours().unit()),
                        row.met())
                .stripTrailing();
    }

    void write(Path folder) throws IOException {
        Files.createDirectories(folder);
        List<String> lines = new ArrayList<>(
                List.of("group,what,unit,rounds,lower,median,upper,peer,peer rounds,peer lower,peer median,peer upper,"
                        + "ratio to peer,goal,met"));
        for (Row row : rows) {
            Series ours = row.ours();
            Series peer = row.peer();
            lines.add(String.join(
                    ",",
                    quoted(row.group()),
                    quoted(row.what()),
                    quoted(ours.unit()),
                    numbers(ours),
                    quoted(peer.measured() ? peer.name() : ""),
                    peer.measured() ? numbers(peer) : ",,,",
                    peer.measured() ? String.format(Locale.ROOT, "%.4f", ours.median() / peer.median()) : "",
                    quoted(row.goal().toText(ours.unit())),
                    row.met()));
        }
        Files.write(folder.resolve("benchmarks.csv"), lines);
        Files.writeString(folder.resolve("benchmarks.svg"), new ReportPicture(rows).toSvg());
    }

    private static String quoted(String text) {
        return '"' + text.replace("\"", "\"\"") + '"';
    }

    private static String numbers(Series series) {
        return String.format(
                Locale.ROOT,
                "%d,%.3f,%.3f,%.3f",
                series.samples().size(),
                series.quartile(1),
                series.median(),
                series.quartile(3));
    }
}
