package io.clusterwright.mpi.internal.agent;

import io.clusterwright.core.Command;
import io.clusterwright.core.internal.text.PosixShell;
import io.clusterwright.core.internal.text.TextResource;
import io.clusterwright.mpi.job.Leftovers;
import io.clusterwright.mpi.spi.JobFolder;
import io.clusterwright.mpi.spi.LaunchCommand;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Commands that look after the processes of a job on a node. The job's token reaches them over standard input only, so that they are
 * not taken for parts of the job themselves.
 */
final class WatchdogScript {
    private static final String BOOT = "eval \"$(head -c \"$1\")\"";
    private static final Pattern ANSWER = Pattern.compile("(?s).*clusterwright-sweep (\\d{1,9}) (\\d{1,9})\\s*");
    private static final String PROCESSES = read("processes.sh");
    private static final String END = PROCESSES + "read -r token && sweep end\n";
    /** The text of an agent, which {@code eval "$(head -c "$1")"} reads. */
    static final byte[] AGENT = (PROCESSES + "rank_script=" + PosixShell.quote(read("rank.sh")) + "\n"
                    + read("node-agent.sh"))
            .getBytes(StandardCharsets.UTF_8);

    private WatchdogScript() {}

    private static String read(String name) {
        return TextResource.read(WatchdogScript.class.getResourceAsStream(name), name);
    }

    /** Ends the processes of a job. */
    static Command end(JobFolder folder) {
        return command("watchdog", END, folder.token() + "\n");
    }

    /** The lines that ask an agent to run a job's launcher with the variables that it alone gets. */
    static String launch(JobFolder folder, LaunchCommand command, String secret) {
        String text = PosixShell.exports(command.environment()) + "set -- " + PosixShell.quote(command.arguments());
        long lines = 1 + text.chars().filter(c -> c == '\n').count();
        return "launch " + folder.token() + " " + lines + " " + secret + "\n" + text + "\n";
    }

    /** The numbers in a command's output; empty when it never came to them. */
    static Optional<Leftovers> leftovers(String output) {
        Matcher answer = ANSWER.matcher(output);
        return answer.matches()
                ? Optional.of(new Leftovers(Integer.parseInt(answer.group(1)), Integer.parseInt(answer.group(2)), ""))
                : Optional.empty();
    }

    /** The script comes over standard input, too, so that a list of processes stays readable. */
    private static Command command(String name, String script, String input) {
        return Command.of("/bin/sh", "-c", BOOT, "clusterwright-" + name, length(script))
                .input((script + input).getBytes(StandardCharsets.UTF_8));
    }

    private static String length(String script) {
        return Integer.toString(script.getBytes(StandardCharsets.UTF_8).length);
    }
}
