package io.clusterwright.core.catalog;

import io.clusterwright.core.type.Bandwidth;
import io.clusterwright.core.type.Interconnect;
import io.clusterwright.core.type.InvalidValueException;
import io.clusterwright.core.type.Latency;
import io.clusterwright.core.type.VmSize;
import java.time.LocalDate;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Published facts about one VM size. Immutable. */
public final class VmSizeFacts {
    private static final String PREFIX = "standard_";

    private final Builder values;

    private VmSizeFacts(Builder values) {
        this.values = values;
    }

    /**
     * Starts with what every size has.
     *
     * @param size its name in Azure Resource Manager
     * @param vcpus cores that the machine sees
     * @param memoryGib memory in GiB
     * @param source where the facts are from
     * @throws InvalidValueException when a number is not above 0, or the source is blank
     */
    public static Builder builder(VmSize size, int vcpus, double memoryGib, String source) {
        return new Builder(size)
                .vcpus(vcpus)
                .billedCores(vcpus)
                .memoryGib(memoryGib)
                .source(source);
    }

    /** A builder that holds the same values. */
    public Builder toBuilder() {
        return new Builder(values);
    }

    /** The size's name in Azure Resource Manager, such as {@code Standard_A9}. */
    public VmSize size() {
        return values.size;
    }

    /** The name as classic files have it, without {@code Standard_}: {@code A9}. */
    public String shortName() {
        String name = size().name();
        return name.toLowerCase(Locale.ROOT).startsWith(PREFIX) ? name.substring(PREFIX.length()) : name;
    }

    /** Cores that the machine sees, at least 1. */
    public int vcpus() {
        return values.vcpus;
    }

    /** Cores that count against quota and price: those of the full size where cores are constrained. */
    public int billedCores() {
        return values.billedCores;
    }

    /** Whether this is a size with fewer cores than the one it is billed as, such as {@code HB120-16rs_v3}. */
    public boolean isConstrained() {
        return billedCores() > vcpus();
    }

    /** Memory in GiB. */
    public double memoryGib() {
        return values.memoryGib;
    }

    /** The fast network that machines of this size have; see {@link #isInterconnectDisputed()}. */
    public Interconnect interconnect() {
        return values.interconnect;
    }

    /** Whether the sources disagree on how InfiniBand is reached; {@link #interconnect()} is what the newest says. */
    public boolean isInterconnectDisputed() {
        return values.interconnectDisputed;
    }

    /** The generation of InfiniBand, where there is InfiniBand. */
    public Optional<InfiniBand> infiniBand() {
        return Optional.ofNullable(values.infiniBand);
    }

    /** The rate of all InfiniBand ports together, where it is known. */
    public Optional<Bandwidth> linkRate() {
        return Optional.ofNullable(values.linkRate);
    }

    /** The quota that {@link #billedCores()} count against; compare with blanks removed and case ignored. */
    public Optional<String> quotaFamily() {
        return Optional.ofNullable(values.quotaFamily);
    }

    /** The kind of processor. */
    public Architecture architecture() {
        return values.architecture;
    }

    /** Whether only images of generation 2 boot. */
    public boolean isGeneration2Only() {
        return values.generation2Only;
    }

    /** The state of its life on the day the catalog was made; live facts decide. */
    public Status status() {
        return values.status;
    }

    /** The day it was or will be retired, where one is announced. */
    public Optional<LocalDate> retiredOn() {
        return Optional.ofNullable(values.retiredOn);
    }

    /** The size to move to, where the sources name one. */
    public Optional<VmSize> replacement() {
        return Optional.ofNullable(values.replacement);
    }

    /** The published latency of small MPI messages, where there is one; an upper bound where only that is published. */
    public Optional<Latency> latency() {
        return Optional.ofNullable(values.latency);
    }

    /** The published MPI bandwidth, where there is one. */
    public Optional<Bandwidth> bandwidth() {
        return Optional.ofNullable(values.bandwidth);
    }

    /** What it is for in a few words, such as {@code hpc}; may be empty. */
    public String use() {
        return values.use;
    }

    /** Where the facts are from; never empty. */
    public String source() {
        return values.source;
    }

    /** The size's name. */
    @Override
    public String toString() {
        return size().toString();
    }

    /** The states in a size's life. */
    public enum Status {
        /** Offered. */
        CURRENT,
        /** Offered, and its end is announced. */
        RETIRING,
        /** No longer offered. */
        RETIRED;

        /** The state as catalogs write it, such as {@code retiring}. */
        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /** Collects the parts of a {@link VmSizeFacts}. */
    public static final class Builder {
        private final VmSize size;
        private int vcpus;
        private int billedCores;
        private double memoryGib;
        private Interconnect interconnect = Interconnect.NONE;
        private boolean interconnectDisputed;
        private @Nullable InfiniBand infiniBand;
        private @Nullable Bandwidth linkRate;
        private @Nullable String quotaFamily;
        private Architecture architecture = Architecture.X64;
        private boolean generation2Only;
        private Status status = Status.CURRENT;
        private @Nullable LocalDate retiredOn;
        private @Nullable VmSize replacement;
        private @Nullable Latency latency;
        private @Nullable Bandwidth bandwidth;
        private String use = "";
        private String source = "";

        private Builder(VmSize size) {
            this.size = Objects.requireNonNull(size, "size");
        }

        private Builder(Builder other) {
            size = other.size;
            vcpus = other.vcpus;
            billedCores = other.billedCores;
            memoryGib = other.memoryGib;
            interconnect = other.interconnect;
            interconnectDisputed = other.interconnectDisputed;
            infiniBand = other.infiniBand;
            linkRate = other.linkRate;
            quotaFamily = other.quotaFamily;
            architecture = other.architecture;
            generation2Only = other.generation2Only;
            status = other.status;
            retiredOn = other.retiredOn;
            replacement = other.replacement;
            latency = other.latency;
            bandwidth = other.bandwidth;
            use = other.use;
            source = other.source;
        }

        /** Sets {@link VmSizeFacts#vcpus()}. */
        public Builder vcpus(int vcpus) {
            this.vcpus = (int) positive("number of cores", vcpus, "120");
            return this;
        }

        /** Sets {@link VmSizeFacts#billedCores()}. Default: {@link VmSizeFacts#vcpus()}. */
        public Builder billedCores(int billedCores) {
            this.billedCores = (int) positive("number of billed cores", billedCores, "120");
            return this;
        }

        /** Sets {@link VmSizeFacts#memoryGib()}. */
        public Builder memoryGib(double memoryGib) {
            this.memoryGib = positive("memory in GiB", memoryGib, "448");
            return this;
        }

        /** Sets {@link VmSizeFacts#interconnect()}, undisputed. Default: none. */
        public Builder interconnect(Interconnect interconnect) {
            this.interconnect = Objects.requireNonNull(interconnect, "interconnect");
            this.interconnectDisputed = false;
            return this;
        }

        Builder disputed(boolean disputed) {
            this.interconnectDisputed = disputed;
            return this;
        }

        /** Sets {@link VmSizeFacts#infiniBand()}. Default: none. */
        public Builder infiniBand(InfiniBand infiniBand) {
            this.infiniBand = Objects.requireNonNull(infiniBand, "infiniBand");
            return this;
        }

        /** Sets {@link VmSizeFacts#linkRate()}. Default: not known. */
        public Builder linkRate(Bandwidth linkRate) {
            this.linkRate = Objects.requireNonNull(linkRate, "linkRate");
            return this;
        }

        /** Sets {@link VmSizeFacts#quotaFamily()}. Default: not known. */
        public Builder quotaFamily(String quotaFamily) {
            this.quotaFamily = text("quota family", quotaFamily, "standardHBrsv2Family");
            return this;
        }

        /** Sets {@link VmSizeFacts#architecture()}. Default: {@link Architecture#X64}. */
        public Builder architecture(Architecture architecture) {
            this.architecture = Objects.requireNonNull(architecture, "architecture");
            return this;
        }

        /** Sets {@link VmSizeFacts#isGeneration2Only()}. Default: no. */
        public Builder generation2Only(boolean generation2Only) {
            this.generation2Only = generation2Only;
            return this;
        }

        /** Sets {@link VmSizeFacts#status()}. Default: {@link Status#CURRENT}. */
        public Builder status(Status status) {
            this.status = Objects.requireNonNull(status, "status");
            return this;
        }

        /** Sets {@link VmSizeFacts#retiredOn()}. Default: not known. */
        public Builder retiredOn(LocalDate retiredOn) {
            this.retiredOn = Objects.requireNonNull(retiredOn, "retiredOn");
            return this;
        }

        /** Sets {@link VmSizeFacts#replacement()}. Default: not known. */
        public Builder replacement(VmSize replacement) {
            this.replacement = Objects.requireNonNull(replacement, "replacement");
            return this;
        }

        /** Sets {@link VmSizeFacts#latency()}. Default: not known. */
        public Builder latency(Latency latency) {
            this.latency = Objects.requireNonNull(latency, "latency");
            return this;
        }

        /** Sets {@link VmSizeFacts#bandwidth()}. Default: not known. */
        public Builder bandwidth(Bandwidth bandwidth) {
            this.bandwidth = Objects.requireNonNull(bandwidth, "bandwidth");
            return this;
        }

        /** Sets {@link VmSizeFacts#use()}. Default: empty. */
        public Builder use(String use) {
            this.use = text("use", use, "hpc");
            return this;
        }

        /** Sets {@link VmSizeFacts#source()}. */
        public Builder source(String source) {
            if (source.isBlank()) {
                throw new InvalidValueException("source", source, "where the facts are from", "the SKU list, today");
            }
            this.source = text("source", source, "the SKU list, today");
            return this;
        }

        /**
         * The facts.
         *
         * @throws InvalidValueException when fewer cores are billed than the machine sees
         */
        public VmSizeFacts build() {
            if (billedCores < vcpus) {
                throw new InvalidValueException(
                        "number of billed cores", billedCores + "", "at least the " + vcpus + " vcpus", vcpus + "");
            }
            return new VmSizeFacts(new Builder(this));
        }

        private static String text(String what, String text, String example) {
            if (text.chars().anyMatch(one -> Character.isISOControl(one) && !Character.isWhitespace(one))) {
                throw new InvalidValueException(
                        what, text, "text without control characters but blanks and ends of lines", example);
            }
            return text;
        }

        private static double positive(String what, double number, String example) {
            if (!(number > 0) || number > 1e6) {
                throw new InvalidValueException(what, number + "", "a number above 0, at most 1000000", example);
            }
            return number;
        }
    }
}
