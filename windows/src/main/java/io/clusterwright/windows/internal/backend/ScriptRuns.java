package io.clusterwright.windows.internal.backend;

import io.clusterwright.core.Command;
import io.clusterwright.core.CommandResult;
import io.clusterwright.core.NodeSession;
import io.clusterwright.core.type.ClusterwrightException;
import io.clusterwright.windows.internal.powershell.PowerShellScript;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;

/** Runs a long script on a machine: as a file, because a command line holds 32,767 characters. */
final class ScriptRuns {
    private static final String FOLDER = "C:\\ProgramData\\clusterwright\\";
    private static final char BYTE_ORDER_MARK = '\uFEFF';
    private static final int SHOWN_LINES = 12;

    private ScriptRuns() {}

    /**
     * Runs it to its end, and takes it away again.
     *
     * @param name of the file, without its ending
     * @param marker what it prints when it is complete
     * @return what it printed
     */
    static String run(NodeSession session, String name, String script, String marker, Duration limit) {
        String file = FOLDER + name + ".ps1";
        session.write((BYTE_ORDER_MARK + script).getBytes(StandardCharsets.UTF_8), file, 0600);
        CommandResult result = session.run(Command.of(PowerShellScript.command(
                        "-Command",
                        "try { & '" + file + "' } finally { Remove-Item -LiteralPath '" + file + "' -Force }"))
                .timeout(limit));
        if (!result.succeeded() || !result.stdout().contains(marker)) {
            List<String> lines = (result.stderr() + "\n" + result.stdout())
                    .lines()
                    .map(String::strip)
                    .filter(line -> !line.isEmpty())
                    .limit(SHOWN_LINES)
                    .toList();
            throw new ClusterwrightException(
                    "on " + session.node() + ", the script " + name + " ended with exit status " + result.exitStatus()
                            + " and without its last line; it said: " + String.join(" | ", lines));
        }
        return result.stdout();
    }
}
