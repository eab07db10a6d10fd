package io.clusterwright.examples.benchmark;

import java.io.IOException;
import java.util.Map;

/** The start of the program, without a cluster. */
final class StartGroup implements Group {
    @Override
    public void measure(Settings settings, Report report) throws IOException, InterruptedException {
        Peers programs = new Peers(settings.folder(), Map.of());
        String program = Settings.examples().resolve("clusterwright").toString();
        String spec = Settings.examples().resolve("specs/quickstart.yaml").toString();
        Rounds rounds = settings.rounds(25);
        Series version = rounds.add("--version", () -> {
            programs.run(1, program, "--version");
        });
        Series validate = rounds.add("validate", () -> {
            programs.run(1, program, "validate", spec);
        });
        rounds.measure();
        report.add("start", "program, --version", version, Row.NO_PEER, Goal.value(200));
        report.add("start", "program, validate", validate, Row.NO_PEER, Goal.value(200));
    }
}
