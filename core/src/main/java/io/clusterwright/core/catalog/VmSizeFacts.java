package io.clusterwright.core.catalog;

import io.clusterwright.core.spec.Binding;
import io.clusterwright.core.spec.MpiSettings;
import io.clusterwright.core.type.Bandwidth;
import io.clusterwright.core.type.Interconnect;
import io.clusterwright.core.type.InvalidValueException;
import io.clusterwright.core.type.Latency;
import io.clusterwright.core.type.VmSize;
import java.time.LocalDate;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Published facts about one VM size. Immutable. Use {@link VmSizes#find} to get it.
 *
 * @see VmSizes
 */
public final class VmSizeFacts {
    private static final String PREFIX = "standard_";

    private final VmSize size;
    private final int vcpus;
    private final int billedCores;
    private final double memoryGib;
    private final Interconnect interconnect;
    private final boolean interconnectDisputed;
    private final @Nullable InfiniBand infiniBand;
    private final @Nullable Bandwidth linkRate;
    private final @Nullable String quotaFamily;
    private final Architecture architecture;
    private final @Nullable String gpu;
    private final boolean generation1Only;
    private final boolean generation2Only;
    private final Status status;
    private final @Nullable LocalDate retiredOn;
    private final @Nullable VmSize replacement;
    private final int ports;
    private final @Nullable Latency verbsLatency;
    private final @Nullable Bandwidth verbsBandwidth;
    private final String verbsSource;
    private final @Nullable Latency mpiLatency;
    private final @Nullable Bandwidth mpiBandwidth;
    private final String mpiSource;
    private final @Nullable Integer sockets;
    private final @Nullable Integer numaDomains;
    private final @Nullable Integer l3Caches;
    private final @Nullable Misreport misreport;
    private final @Nullable Integer ranksPerL3;
    private final Binding binding;
    private final String topologySource;
    private final String use;
    private final String source;

    VmSizeFacts(CatalogRow row) {
        size = VmSize.of(row.required("arm_name"));
        vcpus = row.needed("vcpus", row::wholeNumber);
        memoryGib = row.needed("memory_gib", row::number);
        source = row.required("source");
        infiniBand = row.value("infiniband", text -> row.oneOf("infiniband", List.of(InfiniBand.values())))
                .orElse(null);
        linkRate = row.number("gbps").map(Bandwidth::ofGigabitsPerSecond).orElse(null);
        Set<Interconnect> modes = row.interconnects("rdma_mode");
        interconnect = modes.stream()
                .findFirst()
                .orElse(infiniBand != null ? Interconnect.SRIOV_INFINIBAND : Interconnect.NONE);
        interconnectDisputed = modes.isEmpty() && infiniBand != null;
        quotaFamily = row.value("family_quota", text -> text).orElse(null);
        architecture = row.value("architecture", text -> row.oneOf("architecture", List.of(Architecture.values())))
                .orElse(Architecture.X64);
        gpu = row.value("gpu", text -> text).orElse(null);
        generation1Only = row.yes("generation1_only");
        generation2Only = row.yes("generation2_only");
        status = row.value("status", text -> row.oneOf("status", List.of(Status.values())))
                .orElse(Status.CURRENT);
        retiredOn = row.date("retired_on").orElse(null);
        replacement = row.value("replacement", VmSize::of).orElse(null);
        ports = row.wholeNumber("ports").orElse(infiniBand == null ? 0 : 1);
        verbsLatency = row.number("verbs_latency_us").map(Latency::new).orElse(null);
        verbsBandwidth =
                row.number("verbs_gbps").map(Bandwidth::ofGigabitsPerSecond).orElse(null);
        verbsSource = row.text("verbs_source");
        mpiLatency = row.number("mpi_latency_us").map(Latency::new).orElse(null);
        mpiBandwidth =
                row.number("mpi_gbps").map(Bandwidth::ofGigabitsPerSecond).orElse(null);
        mpiSource = row.text("mpi_source");
        sockets = row.wholeNumber("sockets").orElse(null);
        numaDomains = row.wholeNumber("numa_domains").orElse(null);
        l3Caches = row.wholeNumber("l3_caches").orElse(null);
        misreport = row.value("misreports", text -> row.oneOf("misreports", List.of(Misreport.values())))
                .orElse(null);
        ranksPerL3 = row.wholeNumber("ranks_per_l3").orElse(null);
        binding = row.value("binding", text -> row.oneOf("binding", List.of(Binding.values())))
                .orElse(Binding.DEFAULT);
        topologySource = row.text("topology_source");
        use = row.text("use");
        billedCores = row.wholeNumber("billed_cores").orElse(vcpus);
        if (billedCores < vcpus) {
            throw new InvalidValueException(
                    "number of billed cores", billedCores, "at least the " + vcpus + " vcpus", vcpus);
        }
    }

    /** The size's name in Azure Resource Manager, such as {@code Standard_A9}. */
    public VmSize size() {
        return size;
    }

    /** The name as classic files have it, without {@code Standard_}: {@code A9}. */
    public String shortName() {
        String name = size().name();
        return name.toLowerCase(Locale.ROOT).startsWith(PREFIX) ? name.substring(PREFIX.length()) : name;
    }

    /** Cores that the machine sees, at least 1. */
    public int vcpus() {
        return vcpus;
    }

    /** Cores that count against quota and price: the cores of the full size where cores are constrained. */
    public int billedCores() {
        return billedCores;
    }

    /** Whether this is a size with fewer cores than the one it is billed as, such as {@code HB120-16rs_v3}. */
    public boolean isConstrained() {
        return billedCores() > vcpus();
    }

    /** Memory in GiB. */
    public double memoryGib() {
        return memoryGib;
    }

    /** The fast network that machines of this size have; see {@link #isInterconnectDisputed()}. */
    public Interconnect interconnect() {
        return interconnect;
    }

    /** Whether the sources disagree on how InfiniBand is reached; {@link #interconnect()} is what the newest says. */
    public boolean isInterconnectDisputed() {
        return interconnectDisputed;
    }

    /** The generation of InfiniBand, where there is InfiniBand. */
    public Optional<InfiniBand> infiniBand() {
        return Optional.ofNullable(infiniBand);
    }

    /** The rate of all InfiniBand ports together, where it is known. */
    public Optional<Bandwidth> linkRate() {
        return Optional.ofNullable(linkRate);
    }

    /** The quota that {@link #billedCores()} count against; compare with blanks removed and case ignored. */
    public Optional<String> quotaFamily() {
        return Optional.ofNullable(quotaFamily);
    }

    /** The kind of processor. */
    public Architecture architecture() {
        return architecture;
    }

    /** The kind of its GPUs in small letters, such as {@code mi300x}; empty where it has no GPU. */
    public Optional<String> gpu() {
        return Optional.ofNullable(gpu);
    }

    /** Whether only images of generation 1 boot. */
    public boolean isGeneration1Only() {
        return generation1Only;
    }

    /** Whether only images of generation 2 boot. */
    public boolean isGeneration2Only() {
        return generation2Only;
    }

    /** The state of its life on the day the catalog was made; live facts decide. */
    public Status status() {
        return status;
    }

    /** The day it was or will be retired, where one is announced. */
    public Optional<LocalDate> retiredOn() {
        return Optional.ofNullable(retiredOn);
    }

    /** The size to move to, where the sources name one. */
    public Optional<VmSize> replacement() {
        return Optional.ofNullable(replacement);
    }

    /** The InfiniBand ports of a machine, each of an adapter, and so the rails between two machines; 0 where it has no port. */
    public int ports() {
        return ports;
    }

    /**
     * The published latency of small messages by verbs, such as of {@code ib_send_lat}, where there is one; an upper bound where only that
     * is published. The latency of MPI is higher.
     */
    public Optional<Latency> verbsLatency() {
        return Optional.ofNullable(verbsLatency);
    }

    /** The published bandwidth of one port by verbs, such as of {@code ib_write_bw}, where there is one. */
    public Optional<Bandwidth> verbsBandwidth() {
        return Optional.ofNullable(verbsBandwidth);
    }

    /** The source of the figures of verbs; empty without figures. */
    public String verbsSource() {
        return verbsSource;
    }

    /** The lowest latency of small MPI messages that is published for an MPI on machines of this size, where there is one. */
    public Optional<Latency> mpiLatency() {
        return Optional.ofNullable(mpiLatency);
    }

    /** The published bandwidth of MPI over one port, where there is one. */
    public Optional<Bandwidth> mpiBandwidth() {
        return Optional.ofNullable(mpiBandwidth);
    }

    /** The source of the figures of MPI; empty without figures. */
    public String mpiSource() {
        return mpiSource;
    }

    /**
     * The number of these parts that a machine has, where it is known.
     *
     * @param part {@link Binding#SOCKET}, {@link Binding#NUMA}, {@link Binding#L3}, or {@link Binding#CORE} for a vCPU; no other part has a number
     */
    public OptionalInt count(Binding part) {
        Integer number = switch (part) {
            case SOCKET -> sockets;
            case NUMA -> numaDomains;
            case L3 -> l3Caches;
            case CORE -> vcpus;
            case DEFAULT, NONE -> null;
        };
        return number == null ? OptionalInt.empty() : OptionalInt.of(number);
    }

    /** The part of the topology that a machine is known to show wrongly to its system, where there is one. */
    public Optional<Misreport> misreport() {
        return Optional.ofNullable(misreport);
    }

    /** The number of ranks on each level 3 cache that the source advises, where it advises one. */
    public OptionalInt ranksPerL3() {
        return ranksPerL3 == null ? OptionalInt.empty() : OptionalInt.of(ranksPerL3);
    }

    /** The binding of ranks that the source advises; {@link Binding#DEFAULT} where it advises none. */
    public Binding binding() {
        return binding;
    }

    /** The source of {@link #count} and of the advice about ranks; empty without facts. */
    public String topologySource() {
        return topologySource;
    }

    /** The ranks of a machine under these defaults of jobs: one for each core or group of threads where they do not say. */
    public int ranks(MpiSettings defaults) {
        int threads = defaults.threadsPerRank().orElse(1);
        return defaults.ranksPerNode()
                .orElseGet(() -> Stream.of(
                                ranks(defaults.ranksPerSocket(), Binding.SOCKET),
                                ranks(defaults.ranksPerNuma(), Binding.NUMA),
                                ranks(defaults.ranksPerL3(), Binding.L3))
                        .flatMapToInt(OptionalInt::stream)
                        .findFirst()
                        .orElse(Math.max(1, vcpus / threads)));
    }

    private OptionalInt ranks(OptionalInt each, Binding part) {
        OptionalInt parts = count(part);
        return each.isPresent() && parts.isPresent()
                ? OptionalInt.of(each.getAsInt() * parts.getAsInt())
                : OptionalInt.empty();
    }

    /** The purpose in a few words, such as {@code hpc}; may be empty. */
    public String use() {
        return use;
    }

    /** The source of the facts; never empty. */
    public String source() {
        return source;
    }

    /** The size's name. */
    @Override
    public String toString() {
        return size().toString();
    }

    /** The parts of its topology that a machine can show wrongly to its system. */
    public enum Misreport {
        /** The level 3 caches. */
        L3,
        /** The cores of each part. */
        CORES;

        /** The part as catalogs write it, such as {@code l3}. */
        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT);
        }
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
}
