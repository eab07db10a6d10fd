package io.clusterwright.core.internal.rules;

import io.clusterwright.core.catalog.Images;
import io.clusterwright.core.plan.PlannedMachines;
import io.clusterwright.core.spec.ClusterSpec;
import io.clusterwright.core.spec.HpcPackSpec;
import io.clusterwright.core.spec.OperatingSystem;
import io.clusterwright.core.spec.Verification;
import io.clusterwright.core.spi.Facts;
import io.clusterwright.core.type.ImageReference;
import io.clusterwright.core.type.Interconnect;
import io.clusterwright.core.type.NodeName;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Questions about a spec that several rules ask. */
final class SpecQueries {
    private SpecQueries() {}

    static boolean networkDirect(ClusterSpec spec, Facts facts) {
        return facts.has(spec, Interconnect.NETWORK_DIRECT);
    }

    static boolean sriov(ClusterSpec spec, Facts facts) {
        return facts.has(spec, Interconnect.SRIOV_INFINIBAND);
    }

    static boolean rdma(ClusterSpec spec, Facts facts) {
        return networkDirect(spec, facts) || sriov(spec, facts);
    }

    static boolean linux(ClusterSpec spec) {
        return spec.operatingSystem() == OperatingSystem.LINUX;
    }

    static boolean windows(ClusterSpec spec) {
        return spec.operatingSystem() == OperatingSystem.WINDOWS;
    }

    /** Whether ranks on different nodes are to talk over the fabric. */
    static boolean fabricWanted(ClusterSpec spec, Facts facts) {
        return spec.nodes().count() > 1
                && rdma(spec, facts)
                && !spec.mpi().preset().endsWith("/tcp")
                && spec.verify().fabric() != Verification.Fabric.NONE;
    }

    /** The marketplace image as {@code publisher:offer:sku} in lower case, also of a classic name; empty for any other image. */
    static String marketplace(ClusterSpec spec) {
        return Images.standard().withoutClassicName(spec.image().base()) instanceof ImageReference.Marketplace image
                ? String.join(":", image.publisher(), image.offer(), image.sku())
                        .toLowerCase(Locale.ROOT)
                : "";
    }

    static boolean automaticImage(ClusterSpec spec) {
        return spec.image().base() instanceof ImageReference.Auto;
    }

    /** Whether the nodes are A8 or A9, whose RDMA driver every Windows Server from 2012 on gets without being asked. */
    static boolean driversByThemselves(ClusterSpec spec) {
        return spec.nodes()
                .size()
                .filter(size -> size.name().matches("(?i)standard_a[89]"))
                .isPresent();
    }

    static boolean hasExtension(ClusterSpec spec, String type) {
        return spec.extensions().stream()
                .anyMatch(extension ->
                        extension.name().or(extension::type).orElse("").equalsIgnoreCase(type));
    }

    /** The region without blanks and in lower case: {@code West US} and {@code westus} are one. */
    static String region(ClusterSpec spec) {
        return spec.region().orElse("").replace(" ", "").toLowerCase(Locale.ROOT);
    }

    /** All names that machines will have, the head node's last. */
    static List<NodeName> names(ClusterSpec spec) {
        List<NodeName> names = new ArrayList<>(spec.nodes().names());
        spec.headNode().ifPresent(head -> names.add(head.name()));
        return names;
    }

    /** The number of machines that the spec asks for, with those whose size it does not name. */
    static int machines(ClusterSpec spec) {
        int planned = PlannedMachines.of(spec).stream()
                .mapToInt(PlannedMachines::count)
                .sum();
        boolean head = spec.headNode().isPresent()
                && spec.hpcPack().filter(HpcPackSpec::existingHead).isEmpty();
        return Math.max(planned, spec.nodes().count() + (head ? 1 : 0));
    }
}
