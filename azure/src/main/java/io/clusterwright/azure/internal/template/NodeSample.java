package io.clusterwright.azure.internal.template;

import io.clusterwright.azure.internal.TemplateBodies;
import io.clusterwright.core.spec.ClusterSpec;
import io.clusterwright.core.spec.NodeGroup;
import io.clusterwright.core.spec.Placement;
import io.clusterwright.core.spec.SpecWriter;
import io.clusterwright.core.spec.NetworkSpec.SshAccess;
import io.clusterwright.core.type.Ipv4Address;
import io.clusterwright.core.type.NodeName;
import io.clusterwright.core.type.VmSize;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

/**
 * One node that stands for all of its kind.
 *
 * @param spec a description of a cluster of this node only, whose name occurs nowhere else in it
 */
record NodeSample(ClusterSpec spec) {
    private static final Ipv4Address ADDRESS = Ipv4Address.parse("192.0.2.77");

    /** A compute node; {@code reachable} says whether it answers SSH from outside. */
    static NodeSample compute(ClusterSpec spec, boolean reachable) {
        NodeGroup nodes =
                group(spec, spec.nodes().size().orElseThrow()).spot(spec.nodes().spot()).build();
        return new NodeSample(
                reachable(spec.toBuilder().nodes(nodes), reachable).build());
    }

    /** A head node of its own, which has no part in the placement of the others and is not evicted. */
    static NodeSample head(ClusterSpec spec, VmSize size, boolean reachable) {
        return new NodeSample(reachable(spec.toBuilder().nodes(group(spec, size).build()), reachable)
                .placement(new Placement(Placement.Kind.NONE, false))
                .build());
    }

    private static NodeGroup.Builder group(ClusterSpec spec, VmSize size) {
        String text = SpecWriter.json(spec).toLowerCase(Locale.ROOT);
        StringBuilder prefix = new StringBuilder("nodename");
        while (text.contains(prefix)) {
            prefix.append('x');
        }
        return NodeGroup.builder()
                .count(1)
                .firstIndex(spec.nodes().firstIndex())
                .prefix(prefix.toString())
                .size(size);
    }

    private static ClusterSpec.Builder reachable(ClusterSpec.Builder spec, boolean reachable) {
        return spec.network(
                n -> n.ssh(ssh -> ssh.external(reachable ? SshAccess.External.ALL : SshAccess.External.NONE)));
    }

    /** The same node beside every placement of several. */
    NodeSample alone() {
        Placement alone = new Placement(Placement.Kind.NONE, spec.placement().proximityGroup());
        return new NodeSample(spec.toBuilder().placement(alone).build());
    }

    NodeName name() {
        return spec.nodes().names().get(0);
    }

    Ipv4Address address() {
        return ADDRESS;
    }

    TemplateBodies bodies() {
        return new TemplateBodies(spec);
    }

    /** The sample's own name and address, and what they stand for. */
    Map<String, String> standIns(String element) {
        Map<String, String> standIns = new LinkedHashMap<>();
        standIns.put(name().value(), element + ".name");
        standIns.put(ADDRESS.toString(), element + ".privateAddress");
        return standIns;
    }
}
