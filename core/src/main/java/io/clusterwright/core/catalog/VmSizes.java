package io.clusterwright.core.catalog;

import io.clusterwright.core.spec.ClusterSpec;
import io.clusterwright.core.type.VmSize;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * The catalog of VM sizes. Immutable. Use it to find the network, the cores and the quota of a size.
 *
 * <pre>{@code
 * VmSizeFacts size =
 *         VmSizes.standard().find(VmSize.of("Standard_HB120rs_v3")).orElseThrow();
 * Optional<InfiniBand> generation = size.infiniBand();
 * Architecture processors = size.architecture();
 * System.out.println(size.billedCores() + " cores of quota " + size.quotaFamily().orElse("") + ", " + generation);
 * }</pre>
 */
public final class VmSizes {
    /** 8 cores, QDR InfiniBand through Network Direct; retired. */
    public static final VmSize A8 = VmSize.of("Standard_A8");
    /** 16 cores, QDR InfiniBand through Network Direct; retired. */
    public static final VmSize A9 = VmSize.of("Standard_A9");
    /** 16 cores, FDR InfiniBand through Network Direct; retired. */
    public static final VmSize H16R = VmSize.of("Standard_H16r");
    /** 44 cores, EDR InfiniBand; retiring. */
    public static final VmSize HC44RS = VmSize.of("Standard_HC44rs");
    /** 120 cores, HDR InfiniBand; retiring. */
    public static final VmSize HB120RS_V2 = VmSize.of("Standard_HB120rs_v2");
    /** 120 cores, HDR InfiniBand. */
    public static final VmSize HB120RS_V3 = VmSize.of("Standard_HB120rs_v3");
    /** 176 cores, NDR InfiniBand. */
    public static final VmSize HB176RS_V4 = VmSize.of("Standard_HB176rs_v4");
    /** 368 cores, NDR InfiniBand over four ports. */
    public static final VmSize HB368RS_V5 = VmSize.of("Standard_HB368rs_v5");
    /** 176 cores and 1408 GiB, NDR InfiniBand. */
    public static final VmSize HX176RS = VmSize.of("Standard_HX176rs");
    /** 8 cores without RDMA, for a head node. */
    public static final VmSize D8S_V5 = VmSize.of("Standard_D8s_v5");

    private static final CatalogFile<VmSizeFacts> FILE = new CatalogFile<>(
            "name arm_name* vcpus* billed_cores memory_gib* infiniband gbps rdma_mode family_quota architecture gpu"
                    + " generation1_only generation2_only status retired_on replacement ports verbs_latency_us verbs_gbps"
                    + " verbs_source mpi_latency_us mpi_gbps mpi_source sockets numa_domains l3_caches misreports ranks_per_l3"
                    + " binding topology_source use source*",
            VmSizeFacts::new,
            row -> plain(row.required("arm_name")));
    private static final VmSizes STANDARD = new VmSizes(FILE.lateResource("vm-sizes.csv"));

    private final CatalogEntries<VmSizeFacts> sizes;

    private VmSizes(CatalogEntries<VmSizeFacts> sizes) {
        this.sizes = sizes;
    }

    /** The catalog that comes with the library: Azure's RDMA sizes, their kin and sizes for head nodes, as published. */
    public static VmSizes standard() {
        return STANDARD;
    }

    /**
     * This catalog with the rows of a file, which win over rows of the same size.
     *
     * @param file CSV with the columns of the library's own {@code vm-sizes.csv}; needed are {@code arm_name},
     *     {@code vcpus}, {@code memory_gib} and {@code source}
     * @throws io.clusterwright.core.spec.InvalidSpecException with every row that cannot be used, its line and what is allowed
     */
    public VmSizes plus(Path file) {
        return new VmSizes(sizes.plus(FILE.file(file)));
    }

    /** All sizes, in the order of the catalog. */
    public List<VmSizeFacts> all() {
        return sizes.all();
    }

    /** The sizes with an RDMA interconnect, in the order of the catalog. */
    public List<VmSizeFacts> rdma() {
        return sizes.all().stream()
                .filter(facts -> facts.interconnect().isRdma())
                .toList();
    }

    /** Finds a size; case and a leading {@code Standard_} do not matter. */
    public Optional<VmSizeFacts> find(VmSize size) {
        return sizes.find(plain(size.name()));
    }

    /** The size of a spec's nodes, where it names one that is in this catalog. */
    public Optional<VmSizeFacts> ofNodes(ClusterSpec spec) {
        return spec.nodes().size().flatMap(this::find);
    }

    /** The size that a mistyped name most likely means, when there is a near one. */
    public Optional<VmSize> nearest(String name) {
        Map<String, VmSize> names = sizes.all().stream()
                .collect(Collectors.toMap(
                        VmSizeFacts::shortName, VmSizeFacts::size, (one, other) -> one, LinkedHashMap::new));
        Optional<String> near = CatalogFile.nearest(plain(name), names.keySet());
        return near.map(names::get)
                .or(() -> CatalogFile.nearest(
                                name, all().stream().map(VmSizeFacts::toString).toList())
                        .map(VmSize::of));
    }

    private static String plain(String name) {
        String lower = name.toLowerCase(Locale.ROOT);
        return lower.startsWith("standard_") ? lower.substring("standard_".length()) : lower;
    }

    /** The number of sizes. */
    @Override
    public String toString() {
        return all().size() + " sizes";
    }
}
