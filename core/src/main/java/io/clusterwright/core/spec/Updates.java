package io.clusterwright.core.spec;

import java.util.Objects;

/**
 * Which updates are installed into an image.
 *
 * @param install which ones; default {@link Install#NONE}
 * @param kernel whether the kernel may change; default {@link Kernel#HOLD}
 */
public record Updates(Install install, Kernel kernel) {
    /** Refuses null. */
    public Updates {
        Objects.requireNonNull(install, "install");
        Objects.requireNonNull(kernel, "kernel");
    }

    /** Starts with the default of everything. */
    public static Builder builder() {
        return new Builder();
    }

    /** A builder that holds the same values. */
    public Builder toBuilder() {
        Builder builder = new Builder();
        builder.install = install;
        builder.kernel = kernel;
        return builder;
    }

    /** No updates. */
    public static Updates none() {
        return new Updates(Install.NONE, Kernel.HOLD);
    }

    /** Security updates, and the kernel as it is. */
    public static Updates securityHoldingKernel() {
        return new Updates(Install.SECURITY, Kernel.HOLD);
    }

    /** All updates, and the kernel as it is. */
    public static Updates allHoldingKernel() {
        return new Updates(Install.ALL, Kernel.HOLD);
    }

    /** Which updates are installed. */
    public enum Install {
        /** None. */
        NONE,
        /** Those that close a hole. */
        SECURITY,
        /** Every one. */
        ALL;

        /** The name as it stands in a description, such as {@code none}. */
        @Override
        public String toString() {
            return Names.of(this);
        }
    }

    /** Whether an update may bring another kernel. */
    public enum Kernel {
        /** The kernel stays as it is, because the drivers of the fabric are built for it. */
        HOLD,
        /** The kernel is updated with the rest. */
        ALLOW;

        /** The name as it stands in a description, such as {@code hold}. */
        @Override
        public String toString() {
            return Names.of(this);
        }
    }

    /** Collects the parts of a {@link Updates}. */
    public static final class Builder {
        private Install install = Install.NONE;
        private Kernel kernel = Kernel.HOLD;

        Builder() {}

        /** Sets {@link Updates#install()}. */
        public Builder install(Install install) {
            this.install = Objects.requireNonNull(install, "install");
            return this;
        }

        /** Sets {@link Updates#kernel()}. */
        public Builder kernel(Kernel kernel) {
            this.kernel = Objects.requireNonNull(kernel, "kernel");
            return this;
        }

        /** The description. */
        public Updates build() {
            return new Updates(install, kernel);
        }
    }
}
