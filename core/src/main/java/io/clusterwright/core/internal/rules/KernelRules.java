package io.clusterwright.core.internal.rules;

import static io.clusterwright.core.spi.Rule.Where.CLOUD;

import io.clusterwright.core.spec.ClusterSpec;
import io.clusterwright.core.spec.Customization.Updates;
import io.clusterwright.core.spi.Facts;
import io.clusterwright.core.spi.Rule;
import java.util.List;
import java.util.regex.Pattern;

/** Rules on the kernel, to which RDMA drivers are bound. */
final class KernelRules {
    private static final Pattern KERNEL =
            Pattern.compile("linux-(image|generic|azure|headers).*|kernel(-(default|core|devel|azure))?([-=*].*)?");

    private KernelRules() {}

    static List<Rule> rules() {
        return List.of(
                Rule.warning(
                        "CW-KERNEL-001",
                        CLOUD,
                        "updates may install a kernel that does not fit the RDMA driver",
                        "write image: {customize: {updates: {kernel: hold}}}",
                        KernelRules::updates),
                Rule.warning(
                        "CW-KERNEL-002",
                        CLOUD,
                        "a package is a kernel, and the RDMA driver may not fit it",
                        "remove the package, or use an image that has this kernel and its driver",
                        KernelRules::packages));
    }

    private static void updates(ClusterSpec spec, Facts facts, Rule.Report report) {
        Updates updates = spec.image().customize().updates();
        if (SpecQueries.rdma(spec, facts)
                && updates.install() != Updates.Install.NONE
                && updates.kernel() == Updates.Kernel.ALLOW) {
            report.add(
                    "image.customize.updates.kernel",
                    "kernel: allow may replace the kernel for which the RDMA driver of "
                            + spec.nodes().requireSize() + " was built");
        }
    }

    private static void packages(ClusterSpec spec, Facts facts, Rule.Report report) {
        List<String> packages = spec.image().customize().packages();
        for (int i = 0; i < packages.size(); i++) {
            if (SpecQueries.rdma(spec, facts) && KERNEL.matcher(packages.get(i)).matches()) {
                report.add(
                        "image.customize.packages[" + i + "]",
                        packages.get(i) + " replaces the kernel for which the RDMA driver of "
                                + spec.nodes().requireSize() + " was built");
            }
        }
    }
}
