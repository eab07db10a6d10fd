package io.clusterwright.mpi;

import io.clusterwright.core.cluster.Command;
import io.clusterwright.core.type.PosixShell;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Commands that look after the processes of a job on a node. The job's token reaches them over standard input only, so that they are
 * not taken for parts of the job themselves.
 */
final class GuardScript {
    private static final String BOOT = "eval \"$(head -c \"$1\")\"";
    private static final Pattern ANSWER = Pattern.compile("(?s).*clusterwright-sweep (\\d+) (\\d+)\\s*");

    private GuardScript() {}

    /** Counts the processes of a job, waiting up to half a second for them to end. */
    static Command count(JobFolder folder) {
        return sweep(folder, "count");
    }

    /** Ends the processes of a job. */
    static Command end(JobFolder folder) {
        return sweep(folder, "end");
    }

    /** Waits for the line {@link #COUNT} to count, and ends the processes of the job when its input ends. */
    static Command alone(JobFolder folder) {
        return guard(folder, "alone", List.of()).openInput();
    }

    /** Runs a program of the job, which ends when the command's input does. */
    static Command run(JobFolder folder, List<String> program) {
        return guard(folder, "run", program).openInput();
    }

    /** The same, and counts in the end what the program left behind. */
    static Command prove(JobFolder folder, List<String> program) {
        return guard(folder, "prove", program).openInput();
    }

    /** What {@link #alone} waits for. */
    static final byte[] COUNT = "count\n".getBytes(StandardCharsets.US_ASCII);

    /** The numbers in a command's output; empty when it never came to them. */
    static Optional<Leftovers> answer(String output) {
        Matcher answer = ANSWER.matcher(output);
        return answer.matches()
                ? Optional.of(new Leftovers(Integer.parseInt(answer.group(1)), Integer.parseInt(answer.group(2)), ""))
                : Optional.empty();
    }

    private static Command sweep(JobFolder folder, String mode) {
        return command("token=" + folder.token() + "\n" + Scripts.read("processes.sh") + "sweep " + mode + "\n");
    }

    private static Command guard(JobFolder folder, String what, List<String> program) {
        String arguments = program.stream().map(PosixShell::quote).collect(Collectors.joining(" "));
        return command("what=" + what + "\ntoken=" + folder.token() + "\nset -- " + arguments + "\n"
                + Scripts.read("processes.sh") + Scripts.read("guard.sh"));
    }

    private static Command command(String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        return Command.of("/bin/sh", "-c", BOOT, "clusterwright-guard", Integer.toString(bytes.length))
                .input(bytes);
    }
}
