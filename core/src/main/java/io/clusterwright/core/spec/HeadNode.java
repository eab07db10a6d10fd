package io.clusterwright.core.spec;

import io.clusterwright.core.type.InvalidValueException;
import io.clusterwright.core.type.NamePattern;
import io.clusterwright.core.type.NodeName;
import io.clusterwright.core.type.VmSize;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A node of its own that takes logins and leads, apart from the compute nodes. */
public final class HeadNode {
    private final VmSize size;
    private final @Nullable Integer index;
    private final @Nullable NodeName name;
    private final @Nullable NamePattern nodes;

    private HeadNode(Builder builder) {
        this.size = Objects.requireNonNull(builder.size);
        this.index = builder.index;
        this.name = builder.name;
        this.nodes = builder.nodes;
    }

    /** Starts with the default of everything. */
    public static Builder builder() {
        return new Builder();
    }

    /** A builder that holds the same values. */
    public Builder toBuilder() {
        Builder builder = new Builder();
        builder.size = size;
        builder.index = index;
        builder.name = name;
        builder.nodes = nodes;
        return builder;
    }

    /** The size of the node. Required. */
    public VmSize size() {
        return size;
    }

    /**
     * The number in its name and in its external port, 0 to 1000000. Default: the one before the first node's; 0
     * outside of a cluster.
     */
    public int index() {
        return index != null ? index : nodes == null ? 0 : Math.max(0, nodes.firstIndex() - 1);
    }

    /** The name of the node. Default: as the nodes are named, with {@link #index()}. */
    public NodeName name() {
        return name != null ? name : numbered();
    }

    private NodeName numbered() {
        NamePattern pattern = nodes == null ? new NamePattern("node", 0) : nodes;
        return new NamePattern(pattern.prefix(), index(), pattern.digits()).name(0);
    }

    /** What was given for {@link #index()}, without its default. */
    Optional<Integer> givenIndex() {
        return Optional.ofNullable(index);
    }

    /** What was given for {@link #name()}, without its default. */
    Optional<NodeName> givenName() {
        return Optional.ofNullable(name);
    }

    private List<Object> state() {
        return List.of(size(), index(), name());
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof HeadNode that && state().equals(that.state());
    }

    @Override
    public int hashCode() {
        return state().hashCode();
    }

    @Override
    public String toString() {
        return "HeadNode" + state();
    }

    /** Collects the parts of a {@link HeadNode}. */
    public static final class Builder {
        private @Nullable VmSize size;
        private @Nullable Integer index;
        private @Nullable NodeName name;
        private @Nullable NamePattern nodes;

        Builder() {}

        /** Sets {@link HeadNode#size()}. */
        public Builder size(VmSize size) {
            this.size = Objects.requireNonNull(size, "size");
            return this;
        }

        /**
         * Sets {@link HeadNode#size()} from text.
         *
         * @throws InvalidValueException when the text is not of the form
         */
        public Builder size(String size) {
            return size(VmSize.parse(size));
        }

        /** Sets {@link HeadNode#index()}. */
        public Builder index(int index) {
            this.index = Checks.range("index of the head node", index, 0, 1_000_000, 10);
            return this;
        }

        /** Sets {@link HeadNode#name()}. */
        public Builder name(NodeName name) {
            this.name = Objects.requireNonNull(name, "name");
            return this;
        }

        /**
         * Sets {@link HeadNode#name()} from text.
         *
         * @throws InvalidValueException when the text is not of the form
         */
        public Builder name(String name) {
            return name(NodeName.parse(name));
        }

        /** How the nodes of the cluster are named. */
        Builder nodes(@Nullable NamePattern nodes) {
            this.nodes = nodes;
            return this;
        }

        /**
         * The description.
         *
         * @throws InvalidSpecException with every reason why the parts do not make a whole
         */
        public HeadNode build() {
            Problems problems = new Problems();
            problems.require("size", size, "give a size, such as Standard_D8s_v5");

            problems.throwIfAny();
            return new HeadNode(this);
        }
    }
}
