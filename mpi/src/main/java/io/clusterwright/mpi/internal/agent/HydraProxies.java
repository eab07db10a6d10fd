package io.clusterwright.mpi.internal.agent;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The lines that Hydra's manual launcher prints: one for each proxy with its command, which begins with {@code HYDRA_LAUNCH:}, and {@code
 * HYDRA_LAUNCH_END}. Proxy N belongs to the N-th host of the host list, as measured with MPICH 4.0.2; hosts that take no rank have
 * none. None starts before the last line has come.
 */
final class HydraProxies extends HelperCommands {
    private static final String LINE = "HYDRA_LAUNCH: ";
    private static final String END = "HYDRA_LAUNCH_END";
    private static final Pattern COMMAND = Pattern.compile("(\\S*hydra_pmi_proxy( [A-Za-z0-9_./:@%+,=-]+)*) *");
    private static final Pattern NUMBER = Pattern.compile(".* --proxy-id (\\d{1,6})( .*)?");

    private final int nodes;
    private final List<HelperCommand> commands = new ArrayList<>();

    /** @param nodes the number of nodes of the job, of which each has one proxy at most */
    HydraProxies(int nodes) {
        this.nodes = nodes;
    }

    @Override
    boolean launcherHelps() {
        return false;
    }

    @Override
    List<HelperCommand> next() {
        if (!complete() || problem().isPresent()) {
            return List.of();
        }
        List<HelperCommand> all = List.copyOf(commands);
        commands.clear();
        return all;
    }

    @Override
    boolean take(String line) {
        if (line.equals(END)) {
            end();
            return true;
        }
        if (!line.startsWith(LINE)) {
            return false;
        }
        Matcher command = COMMAND.matcher(line.substring(LINE.length()));
        Matcher number = NUMBER.matcher(line);
        if (command.matches()
                && number.matches()
                && commands.size() < nodes
                && Integer.parseInt(number.group(1)) == commands.size()) {
            commands.add(
                    new HelperCommand(commands.size(), List.of(command.group(1).split(" "))));
        } else {
            refuse(line);
        }
        return true;
    }
}
