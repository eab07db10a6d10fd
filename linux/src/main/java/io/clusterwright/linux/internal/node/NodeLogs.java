package io.clusterwright.linux.internal.node;

import io.clusterwright.core.Command;
import io.clusterwright.core.NodeSession;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The last lines of the logs that tell how a node was set up. */
public final class NodeLogs {
    private static final Duration ASK = Duration.ofSeconds(30);
    private static final Pattern TITLE = Pattern.compile("(?m)^==> (/\\S+) <==\\n");

    /** The agent's logs first, then the logs of what extensions install. */
    private static final String SCRIPT = """
            for log in /var/log/cloud-init-output.log /var/log/cloud-init.log /var/log/waagent.log \\
                /var/log/azure/*/*.log /var/log/azure/*/*/*.log /var/log/slurm*.log /var/log/slurm/*.log; do
              if [ -s "$log" ]; then printf '==> %s <==\\n' "$log"; tail -n "$1" "$log"; echo; fi
            done
            """;

    private NodeLogs() {}

    /** Reads those that exist, as root. */
    public static Map<String, String> read(NodeSession session, int lines) {
        String all = session.run(Command.of("/bin/sh", "-c", SCRIPT, "logs", Integer.toString(lines))
                        .elevate()
                        .timeout(ASK))
                .orThrow()
                .stdout();
        return parse(all);
    }

    static Map<String, String> parse(String all) {
        Map<String, String> logs = new LinkedHashMap<>();
        Matcher title = TITLE.matcher(all);
        String name = "";
        int from = 0;
        while (title.find()) {
            if (!name.isEmpty()) {
                logs.put(name, all.substring(from, title.start()).strip());
            }
            name = title.group(1);
            from = title.end();
        }
        if (!name.isEmpty()) {
            logs.put(name, all.substring(from).strip());
        }
        return logs;
    }
}
