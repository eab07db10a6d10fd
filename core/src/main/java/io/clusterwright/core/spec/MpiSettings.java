package io.clusterwright.core.spec;

import io.clusterwright.core.spec.Table.Field;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * The defaults of the MPI jobs of a cluster. Use it to choose a preset, ranks per node and variables.
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
    private static final Field<Map<String, String>> ENV = FIELDS.defaulted(
            "env", SpecCodecs.textsOf("environment variables", "a value", "warn", Checks::variables), Map.of());
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
