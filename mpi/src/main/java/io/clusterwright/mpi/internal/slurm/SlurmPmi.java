package io.clusterwright.mpi.internal.slurm;

import io.clusterwright.core.Command;
import io.clusterwright.core.NodeSession;
import io.clusterwright.core.internal.text.PosixShell;
import io.clusterwright.core.internal.text.TextResource;
import io.clusterwright.core.plan.Finding;
import io.clusterwright.core.type.ClusterwrightException;
import io.clusterwright.mpi.internal.finding.MpiFinding;
import io.clusterwright.mpi.spi.LaunchRequest;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Tells before a job starts whether its MPI and Slurm's PMI plugin have no interface in common: MPICH would start each rank as a separate job
 * then, and each would end well.
 */
final class SlurmPmi {
    private static final Duration LIMIT = Duration.ofSeconds(30);
    private static final Pattern ALONE = Pattern.compile("clusterwright-alone cwjob-\\w+ (.+)");

    private SlurmPmi() {}

    /** Shell text for the launch node, with the job's variables set, that says why the ranks would be alone and leaves then. */
    static String check(LaunchRequest request, String plugin) {
        if (request.ranks() == 1) {
            return "";
        }
        return TextResource.read(SlurmPmi.class.getResourceAsStream("slurm-pmi.sh"), "slurm-pmi.sh")
                + """
                why=$(cd %s 2> /dev/null; alone %s %s %s)
                if [ -n "$why" ]; then
                    echo "clusterwright-alone %s $why" >&2
                    exit 69
                fi
                """.formatted(
                        PosixShell.quote(request.workingDirectory().isEmpty() ? "." : request.workingDirectory()),
                        PosixShell.quote(plugin),
                        PosixShell.quote(request.program().get(0)),
                        PosixShell.quote(request.mpi().library().orElse("")),
                        request.folder().token());
    }

    /** The finding of the check, if the line is its answer. */
    static Optional<Finding> finding(String line) {
        Matcher alone = ALONE.matcher(line);
        return alone.matches() ? Optional.of(MpiFinding.EACH_ALONE.of(alone.group(1))) : Optional.empty();
    }

    /** Lines of shell that set variables. */
    static String exports(Map<String, String> environment) {
        return environment.entrySet().stream()
                .map(variable -> "export " + variable.getKey() + "=" + PosixShell.quote(variable.getValue()) + "\n")
                .collect(Collectors.joining());
    }

    /**
     * Makes the check now.
     *
     * @throws ClusterwrightException when the ranks would be alone
     */
    static void require(NodeSession session, LaunchRequest request, String plugin) {
        String text = exports(request.environment()) + check(request, plugin);
        String said = session.run(Command.of("/bin/sh", "-s").input(text).timeout(LIMIT))
                .stderr();
        said.lines().flatMap(line -> finding(line).stream()).findFirst().ifPresent(finding -> {
            throw new ClusterwrightException(finding.message() + "; " + finding.remedy());
        });
    }
}
