package io.clusterwright.core;

import io.clusterwright.core.internal.json.JsonFields;
import io.clusterwright.core.internal.text.PrintableText;
import io.clusterwright.core.type.HasJson;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A cluster as it is now, from {@link ClusterManager#describe}. Use it to look for the cause of a problem.
 *
 * @param summary its record
 * @param nodes its nodes, the head first
 * @param checks the last result of each check that ran, in the order in which they ran; empty before the first
 * @see ClusterManager
 */
public record ClusterDescription(ClusterSummary summary, List<NodeDescription> nodes, List<PastCheck> checks)
        implements HasJson {

    /** Copies the lists. */
    public ClusterDescription {
        nodes = List.copyOf(nodes);
        checks = List.copyOf(checks);
    }

    @Override
    public Map<String, Object> toMap() {
        return JsonFields.of(summary).and("nodes", nodes).and("checks", checks);
    }

    /**
     * A node as it is now.
     *
     * @param node its name, address and host key
     * @param state the state of its machine
     * @param logs the last lines of its logs by name, the console first; where one cannot be read, the reason
     */
    public record NodeDescription(Node node, MachineState state, Map<String, String> logs) implements HasJson {

        /** Copies the map. */
        public NodeDescription {
            logs = java.util.Collections.unmodifiableMap(new LinkedHashMap<>(logs));
        }

        @Override
        public Map<String, Object> toMap() {
            return JsonFields.of(node).and("state", PrintableText.word(state)).and("logs", logs);
        }
    }

    /**
     * The result of a check that ran earlier.
     *
     * @param at when it ended
     * @param check the name of the check
     * @param status the verdict
     * @param summary one line for people
     */
    public record PastCheck(Instant at, String check, CheckReport.Status status, String summary) implements HasJson {
        @Override
        public Map<String, Object> toMap() {
            return JsonFields.of("at", at)
                    .and("check", check)
                    .and("status", PrintableText.word(status))
                    .and("summary", summary);
        }
    }
}
