package io.clusterwright.mpi.internal.slurm;

import io.clusterwright.core.Command;
import io.clusterwright.core.NodeSession;
import io.clusterwright.core.internal.text.PosixShell;
import io.clusterwright.core.internal.text.TextResource;
import io.clusterwright.core.plan.Finding;
import io.clusterwright.core.type.ClusterwrightException;
import io.clusterwright.mpi.internal.finding.MpiFinding;
import io.clusterwright.mpi.spi.LaunchNode;
import io.clusterwright.mpi.spi.LaunchRequest;
import java.time.Duration;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Tells before a job starts why Slurm could not run it as asked, and would not say so: ranks that have no interface in common with Slurm's PMI
 * plugin, each of which would be a separate job and end well, and ranks for which a node has too few CPUs, which would wait without end.
 */
final class SlurmRefusal {
    /** The option of srun and sbatch by which ranks share CPUs. */
    static final String OVERCOMMIT = "--overcommit";

    private static final Duration LIMIT = Duration.ofSeconds(30);
    private static final Pattern REFUSED = Pattern.compile("clusterwright-(alone|crowded) cwjob-\\w+ (.+)");
    private static final String FILE = "slurm-refusal.sh";

    private SlurmRefusal() {}

    /**
     * Shell text for the launch node, with the job's variables set, that says why the job is refused and leaves then. It reads the nodes'
     * CPUs from {@code $states}, lines of {@code node|CPUs|...}.
     */
    static String check(LaunchRequest request, SlurmNodes target) {
        String text = TextResource.read(SlurmRefusal.class.getResourceAsStream(FILE), FILE)
                + """
                refuse() {
                    if [ -n "$2" ]; then
                        echo "clusterwright-$1 %s $2" >&2
                        exit 69
                    fi
                }
                """.formatted(request.folder().token());
        if (!target.sharesCpus() && !sharesCpus(request)) {
            text += "refuse crowded \"$(printf '%s\\n' \"$states\" | sort -u | crowded "
                    + PosixShell.quote(needs(request)) + " | head -n 1)\"\n";
        }
        if (request.ranks() > 1) {
            text += """
                    refuse alone "$(cd %s 2> /dev/null; alone %s %s %s)"
                    """.formatted(
                            PosixShell.quote(request.workingDirectory().isEmpty() ? "." : request.workingDirectory()),
                            PosixShell.quote(target.plugin(request.mpi())),
                            PosixShell.quote(request.program().get(0)),
                            PosixShell.quote(request.mpi().library().orElse("")));
        }
        return text;
    }

    /** Whether the user of the job lets several ranks share a CPU. */
    static boolean sharesCpus(LaunchRequest request) {
        return request.jobArguments().contains(OVERCOMMIT);
    }

    /** A line with node and CPUs for each node of the job. */
    private static String needs(LaunchRequest request) {
        int cores = Math.max(1, SlurmLauncher.coresPerRank(request));
        StringBuilder lines = new StringBuilder();
        int left = request.ranks();
        for (LaunchNode node : request.usedNodes()) {
            int ranks = Math.min(left, node.slots());
            left -= ranks;
            lines.append(node.name()).append(' ').append((long) ranks * cores).append('\n');
        }
        return lines.toString();
    }

    /** The finding of the check, if the line is its answer. */
    static Optional<Finding> finding(String line) {
        Matcher refused = REFUSED.matcher(line);
        return refused.matches()
                ? Optional.of((refused.group(1).equals("alone") ? MpiFinding.EACH_ALONE : MpiFinding.TOO_FEW_CPUS)
                        .of(refused.group(2)))
                : Optional.empty();
    }

    /**
     * Makes the check now.
     *
     * @throws ClusterwrightException when the job is refused
     */
    static void require(NodeSession session, LaunchRequest request, SlurmNodes target) {
        String text = PosixShell.exports(request.environment()) + "states=$(sinfo --noheader --Node --nodes="
                + SlurmLauncher.names(request.usedNodes()) + " --format='%N|%c')\n" + check(request, target);
        String said = session.run(Command.of("/bin/sh", "-s").input(text).timeout(LIMIT))
                .stderr();
        said.lines().flatMap(line -> finding(line).stream()).findFirst().ifPresent(finding -> {
            throw new ClusterwrightException(finding.message() + "; " + finding.remedy());
        });
    }
}
