package io.clusterwright.mpi.internal.agent;

import io.clusterwright.mpi.spi.LaunchNode;
import io.clusterwright.mpi.spi.LaunchRequest;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The lines of the program that mpirun of Open MPI calls in the place of ssh: for each node but the first one line with the job's token,
 * the node's address and the command of its daemon, in any order. As measured with Open MPI 4.1.4, whose values stand in quotation marks,
 * and with Open MPI 5.0.7, which sets the paths of its own libraries before the daemon: in the system's folders they need no setting.
 */
final class OpenMpiDaemons extends HelperCommands {
    private static final Pattern LINE = Pattern.compile(
            "clusterwright-helper (\\S+) (\\S+) +(?:env ([A-Z_]+=[a-z,-]+) +|(?:[A-Z_]+=[^;]*;export [A-Z_]+;)*/usr/(?:local/)?bin/)?"
                    + "(?:orted|prted)((?: .*)?)");
    /** What surrounds the command for login shells other than bash, zsh and csh. An agent needs no start-up file. */
    private static final Pattern IN_PROFILE =
            Pattern.compile("(\\S+ \\S+ \\S+ +)\\( *test ! -r \\./\\.profile \\|\\| \\. \\./\\.profile; *(.*?) *\\)");

    private static final Pattern WORD =
            Pattern.compile("[A-Za-z0-9_./:@%+,=^~-]+|\"[A-Za-z0-9_./:@%+,=;^~()\\[\\]-]+\"");

    private final String token;
    private final String program;
    private final Map<String, Integer> nodes = new HashMap<>();
    private final Set<String> seen = new HashSet<>();
    private final List<HelperCommand> fresh = new ArrayList<>();

    OpenMpiDaemons(LaunchRequest request) {
        this.token = request.folder().token();
        this.program = Path.of(request.mpi().mpirun())
                .resolveSibling(request.mpi().version().matches("[234]\\..*") ? "orted" : "prted")
                .toString();
        for (LaunchNode node : request.nodes()) {
            nodes.putIfAbsent(node.address().toString(), nodes.size());
        }
        endAfterLast();
    }

    @Override
    boolean launcherHelps() {
        return true;
    }

    @Override
    List<HelperCommand> next() {
        List<HelperCommand> all = problem().isPresent() ? List.of() : List.copyOf(fresh);
        fresh.clear();
        return all;
    }

    @Override
    boolean take(String line) {
        if (!line.startsWith("clusterwright-helper " + token + " ")) {
            return false;
        }
        Matcher wrapped = IN_PROFILE.matcher(line);
        Matcher parts = LINE.matcher(wrapped.matches() ? wrapped.group(1) + wrapped.group(2) : line);
        if (!parts.matches()) {
            refuse(line);
            return true;
        }
        int node = nodes.getOrDefault(parts.group(2), -1);
        List<String> words = new ArrayList<>();
        String arguments = parts.group(4).strip();
        String variable = parts.group(3);
        if (variable != null) {
            words.addAll(List.of("env", variable));
            // The daemon gets its own command, too, with blanks, and starts none.
            arguments = arguments.replace("-mca orte_launch_agent \"env " + variable + " orted\" ", "");
        }
        words.add(program);
        boolean plain = node > 0 && seen.add(parts.group(2)) && addWords(words, arguments);
        if (plain) {
            fresh.add(new HelperCommand(node, List.copyOf(words)));
        } else {
            refuse(line);
        }
        endAfterLast();
        return true;
    }

    private static boolean addWords(List<String> words, String text) {
        for (String word : text.isEmpty() ? new String[0] : text.split(" +")) {
            if (!WORD.matcher(word).matches()) {
                return false;
            }
            words.add(word.replace("\"", ""));
        }
        return true;
    }

    private void endAfterLast() {
        if (seen.size() == nodes.size() - 1) {
            end();
        }
    }
}
