package io.clusterwright.core.plan;

import io.clusterwright.core.spec.ClusterSpec;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The steps, findings, quota and price of creating a cluster. Making a plan changes nothing. Immutable. */
public final class Plan {
    private final ClusterSpec spec;
    private final String provider;
    private final ImagePlan image;
    private final List<Finding> findings;
    private final List<PlanStep> steps;
    private final List<QuotaLine> quota;
    private final List<String> notChecked;
    private final boolean offline;
    private final @Nullable Price price;

    private Plan(Builder builder) {
        this.spec = builder.spec;
        this.provider = builder.provider;
        this.image = builder.image;
        this.findings = builder.findings;
        this.steps = builder.steps;
        this.quota = builder.quota;
        this.notChecked = builder.notChecked;
        this.offline = builder.offline;
        this.price = builder.price;
    }

    /** Starts a plan without findings and steps. */
    public static Builder builder(ClusterSpec spec, String provider, ImagePlan image) {
        return new Builder(spec, provider, image);
    }

    /** The spec to carry out, with the provider's own part merged in, and the MPI of the size where it names none. */
    public ClusterSpec spec() {
        return spec;
    }

    /** The name of the provider it was made for. */
    public String provider() {
        return provider;
    }

    /** The image that the nodes boot from. */
    public ImagePlan image() {
        return image;
    }

    /** The errors, warnings and notes. */
    public List<Finding> findings() {
        return findings;
    }

    /** The steps, in order. */
    public List<PlanStep> steps() {
        return steps;
    }

    /**
     * The use of quotas by the machines, one line for each family of sizes, then those of the region; empty where nothing is billed.
     */
    public List<QuotaLine> quota() {
        return quota;
    }

    /** The checks that could not run, each with the reason. */
    public List<String> notChecked() {
        return notChecked;
    }

    /** Whether no provider was queried, so that the cluster cannot be created from this plan. */
    public boolean offline() {
        return offline;
    }

    /** The price of the machines for an hour; empty without a price table that has their sizes. */
    public Optional<Price> price() {
        return Optional.ofNullable(price);
    }

    /** The plan for people: always the same text for the same plan. */
    public String toText() {
        return PlanText.of(this);
    }

    /** The same plan with only the findings of this severity and worse. Errors always stay. */
    public Plan atLeast(Severity least) {
        Builder copy = builder(spec, provider, image)
                .findings(findings.stream()
                        .filter(finding -> finding.severity().compareTo(least) <= 0)
                        .toList())
                .steps(steps)
                .quota(quota)
                .notChecked(notChecked);
        copy.offline = offline;
        copy.price = price;
        return copy.build();
    }

    /** Whether no finding is an error. */
    public boolean feasible() {
        return findings.stream().noneMatch(finding -> finding.severity() == Severity.ERROR);
    }

    private List<Object> parts() {
        return List.of(spec, provider, image, findings, steps, quota, notChecked, offline, price());
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof Plan plan && parts().equals(plan.parts());
    }

    @Override
    public int hashCode() {
        return parts().hashCode();
    }

    /** As {@link #toText()}. */
    @Override
    public String toString() {
        return toText();
    }

    /**
     * The image part of a plan.
     *
     * @param capture whether an image is made at all
     * @param updatesApart whether the updated base is kept separately, because an image is a cheap layer there
     * @param image the customised image: the same recipe on the same base always has the same name
     * @param updates the updated base
     */
    public record ImagePlan(boolean capture, boolean updatesApart, PlannedImage image, PlannedImage updates) {
        /** Checks that nothing is missing. */
        public ImagePlan {
            Objects.requireNonNull(image, "image");
            Objects.requireNonNull(updates, "updates");
        }

        /** The name of the customised image. */
        public String name() {
            return image.name();
        }

        /** Whether the customised image exists already and will be reused. */
        public boolean exists() {
            return image.exists();
        }

        /** The name of the updated base. */
        public String updatesName() {
            return updates.name();
        }

        /** Whether the updated base exists already and will be reused. */
        public boolean updatesExist() {
            return updates.exists();
        }
    }

    /**
     * An image that a plan uses or makes.
     *
     * @param name its name
     * @param exists whether it exists already and will be reused
     */
    public record PlannedImage(String name, boolean exists) {
        /** Checks that nothing is missing. */
        public PlannedImage {
            Objects.requireNonNull(name, "name");
        }
    }

    /** Collects the parts of a {@link Plan}. */
    public static final class Builder {
        private final ClusterSpec spec;
        private final String provider;
        private final ImagePlan image;
        private List<Finding> findings = List.of();
        private List<PlanStep> steps = List.of();
        private List<QuotaLine> quota = List.of();
        private List<String> notChecked = List.of();
        private boolean offline;
        private @Nullable Price price;

        private Builder(ClusterSpec spec, String provider, ImagePlan image) {
            this.spec = Objects.requireNonNull(spec, "spec");
            this.provider = Objects.requireNonNull(provider, "provider");
            this.image = Objects.requireNonNull(image, "image");
        }

        /** The errors, warnings and notes; default none. */
        public Builder findings(List<Finding> values) {
            this.findings = List.copyOf(values);
            return this;
        }

        /** The steps, in order; default none. */
        public Builder steps(List<PlanStep> values) {
            this.steps = List.copyOf(values);
            return this;
        }

        /** The use of quotas; default none. */
        public Builder quota(List<QuotaLine> values) {
            this.quota = List.copyOf(values);
            return this;
        }

        /** The checks that could not run; default none. */
        public Builder notChecked(List<String> values) {
            this.notChecked = List.copyOf(values);
            return this;
        }

        /** Marks a plan for which no provider was queried. */
        public Builder offline() {
            this.offline = true;
            return this;
        }

        /** The price of the machines for an hour; default unknown. */
        public Builder price(Price value) {
            this.price = Objects.requireNonNull(value, "price");
            return this;
        }

        /** The plan. */
        public Plan build() {
            return new Plan(this);
        }
    }
}
