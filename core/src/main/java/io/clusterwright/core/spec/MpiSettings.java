package io.clusterwright.core.spec;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/** How MPI jobs run on the cluster when they do not say otherwise. */
public final class MpiSettings {
    /** The default of {@link #preset()}. */
    public static final String DEFAULT_PRESET = "auto";

    private final String preset;
    private final @Nullable Integer ranksPerNode;
    private final Map<String, String> env;
    private final @Nullable String netmask;

    private MpiSettings(Builder builder) {
        this.preset = builder.preset;
        this.ranksPerNode = builder.ranksPerNode;
        this.env = Collections.unmodifiableMap(new LinkedHashMap<>(builder.env));
        this.netmask = builder.netmask;
    }

    /** Starts with the default of everything. */
    public static Builder builder() {
        return new Builder();
    }

    /** A builder that holds the same values. */
    public Builder toBuilder() {
        Builder builder = new Builder();
        builder.preset = preset;
        builder.ranksPerNode = ranksPerNode;
        builder.env.putAll(env);
        builder.netmask = netmask;
        return builder;
    }

    /** The preset of environment and options, such as {@code open-mpi/ucx}. Default: {@code auto}, by size and MPI. */
    public String preset() {
        return preset;
    }

    /** How many ranks a node runs, 1 to 4096. Default: not given, and one for each core. */
    public OptionalInt ranksPerNode() {
        return ranksPerNode == null ? OptionalInt.empty() : OptionalInt.of(ranksPerNode);
    }

    /** Environment variables added to the preset's. Default: none. */
    public Map<String, String> env() {
        return env;
    }

    /** The network that MS-MPI uses, as address and mask. Default: not given. */
    public Optional<String> netmask() {
        return Optional.ofNullable(netmask);
    }

    private List<Object> state() {
        return List.of(preset(), ranksPerNode(), env(), netmask());
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof MpiSettings that && state().equals(that.state());
    }

    @Override
    public int hashCode() {
        return state().hashCode();
    }

    @Override
    public String toString() {
        return "MpiSettings" + state();
    }

    /** Collects the parts of a {@link MpiSettings}. */
    public static final class Builder {
        private String preset = DEFAULT_PRESET;
        private @Nullable Integer ranksPerNode;
        private final Map<String, String> env = new LinkedHashMap<>();
        private @Nullable String netmask;

        Builder() {}

        /** Sets {@link MpiSettings#preset()}. */
        public Builder preset(String preset) {
            this.preset = Checks.preset(preset);
            return this;
        }

        /** Sets {@link MpiSettings#ranksPerNode()}. */
        public Builder ranksPerNode(int ranksPerNode) {
            this.ranksPerNode = Checks.range("number of ranks per node", ranksPerNode, 1, 4096, 120);
            return this;
        }

        /** Replaces {@link MpiSettings#env()}. */
        public Builder env(Map<String, String> env) {
            Map<String, String> copy = new LinkedHashMap<>(env);
            this.env.clear();
            copy.forEach(this::putEnv);
            return this;
        }

        /** Adds one to {@link MpiSettings#env()}, in place of an earlier one of the same name. */
        public Builder putEnv(String name, String value) {
            env.put(Checks.variable(name), Checks.variableValue(name, value));
            return this;
        }

        /** Sets {@link MpiSettings#netmask()}. */
        public Builder netmask(String netmask) {
            this.netmask = Checks.netmask(netmask);
            return this;
        }

        /** The description. */
        public MpiSettings build() {
            return new MpiSettings(this);
        }
    }
}
