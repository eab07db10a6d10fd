package io.clusterwright.core.spec;

import io.clusterwright.core.internal.spec.Codecs;
import io.clusterwright.core.internal.spec.RecordCodec;
import io.clusterwright.core.type.NamePattern;
import io.clusterwright.core.type.NodeName;

/** The names of what a description says of nodes. */
final class NodeCodecs {
    static final RecordCodec<SpotSpec, SpotSpec.Builder> SPOT = RecordCodec.of(
                    "spot", SpotSpec::builder, SpotSpec.Builder::build)
            .defaulted("enabled", Codecs.bool(), SpotSpec::enabled, SpotSpec.Builder::enabled, false)
            .optional(
                    "maxPricePerHour",
                    Codecs.decimal("1.20"),
                    SpotSpec::maxPricePerHour,
                    SpotSpec.Builder::maxPricePerHour)
            .defaulted(
                    "onEviction",
                    Codecs.oneOf(SpotSpec.Eviction.class),
                    SpotSpec::onEviction,
                    SpotSpec.Builder::onEviction,
                    SpotSpec.Eviction.DELETE);

    static final RecordCodec<NodeGroup, NodeGroup.Builder> NODES = RecordCodec.of(
                    "nodes", NodeGroup::builder, NodeGroup.Builder::build)
            .required("count", Codecs.integer("8"), NodeGroup::count, NodeGroup.Builder::count)
            .required("size", ValueCodecs.SIZE, NodeGroup::size, NodeGroup.Builder::size)
            .optional(
                    "namePattern",
                    Codecs.parsed("a name pattern", "HPCCN-%0001%", NamePattern::parse),
                    NodeGroup::namePattern,
                    NodeGroup.Builder::namePattern)
            .derived(
                    "prefix",
                    Codecs.text("the start of a name", "cluster"),
                    NodeCodecs::isNumbered,
                    NodeGroup::prefix,
                    NodeGroup::givenPrefix,
                    NodeGroup.Builder::prefix)
            .derived(
                    "firstIndex",
                    Codecs.integer("11"),
                    NodeCodecs::isNumbered,
                    NodeGroup::firstIndex,
                    NodeGroup::givenFirstIndex,
                    NodeGroup.Builder::firstIndex)
            .part("spot", SPOT, NodeGroup::spot, NodeGroup.Builder::spot)
            .derived(
                    "quorum", Codecs.integer("8"), NodeGroup::quorum, NodeGroup::givenQuorum, NodeGroup.Builder::quorum)
            .defaulted(
                    "deadline",
                    Codecs.duration("20m"),
                    NodeGroup::deadline,
                    NodeGroup.Builder::deadline,
                    NodeGroup.DEFAULT_DEADLINE);

    static final RecordCodec<HeadNode, HeadNode.Builder> HEAD = RecordCodec.of(
                    "headNode", HeadNode::builder, HeadNode.Builder::build)
            .required("size", ValueCodecs.SIZE, HeadNode::size, HeadNode.Builder::size)
            .derived("index", Codecs.integer("10"), HeadNode::index, HeadNode::givenIndex, HeadNode.Builder::index)
            .derived(
                    "name",
                    Codecs.parsed("a node name", "HPC1HN", NodeName::parse),
                    HeadNode::name,
                    HeadNode::givenName,
                    HeadNode.Builder::name);

    private NodeCodecs() {}

    private static boolean isNumbered(NodeGroup nodes) {
        return nodes.namePattern().isEmpty();
    }
}
