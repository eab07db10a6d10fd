package io.clusterwright.core.spec;

import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The MPI that an image gets. */
public final class MpiInstall {
    private final MpiFlavour flavour;
    private final @Nullable String version;
    private final MpiSource install;

    private MpiInstall(Builder builder) {
        this.flavour = Objects.requireNonNull(builder.flavour);
        this.version = builder.version;
        this.install = builder.install;
    }

    /** Starts with the default of everything. */
    public static Builder builder() {
        return new Builder();
    }

    /** A builder that holds the same values. */
    public Builder toBuilder() {
        Builder builder = new Builder();
        builder.flavour = flavour;
        builder.version = version;
        builder.install = install;
        return builder;
    }

    /** Which implementation. Required. */
    public MpiFlavour flavour() {
        return flavour;
    }

    /** The version, as the package or the image names it. Default: whichever there is. */
    public Optional<String> version() {
        return Optional.ofNullable(version);
    }

    /** Where it comes from. Default: the distribution's packages. */
    public MpiSource install() {
        return install;
    }

    /** An implementation from the packages of the distribution. */
    public static MpiInstall fromDistribution(MpiFlavour flavour) {
        return builder().flavour(flavour).build();
    }

    private List<Object> state() {
        return List.of(flavour(), version(), install());
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof MpiInstall that && state().equals(that.state());
    }

    @Override
    public int hashCode() {
        return state().hashCode();
    }

    @Override
    public String toString() {
        return "MpiInstall" + state();
    }

    /** Collects the parts of a {@link MpiInstall}. */
    public static final class Builder {
        private @Nullable MpiFlavour flavour;
        private @Nullable String version;
        private MpiSource install = MpiSource.distribution();

        Builder() {}

        /** Sets {@link MpiInstall#flavour()}. */
        public Builder flavour(MpiFlavour flavour) {
            this.flavour = Objects.requireNonNull(flavour, "flavour");
            return this;
        }

        /** Sets {@link MpiInstall#version()}. */
        public Builder version(String version) {
            this.version = Checks.version(version);
            return this;
        }

        /** Sets {@link MpiInstall#install()}. */
        public Builder install(MpiSource install) {
            this.install = Objects.requireNonNull(install, "install");
            return this;
        }

        /**
         * The description.
         *
         * @throws InvalidSpecException with every reason why the parts do not make a whole
         */
        public MpiInstall build() {
            Problems problems = new Problems();
            problems.require("flavour", flavour, "give one of intel-mpi, open-mpi, hpc-x, mpich, mvapich2, ms-mpi");

            problems.throwIfAny();
            return new MpiInstall(this);
        }
    }
}
