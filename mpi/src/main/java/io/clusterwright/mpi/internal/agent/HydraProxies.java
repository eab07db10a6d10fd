package io.clusterwright.mpi.internal.agent;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Reads what Hydra's manual launcher prints before anything of the job: one line for each proxy with its command, which begins with
 * {@code HYDRA_LAUNCH:}, and {@code HYDRA_LAUNCH_END}. Proxy N belongs to the N-th host of the host list, as measured with MPICH
 * 4.0.2; hosts that take no rank have none.
 */
final class HydraProxies {
    private static final String LINE = "HYDRA_LAUNCH: ";
    private static final String END = "HYDRA_LAUNCH_END";
    private static final Pattern COMMAND = Pattern.compile("(\\S*hydra_pmi_proxy( [A-Za-z0-9_./:@%+,=-]+)*) *");
    private static final Pattern NUMBER = Pattern.compile(".* --proxy-id (\\d{1,6})( .*)?");

    private final ByteArrayOutputStream pending = new ByteArrayOutputStream();
    private final List<List<String>> commands = new ArrayList<>();
    private Optional<String> problem = Optional.empty();
    private boolean complete;

    /** Whether the last line came: what follows belongs to the job. */
    boolean complete() {
        return complete;
    }

    /** The commands by number. */
    List<List<String>> commands() {
        return List.copyOf(commands);
    }

    /** The text that was not understood. */
    Optional<String> problem() {
        return problem;
    }

    /** Takes bytes of the launcher's standard output and gives back what belongs to the job. */
    byte[] feed(byte[] bytes, int length) {
        ByteArrayOutputStream job = new ByteArrayOutputStream();
        for (int i = 0; i < length; i++) {
            if (complete) {
                job.writeBytes(Arrays.copyOfRange(bytes, i, length));
                break;
            }
            pending.write(bytes[i]);
            if (bytes[i] == '\n') {
                byte[] line = pending.toByteArray();
                pending.reset();
                if (!take(new String(line, StandardCharsets.UTF_8).stripTrailing())) {
                    job.writeBytes(line);
                }
            }
        }
        return job.toByteArray();
    }

    private boolean take(String line) {
        if (line.equals(END)) {
            complete = true;
            return true;
        }
        if (!line.startsWith(LINE)) {
            return false;
        }
        Matcher command = COMMAND.matcher(line.substring(LINE.length()));
        Matcher number = NUMBER.matcher(line);
        if (command.matches() && number.matches() && Integer.parseInt(number.group(1)) == commands.size()) {
            commands.add(List.of(command.group(1).split(" ")));
        } else if (problem.isEmpty()) {
            problem = Optional.of(line);
        }
        return true;
    }
}
