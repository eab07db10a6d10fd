package io.clusterwright.core.internal.lifecycle;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import io.clusterwright.core.CheckReport;
import io.clusterwright.core.ClusterDescription.PastCheck;
import io.clusterwright.core.StateStore;
import io.clusterwright.core.internal.json.Json;
import io.clusterwright.core.type.ClusterName;
import io.clusterwright.core.type.ClusterwrightException;
import io.clusterwright.core.type.Secret;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The last result of each check of a cluster, kept beside its keys: it goes with the cluster. */
final class PastChecks {
    private static final Logger LOG = LoggerFactory.getLogger(PastChecks.class);
    private static final String FILE = "checks";

    private PastChecks() {}

    /**
     * Keeps these results; does nothing for a cluster that the store does not know. What cannot be written is left out: the cluster and the
     * results do not depend on it.
     */
    static void keep(StateStore store, ClusterName cluster, Instant now, List<CheckReport> reports) {
        try {
            if (!reports.isEmpty() && store.clusters().contains(cluster)) {
                write(store, cluster, now, reports);
            }
        } catch (ClusterwrightException e) {
            LOG.debug("the results of the checks of cluster {} are not kept", cluster, e);
        }
    }

    private static void write(StateStore store, ClusterName cluster, Instant now, List<CheckReport> reports) {
        Map<String, PastCheck> all = new LinkedHashMap<>();
        read(store, cluster).forEach(check -> all.put(check.check(), check));
        for (CheckReport report : reports) {
            all.remove(report.check());
            all.put(report.check(), new PastCheck(now, report.check(), report.status(), report.summary()));
        }
        ArrayNode json = Json.array();
        all.values()
                .forEach(check -> json.addObject()
                        .put("at", check.at().toString())
                        .put("check", check.check())
                        .put("status", check.status().name())
                        .put("summary", check.summary()));
        store.secrets(cluster).put(FILE, Secret.of(Json.write(json)));
    }

    /** The results that were kept; none where they cannot be read, since they are for people only. */
    static List<PastCheck> read(StateStore store, ClusterName cluster) {
        try {
            Optional<Secret> text = store.secrets(cluster).get(FILE);
            List<PastCheck> checks = new ArrayList<>();
            for (JsonNode check : Json.MAPPER.readTree(text.map(Secret::reveal).orElse("[]"))) {
                checks.add(new PastCheck(
                        Instant.parse(check.path("at").asText()),
                        check.path("check").asText(),
                        CheckReport.Status.valueOf(check.path("status").asText()),
                        check.path("summary").asText()));
            }
            return checks;
        } catch (JsonProcessingException | RuntimeException e) {
            LOG.debug("the results of earlier checks of cluster {} cannot be read", cluster, e);
            return List.of();
        }
    }
}
