package io.clusterwright.core.internal.rules;

import static io.clusterwright.core.spi.Rule.Where.CLOUD;
import static io.clusterwright.core.spi.Rule.Where.EVERYWHERE;

import io.clusterwright.core.spec.ClusterSpec;
import io.clusterwright.core.spec.MpiFlavour;
import io.clusterwright.core.spec.MpiInstall;
import io.clusterwright.core.spi.Facts;
import io.clusterwright.core.spi.Rule;
import java.util.Arrays;
import java.util.List;
import java.util.Set;

/** The operating system against what is to run on it. */
final class SystemRules {
    private static final Set<MpiFlavour> LINUX_ONLY =
            Set.of(MpiFlavour.OPEN_MPI, MpiFlavour.HPC_X, MpiFlavour.MPICH, MpiFlavour.MVAPICH2);

    private SystemRules() {}

    static List<Rule> rules() {
        return List.of(
                Rule.error(
                        "CW-OS-001",
                        EVERYWHERE,
                        "the MPI does not run on the operating system",
                        "use ms-mpi or intel-mpi on Windows, and any other MPI than ms-mpi on Linux",
                        SystemRules::mpi),
                Rule.error(
                        "CW-OS-002",
                        CLOUD,
                        "image.base has another operating system than operatingSystem",
                        "correct operatingSystem or image.base",
                        SystemRules::image),
                Rule.error(
                        "CW-OS-003",
                        CLOUD,
                        "this Windows Server does not support the RDMA adapter or the number of cores of the size",
                        "use Windows Server 2012 or later on A8 and A9, 2012 R2 or later on H sizes, 2016 or later on SR-IOV sizes",
                        SystemRules::windowsVersion),
                Rule.warning(
                        "CW-OS-004",
                        EVERYWHERE,
                        "hpcPack has no effect with operatingSystem: linux",
                        "remove hpcPack, or write operatingSystem: windows",
                        SystemRules::hpcPackOnLinux));
    }

    private static void mpi(ClusterSpec spec, Facts facts, Rule.Report report) {
        Arrays.stream(MpiFlavour.values())
                .filter(flavour -> spec.mpi().preset().startsWith(flavour + "/"))
                .filter(flavour -> misplaced(spec, flavour))
                .forEach(flavour -> report.add("mpi.preset", flavour + " does not run on " + spec.operatingSystem()));
        spec.image()
                .customize()
                .mpi()
                .map(MpiInstall::flavour)
                .filter(flavour -> misplaced(spec, flavour))
                .ifPresent(flavour -> report.add(
                        "image.customize.mpi.flavour", flavour + " does not run on " + spec.operatingSystem()));
    }

    private static boolean misplaced(ClusterSpec spec, MpiFlavour flavour) {
        return SpecQueries.windows(spec) ? LINUX_ONLY.contains(flavour) : flavour == MpiFlavour.MS_MPI;
    }

    private static void image(ClusterSpec spec, Facts facts, Rule.Report report) {
        String image = SpecQueries.marketplace(spec);
        boolean windows = image.startsWith("microsoftwindowsserver");
        if (!image.isEmpty()
                && (windows != SpecQueries.windows(spec))
                && (windows || ImageRules.Images.knownLinux(image))) {
            report.add(
                    "image.base",
                    spec.image().base() + " is an image for " + (windows ? "windows" : "linux")
                            + ", and operatingSystem is " + spec.operatingSystem());
        }
    }

    private static void windowsVersion(ClusterSpec spec, Facts facts, Rule.Report report) {
        String image = SpecQueries.marketplace(spec);
        if (!image.startsWith("microsoftwindowsserver:windowsserver:") || !SpecQueries.rdma(spec, facts)) {
            return;
        }
        boolean first =
                image.contains(":2012-") && !image.contains(":2012-r2") && !SpecQueries.driversByThemselves(spec);
        boolean manyCores = image.contains(":2012-r2")
                && facts.size(spec).filter(size -> size.vcpus() > 64).isPresent();
        if (first || manyCores) {
            String reason = first
                    ? " has no NetworkDirect version 2, which the RDMA adapter needs"
                    : " is not supported on more than 64 cores";
            report.add("image.base", spec.image().base() + reason);
        }
    }

    private static void hpcPackOnLinux(ClusterSpec spec, Facts facts, Rule.Report report) {
        if (SpecQueries.linux(spec) && spec.hpcPack().isPresent()) {
            report.add("hpcPack", "hpcPack has no effect with operatingSystem: linux");
        }
    }
}
