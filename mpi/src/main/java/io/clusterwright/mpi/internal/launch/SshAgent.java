package io.clusterwright.mpi.internal.launch;

import io.clusterwright.core.internal.text.TextResource;
import io.clusterwright.mpi.LaunchFailure;
import io.clusterwright.mpi.spi.JobFolder;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The program a launcher calls instead of ssh: it never asks, gives up in time, and says when a node was not reached.
 * Hydra 4.0.2 waits for ever when ssh fails, so the script reports it to the engine.
 */
public final class SshAgent {
    static final String FILE = "ssh";
    private static final Pattern REPORT =
            Pattern.compile("clusterwright-launch (\\S+) (\\S+) (\\d+) (yes|no)(?: (.*))?");

    private SshAgent() {}

    static String script(JobFolder folder) {
        return TextResource.read(SshAgent.class.getResourceAsStream("ssh-agent.sh"), "ssh-agent.sh")
                .replace("@TOKEN@", folder.token())
                .replace("@FOLDER@", folder.path());
    }

    /** Reads what an agent of this job says; empty for any other line. */
    public static Optional<LaunchFailure> report(JobFolder folder, String line) {
        Matcher parts = REPORT.matcher(line.strip());
        return parts.matches() && parts.group(1).equals(folder.token())
                ? Optional.of(new LaunchFailure(
                        parts.group(2),
                        Integer.parseInt(parts.group(3)),
                        parts.group(4).equals("yes"),
                        parts.group(5) == null ? "" : parts.group(5)))
                : Optional.empty();
    }
}
