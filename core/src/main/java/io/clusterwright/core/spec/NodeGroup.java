package io.clusterwright.core.spec;

import static io.clusterwright.core.spec.SpecCodecs.duration;
import static io.clusterwright.core.spec.SpecCodecs.integer;
import static io.clusterwright.core.spec.SpecCodecs.parsed;
import static io.clusterwright.core.spec.SpecCodecs.text;

import io.clusterwright.core.internal.text.PrintableText;
import io.clusterwright.core.spec.Table.Field;
import io.clusterwright.core.type.NamePattern;
import io.clusterwright.core.type.NodeName;
import io.clusterwright.core.type.VmSize;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * The compute nodes of a cluster, which are all alike. Use it to choose their number, size and names.
 *
 * @see ClusterSpec
 */
public final class NodeGroup extends SpecPart<NodeGroup.Builder> {
    /** The default of {@link #deadline()}. */
    public static final Duration DEFAULT_DEADLINE = Duration.ofMinutes(20);

    static final Table<NodeGroup> FIELDS = new Table<>("nodes", NodeGroup::new, Builder::new);
    private static final Field<Integer> COUNT =
            FIELDS.required("count", integer("number of nodes", 1, 100_000, 8), "give the number of nodes, such as 8");
    private static final Field<VmSize> SIZE = FIELDS.optional("size", SpecCodecs.SIZE);
    private static final Field<NamePattern> NAME_PATTERN =
            FIELDS.optional("namePattern", parsed("a name pattern", "HPCCN-%0001%", NamePattern::of));
    private static final Field<String> PREFIX =
            FIELDS.derived("prefix", text("the start of a name", "cluster", Checks::prefix), NodeGroup::prefix);
    private static final Field<Integer> FIRST_INDEX =
            FIELDS.derived("firstIndex", integer("first index", 0, 1_000_000, 11), NodeGroup::firstIndex);
    private static final Field<SpotSpec> SPOT = FIELDS.part("spot", SpotSpec.FIELDS);
    private static final Field<Integer> QUORUM =
            FIELDS.derived("quorum", integer("quorum", 1, 100_000, 8), NodeGroup::quorum);
    private static final Field<Duration> DEADLINE =
            FIELDS.defaulted("deadline", duration("deadline", "20m"), DEFAULT_DEADLINE);
    private static final Field<String> CLUSTER = FIELDS.hidden("cluster", String.class);

    private NodeGroup(Values values) {
        super(values);
    }

    /** A builder with the default of every field. */
    public static Builder builder() {
        return new Builder();
    }

    /** The number of nodes, 1 to 100000. Required. */
    public int count() {
        return get(COUNT);
    }

    /** The size of a node. Required in a cloud; local nodes have no size. */
    public Optional<VmSize> size() {
        return find(SIZE);
    }

    /**
     * The size of a node, for what needs one.
     *
     * @throws InvalidSpecException when the spec names none
     */
    public VmSize requireSize() {
        return size().orElseThrow(() -> new InvalidSpecException(List.of(
                SpecProblem.missing("nodes.size", "write nodes: {size: Standard_HB120rs_v3}, or another size"))));
    }

    /** The start of the name of every node. Default: the name of the cluster; {@code node} outside of one. */
    public String prefix() {
        return namePattern()
                .map(NamePattern::prefix)
                .or(() -> find(PREFIX))
                .or(() -> find(CLUSTER))
                .orElse("node");
    }

    /** The number in the name of the first node, 0 to 1000000. Default: 1. */
    public int firstIndex() {
        return namePattern()
                .map(NamePattern::firstIndex)
                .or(() -> find(FIRST_INDEX))
                .orElse(1);
    }

    /**
     * The pattern of the node names, in place of {@link #prefix()} and {@link #firstIndex()}. Default: absent; {@link
     * #pattern()} always has it.
     */
    public Optional<NamePattern> namePattern() {
        return find(NAME_PATTERN);
    }

    /** The use of spot machines. Default: none. */
    public SpotSpec spot() {
        return get(SPOT);
    }

    /** The number of nodes that must be ready for {@code create} to succeed, 1 to {@link #count()}. Default: all. */
    public int quorum() {
        return find(QUORUM).orElseGet(this::count);
    }

    /**
     * The time in which a node becomes ready; then it is restarted, then replaced, then counted as failed. Default: 20
     * minutes.
     */
    public Duration deadline() {
        return get(DEADLINE);
    }

    /** The pattern of the node names, given or made of {@link #prefix()} and {@link #firstIndex()}. */
    public NamePattern pattern() {
        return namePattern().orElseGet(() -> new NamePattern(prefix(), firstIndex()));
    }

    /** The names of all nodes, in order. */
    public List<NodeName> names() {
        return pattern().names(count());
    }

    /** The quorum, where it was given. */
    Optional<Integer> givenQuorum() {
        return find(QUORUM);
    }

    @Override
    void check(Problems problems) {
        Optional<Integer> count = find(COUNT);
        if (count.isPresent()
                && find(QUORUM).filter(quorum -> quorum > count.get()).isPresent()) {
            problems.add(
                    "quorum",
                    "quorum is " + quorum() + ", and count is " + count(),
                    "write quorum: " + count() + " or less, or remove quorum");
        }
        boolean prefixed = find(PREFIX).isPresent();
        if (namePattern().isPresent() && (prefixed || find(FIRST_INDEX).isPresent())) {
            problems.add(
                    "namePattern",
                    "namePattern and " + (prefixed ? "prefix" : "firstIndex") + " both name the nodes",
                    "remove one of the two");
        } else if (count.isPresent()) {
            problems.attempt(
                    namePattern().isPresent() ? "namePattern" : "prefix",
                    () -> pattern().name(count() - 1));
        }
    }

    /** Setters of the fields of {@link NodeGroup}. */
    public static final class Builder extends SpecPart.Builder<NodeGroup, Builder> {
        Builder() {
            super(FIELDS);
        }

        public Builder count(int count) {
            return set(COUNT, count);
        }

        public Builder size(VmSize size) {
            return set(SIZE, size);
        }

        public Builder size(String size) {
            return parse(SIZE, size);
        }

        public Builder prefix(String prefix) {
            return set(PREFIX, prefix);
        }

        public Builder firstIndex(int firstIndex) {
            return set(FIRST_INDEX, firstIndex);
        }

        public Builder namePattern(NamePattern namePattern) {
            return set(NAME_PATTERN, namePattern);
        }

        public Builder namePattern(String namePattern) {
            return parse(NAME_PATTERN, namePattern);
        }

        public Builder spot(SpotSpec spot) {
            return set(SPOT, spot);
        }

        public Builder spot(Consumer<SpotSpec.Builder> spot) {
            return edit(SPOT, spot);
        }

        public Builder quorum(int quorum) {
            return set(QUORUM, quorum);
        }

        public Builder deadline(Duration deadline) {
            return set(DEADLINE, deadline);
        }

        @Override
        void within(Values cluster) {
            cluster.find(ClusterSpec.NAME).ifPresent(name -> set(CLUSTER, name.value()));
        }
    }

    /** The use of spot machines, which are cheap and can be taken back at any time. */
    public static final class SpotSpec extends SpecPart<SpotSpec.Builder> {
        static final Table<SpotSpec> FIELDS = new Table<>("spot", SpotSpec::new, Builder::new);
        private static final Field<Boolean> ENABLED = FIELDS.defaulted("enabled", SpecCodecs.BOOL, false);
        private static final Field<BigDecimal> MAX_PRICE_PER_HOUR =
                FIELDS.optional("maxPricePerHour", SpecCodecs.money("price per hour", "1.20"));
        private static final Field<Eviction> ON_EVICTION =
                FIELDS.defaulted("onEviction", SpecCodecs.oneOf(Eviction.class), Eviction.DELETE);

        private SpotSpec(Values values) {
            super(values);
        }

        /** A builder with the default of every field. */
        public static Builder builder() {
            return new Builder();
        }

        /** Whether nodes are spot machines. Default: false. */
        public boolean enabled() {
            return get(ENABLED);
        }

        /** The highest price of a node per hour, in the currency of the account. Default: the regular price. */
        public Optional<BigDecimal> maxPricePerHour() {
            return find(MAX_PRICE_PER_HOUR);
        }

        /** The action when Azure takes a spot machine back. Default: {@link Eviction#DELETE}. */
        public Eviction onEviction() {
            return get(ON_EVICTION);
        }

        /** The treatment of a spot machine that its provider takes back. */
        public enum Eviction {
            /** The machine is deleted. */
            DELETE,
            /** The machine is stopped; its disk is billed, and its cores count against the quota. */
            DEALLOCATE;

            /** The name in a cluster spec, such as {@code delete}. */
            @Override
            public String toString() {
                return PrintableText.word(this);
            }
        }

        /** Setters of the fields of {@link SpotSpec}. */
        public static final class Builder extends SpecPart.Builder<SpotSpec, Builder> {
            Builder() {
                super(FIELDS);
            }

            public Builder enabled(boolean enabled) {
                return set(ENABLED, enabled);
            }

            public Builder maxPricePerHour(BigDecimal maxPricePerHour) {
                return set(MAX_PRICE_PER_HOUR, maxPricePerHour);
            }

            public Builder onEviction(Eviction onEviction) {
                return set(ON_EVICTION, onEviction);
            }
        }
    }
}
