package io.clusterwright.core.spec;

import io.clusterwright.core.spec.Table.Field;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * The defaults of the MPI jobs of a cluster. Use it to choose a preset, the place of ranks and variables.
 *
 * @see ClusterSpec
 */
public final class MpiSettings extends SpecPart<MpiSettings.Builder> {
    /** The default of {@link #preset()}. */
    public static final String DEFAULT_PRESET = "auto";

    static final Table<MpiSettings> FIELDS = new Table<>("mpi", MpiSettings::new, Builder::new);
    private static final Field<String> PRESET = FIELDS.defaulted(
            "preset", SpecCodecs.text("a preset", "open-mpi/ucx", Checks.PRESET::check), DEFAULT_PRESET);
    private static final Field<Integer> RANKS_PER_NODE =
            FIELDS.optional("ranksPerNode", SpecCodecs.integer("number of ranks per node", 1, 4096, 120));
    private static final Field<Integer> RANKS_PER_SOCKET =
            FIELDS.optional("ranksPerSocket", SpecCodecs.integer("number of ranks per socket", 1, 4096, 8));
    private static final Field<Integer> RANKS_PER_NUMA =
            FIELDS.optional("ranksPerNuma", SpecCodecs.integer("number of ranks per NUMA domain", 1, 4096, 4));
    private static final Field<Integer> RANKS_PER_L3 =
            FIELDS.optional("ranksPerL3", SpecCodecs.integer("number of ranks per level 3 cache", 1, 4096, 2));
    private static final Field<Integer> THREADS_PER_RANK =
            FIELDS.optional("threadsPerRank", SpecCodecs.integer("number of threads per rank", 1, 4096, 2));
    private static final Field<Binding> BINDING =
            FIELDS.defaulted("binding", SpecCodecs.oneOf(Binding.class), Binding.DEFAULT);
    private static final Field<Map<String, String>> ENV = FIELDS.defaulted(
            "env",
            SpecCodecs.textsOf("environment variables", "a value", "warn", Checks::variable, Checks::variableValue),
            Map.of());
    private static final Field<String> NETMASK =
            FIELDS.optional("netmask", SpecCodecs.text("a netmask", "172.16.0.0/255.255.0.0", Checks::netmask));

    private MpiSettings(Values values) {
        super(values);
    }

    /** A builder with the default of every field. */
    public static Builder builder() {
        return new Builder();
    }

    /** The preset of environment and options, such as {@code open-mpi/ucx}. Default: {@code auto}, by size and MPI. */
    public String preset() {
        return get(PRESET);
    }

    /** The number of ranks on a node, 1 to 4096. Default: absent, and one for each core. */
    public OptionalInt ranksPerNode() {
        return findInt(RANKS_PER_NODE);
    }

    /** The number of ranks on each socket of a node, 1 to 4096, instead of {@code ranksPerNode}. Default: absent. */
    public OptionalInt ranksPerSocket() {
        return findInt(RANKS_PER_SOCKET);
    }

    /** The number of ranks in each NUMA domain of a node, 1 to 4096, instead of {@code ranksPerNode}. Default: absent. */
    public OptionalInt ranksPerNuma() {
        return findInt(RANKS_PER_NUMA);
    }

    /** The number of ranks on each level 3 cache of a node, 1 to 4096, instead of {@code ranksPerNode}. Default: absent. */
    public OptionalInt ranksPerL3() {
        return findInt(RANKS_PER_L3);
    }

    /** The number of threads of each rank, with as many cores of its own, 1 to 4096. Default: absent; the program decides. */
    public OptionalInt threadsPerRank() {
        return findInt(THREADS_PER_RANK);
    }

    /** The resource that each rank is bound to. Default: {@link Binding#DEFAULT}. */
    public Binding binding() {
        return get(BINDING);
    }

    /** Environment variables of every rank, in addition to the variables of the preset. Default: none. */
    public Map<String, String> env() {
        return get(ENV);
    }

    /** The network that MS-MPI uses, as address and mask. Default: absent. */
    public Optional<String> netmask() {
        return find(NETMASK);
    }

    /** Setters of the fields of {@link MpiSettings}. */
    public static final class Builder extends SpecPart.Builder<MpiSettings, Builder> {
        Builder() {
            super(FIELDS);
        }

        public Builder preset(String preset) {
            return set(PRESET, preset);
        }

        public Builder ranksPerNode(int ranksPerNode) {
            return set(RANKS_PER_NODE, ranksPerNode);
        }

        public Builder ranksPerSocket(int ranksPerSocket) {
            return set(RANKS_PER_SOCKET, ranksPerSocket);
        }

        public Builder ranksPerNuma(int ranksPerNuma) {
            return set(RANKS_PER_NUMA, ranksPerNuma);
        }

        public Builder ranksPerL3(int ranksPerL3) {
            return set(RANKS_PER_L3, ranksPerL3);
        }

        public Builder threadsPerRank(int threadsPerRank) {
            return set(THREADS_PER_RANK, threadsPerRank);
        }

        public Builder binding(Binding binding) {
            return set(BINDING, binding);
        }

        public Builder env(Map<String, String> env) {
            return set(ENV, env);
        }

        public Builder putEnv(String name, String value) {
            return add(ENV, name, value);
        }

        public Builder netmask(String netmask) {
            return set(NETMASK, netmask);
        }
    }
}
