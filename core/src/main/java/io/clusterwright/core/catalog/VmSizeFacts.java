package io.clusterwright.core.catalog;

import io.clusterwright.core.type.Bandwidth;
import io.clusterwright.core.type.Interconnect;
import io.clusterwright.core.type.Latency;
import io.clusterwright.core.type.VmSize;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What is published about one VM size. */
public final class VmSizeFacts {
    private final VmSize size;
    private final int vcpus;
    private final double memoryGib;
    private final Interconnect interconnect;
    private final String status;
    private final @Nullable Latency latency;
    private final @Nullable Bandwidth bandwidth;
    private final String source;

    VmSizeFacts(
            VmSize size,
            int vcpus,
            double memoryGib,
            Interconnect interconnect,
            String status,
            @Nullable Latency latency,
            @Nullable Bandwidth bandwidth,
            String source) {
        this.size = size;
        this.vcpus = vcpus;
        this.memoryGib = memoryGib;
        this.interconnect = interconnect;
        this.status = status;
        this.latency = latency;
        this.bandwidth = bandwidth;
        this.source = source;
    }

    /** The size's name in Azure Resource Manager, such as {@code Standard_A9}. */
    public VmSize size() {
        return size;
    }

    /** Virtual processors, at least 1. */
    public int vcpus() {
        return vcpus;
    }

    /** Memory in GiB. */
    public double memoryGib() {
        return memoryGib;
    }

    /** The fast network that machines of this size have. */
    public Interconnect interconnect() {
        return interconnect;
    }

    /** {@code current}, {@code retiring} or {@code retired}, on the day the catalog was made. */
    public String status() {
        return status;
    }

    /** The published latency of small MPI messages, where there is one. */
    public Optional<Latency> latency() {
        return Optional.ofNullable(latency);
    }

    /** The published MPI bandwidth, where there is one. */
    public Optional<Bandwidth> bandwidth() {
        return Optional.ofNullable(bandwidth);
    }

    /** Where the facts are from. */
    public String source() {
        return source;
    }
}
