package io.clusterwright.mpi.job;

import io.clusterwright.core.internal.json.JsonFields;
import io.clusterwright.core.type.HasJson;
import io.clusterwright.core.type.NodeName;
import java.util.Map;

/**
 * The processors on which a rank may run, as the kernel of its node said when the rank started. Use it to see whether
 * ranks are where they were placed.
 *
 * @param rank its number
 * @param node the node it runs on
 * @param cpus the processors, as a list of Linux such as {@code 0-3,8}
 * @param numaDomains the NUMA domains that these processors belong to, as such a list
 * @see JobResult#bindings()
 */
public record RankBinding(int rank, NodeName node, String cpus, String numaDomains) implements HasJson {

    @Override
    public Map<String, Object> toMap() {
        return JsonFields.of("rank", rank).and("node", node).and("cpus", cpus).and("numaDomains", numaDomains);
    }
}
