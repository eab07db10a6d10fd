package io.clusterwright.core.spec;

import io.clusterwright.core.type.InvalidValueException;
import io.clusterwright.core.type.NamePattern;
import io.clusterwright.core.type.NodeName;
import io.clusterwright.core.type.VmSize;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The compute nodes of a cluster, which are all alike. */
public final class NodeGroup {
    /** The default of {@link #deadline()}. */
    public static final Duration DEFAULT_DEADLINE = Duration.ofMinutes(20);

    private final int count;
    private final VmSize size;
    private final @Nullable String prefix;
    private final @Nullable Integer firstIndex;
    private final @Nullable NamePattern namePattern;
    private final SpotSpec spot;
    private final @Nullable Integer quorum;
    private final Duration deadline;
    private final @Nullable String fallbackPrefix;

    private NodeGroup(Builder builder, SpotSpec spot) {
        this.count = Objects.requireNonNull(builder.count);
        this.size = Objects.requireNonNull(builder.size);
        this.prefix = builder.prefix;
        this.firstIndex = builder.firstIndex;
        this.namePattern = builder.namePattern;
        this.spot = spot;
        this.quorum = builder.quorum;
        this.deadline = builder.deadline;
        this.fallbackPrefix = builder.fallbackPrefix;
    }

    /** Starts with the default of everything. */
    public static Builder builder() {
        return new Builder();
    }

    /** A builder that holds the same values. */
    public Builder toBuilder() {
        Builder builder = new Builder();
        builder.count = count;
        builder.size = size;
        builder.prefix = prefix;
        builder.firstIndex = firstIndex;
        builder.namePattern = namePattern;
        builder.spot = spot.toBuilder();
        builder.quorum = quorum;
        builder.deadline = deadline;
        builder.fallbackPrefix = fallbackPrefix;
        return builder;
    }

    /** How many nodes, 1 to 100000. Required. */
    public int count() {
        return count;
    }

    /** The size of a node. Required. */
    public VmSize size() {
        return size;
    }

    /** What the name of every node starts with. Default: the name of the cluster; {@code node} outside of one. */
    public String prefix() {
        return namePattern != null
                ? namePattern.prefix()
                : prefix != null ? prefix : Objects.requireNonNullElse(fallbackPrefix, "node");
    }

    /** The number in the name of the first node, 0 to 1000000. Default: 1. */
    public int firstIndex() {
        return namePattern != null ? namePattern.firstIndex() : Objects.requireNonNullElse(firstIndex, 1);
    }

    /**
     * How nodes are named, in place of {@link #prefix()} and {@link #firstIndex()}. Default: not given; {@link
     * #pattern()} always has it.
     */
    public Optional<NamePattern> namePattern() {
        return Optional.ofNullable(namePattern);
    }

    /** Whether nodes are spot machines. Default: they are not. */
    public SpotSpec spot() {
        return spot;
    }

    /** How many nodes must be ready for the cluster to be, 1 to {@link #count()}. Default: all. */
    public int quorum() {
        return quorum != null ? quorum : count;
    }

    /**
     * How long a node may take to be ready before it is restarted, then replaced, then given up. Default: 20 minutes.
     */
    public Duration deadline() {
        return deadline;
    }

    /** How the nodes are named, given or made of {@link #prefix()} and {@link #firstIndex()}. */
    public NamePattern pattern() {
        return namePattern != null ? namePattern : new NamePattern(prefix(), firstIndex());
    }

    /** The names of the nodes, in order; as many as {@link #count()}. */
    public List<NodeName> names() {
        return pattern().names(count);
    }

    /** What was given for {@link #prefix()}, without its default. */
    Optional<String> givenPrefix() {
        return Optional.ofNullable(prefix);
    }

    /** What was given for {@link #firstIndex()}, without its default. */
    Optional<Integer> givenFirstIndex() {
        return Optional.ofNullable(firstIndex);
    }

    /** What was given for {@link #quorum()}, without its default. */
    Optional<Integer> givenQuorum() {
        return Optional.ofNullable(quorum);
    }

    private List<Object> state() {
        return List.of(count(), size(), prefix(), firstIndex(), namePattern(), spot(), quorum(), deadline());
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof NodeGroup that && state().equals(that.state());
    }

    @Override
    public int hashCode() {
        return state().hashCode();
    }

    @Override
    public String toString() {
        return "NodeGroup" + state();
    }

    /** Collects the parts of a {@link NodeGroup}. */
    public static final class Builder {
        private @Nullable Integer count;
        private @Nullable VmSize size;
        private @Nullable String prefix;
        private @Nullable Integer firstIndex;
        private @Nullable NamePattern namePattern;
        private SpotSpec.Builder spot = SpotSpec.builder();
        private @Nullable Integer quorum;
        private Duration deadline = DEFAULT_DEADLINE;
        private @Nullable String fallbackPrefix;

        Builder() {}

        /** Sets {@link NodeGroup#count()}. */
        public Builder count(int count) {
            this.count = Checks.range("number of nodes", count, 1, 100_000, 8);
            return this;
        }

        /** Sets {@link NodeGroup#size()}. */
        public Builder size(VmSize size) {
            this.size = Objects.requireNonNull(size, "size");
            return this;
        }

        /**
         * Sets {@link NodeGroup#size()} from text.
         *
         * @throws InvalidValueException when the text is not of the form
         */
        public Builder size(String size) {
            return size(VmSize.parse(size));
        }

        /** Sets {@link NodeGroup#prefix()}. */
        public Builder prefix(String prefix) {
            this.prefix = Checks.prefix(Objects.requireNonNull(prefix, "prefix"));
            return this;
        }

        /** Sets {@link NodeGroup#firstIndex()}. */
        public Builder firstIndex(int firstIndex) {
            this.firstIndex = Checks.range("first index", firstIndex, 0, 1_000_000, 11);
            return this;
        }

        /** Sets {@link NodeGroup#namePattern()}. */
        public Builder namePattern(NamePattern namePattern) {
            this.namePattern = Objects.requireNonNull(namePattern, "namePattern");
            return this;
        }

        /**
         * Sets {@link NodeGroup#namePattern()} from text.
         *
         * @throws InvalidValueException when the text is not of the form
         */
        public Builder namePattern(String namePattern) {
            return namePattern(NamePattern.parse(namePattern));
        }

        /** Sets {@link NodeGroup#spot()}. */
        public Builder spot(SpotSpec spot) {
            this.spot = spot.toBuilder();
            return this;
        }

        /** Describes {@link NodeGroup#spot()}, starting from what was described so far. */
        public Builder spot(Consumer<SpotSpec.Builder> spot) {
            spot.accept(this.spot);
            return this;
        }

        /** Sets {@link NodeGroup#quorum()}. */
        public Builder quorum(int quorum) {
            this.quorum = Checks.range("quorum", quorum, 1, 100_000, 8);
            return this;
        }

        /** Sets {@link NodeGroup#deadline()}. */
        public Builder deadline(Duration deadline) {
            this.deadline = Checks.positive("deadline", deadline);
            return this;
        }

        /** The prefix where none was given. */
        Builder fallbackPrefix(@Nullable String fallbackPrefix) {
            this.fallbackPrefix = fallbackPrefix;
            return this;
        }

        private void checkLastName(Problems problems, int nodes) {
            String start = Objects.requireNonNullElse(prefix, Objects.requireNonNullElse(fallbackPrefix, "node"));
            String field = namePattern != null ? "namePattern" : "prefix";
            problems.attempt(field, () -> {
                NamePattern pattern = namePattern != null
                        ? namePattern
                        : new NamePattern(start, Objects.requireNonNullElse(firstIndex, 1));
                pattern.name(nodes - 1);
            });
        }

        /**
         * The description.
         *
         * @throws InvalidSpecException with every reason why the parts do not make a whole
         */
        public NodeGroup build() {
            Problems problems = new Problems();
            problems.require("count", count, "give the number of nodes, such as 8");
            problems.require("size", size, "give a size, such as Standard_HB120rs_v3");

            @Nullable SpotSpec spotPart = problems.part("spot", this.spot::build);

            if (count != null && quorum != null && quorum > count) {
                problems.add(
                        "quorum",
                        "a quorum of " + quorum + " can never be met by " + count + (count == 1 ? " node" : " nodes"),
                        "give " + count + " or less, or leave quorum out");
            }
            if (namePattern != null && (prefix != null || firstIndex != null)) {
                problems.add(
                        "namePattern",
                        "nodes are named twice: by namePattern and by " + (prefix != null ? "prefix" : "firstIndex"),
                        "keep one of them");
            } else if (count != null) {
                checkLastName(problems, count);
            }

            problems.throwIfAny();
            return new NodeGroup(this, Objects.requireNonNull(spotPart));
        }
    }
}
