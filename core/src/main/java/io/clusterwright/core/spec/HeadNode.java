package io.clusterwright.core.spec;

import static io.clusterwright.core.spec.SpecCodecs.integer;
import static io.clusterwright.core.spec.SpecCodecs.parsed;

import io.clusterwright.core.spec.Table.Field;
import io.clusterwright.core.type.NamePattern;
import io.clusterwright.core.type.NodeName;
import io.clusterwright.core.type.VmSize;
import java.util.List;
import java.util.Optional;

/**
 * A separate node that takes logins and leads the compute nodes. Use it for logins and a scheduler apart from the compute nodes.
 *
 * @see ClusterSpec
 */
public final class HeadNode extends SpecPart<HeadNode.Builder> {
    static final Table<HeadNode> FIELDS = new Table<>("headNode", HeadNode::new, Builder::new);
    private static final Field<VmSize> SIZE = FIELDS.optional("size", SpecCodecs.SIZE);
    private static final Field<Integer> INDEX =
            FIELDS.derived("index", integer("index of the head node", 0, 1_000_000, 10), HeadNode::index);
    private static final Field<NodeName> NAME =
            FIELDS.derived("name", parsed("a node name", "HPC1HN", NodeName::of), HeadNode::name);
    private static final Field<NamePattern> NODES = FIELDS.hidden("nodes", NamePattern.class);

    private HeadNode(Values values) {
        super(values);
    }

    /** A builder with the default of every field. */
    public static Builder builder() {
        return new Builder();
    }

    /** The size of the node. Required in a cloud; local nodes have no size. */
    public Optional<VmSize> size() {
        return find(SIZE);
    }

    /**
     * The size of the node, for what needs one.
     *
     * @throws InvalidSpecException when the spec names none
     */
    public VmSize requireSize() {
        return size().orElseThrow(() -> new InvalidSpecException(List.of(
                SpecProblem.missing("headNode.size", "write headNode: {size: Standard_D8s_v5}, or another size"))));
    }

    /**
     * The number in the name of the head node and in its external port, 0 to 1000000. Default: the number before the first node's; 0
     * outside of a cluster.
     */
    public int index() {
        return find(INDEX)
                .or(() -> find(NODES).map(nodes -> Math.max(0, nodes.firstIndex() - 1)))
                .orElse(0);
    }

    /** The name of the node. Default: as the nodes are named, with {@link #index()}. */
    public NodeName name() {
        return find(NAME).orElseGet(() -> {
            NamePattern pattern = find(NODES).orElseGet(() -> new NamePattern("node", 0));
            return new NamePattern(pattern.prefix(), index(), pattern.digits()).name(0);
        });
    }

    /** Checks the head node against the compute nodes. */
    void check(Problems problems, NodeGroup nodes) {
        if (find(INDEX).isEmpty() && find(NAME).isEmpty() && nodes.firstIndex() == 0) {
            problems.add(
                    "headNode.index",
                    "the first node has index 0, so the head node has no index before it",
                    "write headNode.index");
            return;
        }
        problems.attempt("headNode.name", () -> {
            if (nodes.names().contains(name())) {
                problems.add(
                        "headNode." + (find(NAME).isPresent() ? "name" : "index"),
                        "the head node and a compute node have the same name " + name(),
                        "write another headNode.name, or a headNode.index below " + nodes.firstIndex());
            }
        });
    }

    /** Setters of the fields of {@link HeadNode}. */
    public static final class Builder extends SpecPart.Builder<HeadNode, Builder> {
        Builder() {
            super(FIELDS);
        }

        public Builder size(VmSize size) {
            return set(SIZE, size);
        }

        public Builder size(String size) {
            return parse(SIZE, size);
        }

        public Builder index(int index) {
            return set(INDEX, index);
        }

        public Builder name(NodeName name) {
            return set(NAME, name);
        }

        public Builder name(String name) {
            return parse(NAME, name);
        }

        @Override
        void within(Values cluster) {
            cluster.find(ClusterSpec.NODES).ifPresent(nodes -> set(NODES, nodes.pattern()));
        }
    }
}
