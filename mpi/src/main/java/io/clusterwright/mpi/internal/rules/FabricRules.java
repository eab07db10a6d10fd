package io.clusterwright.mpi.internal.rules;

import static io.clusterwright.core.spi.Rule.Where.CLOUD;

import io.clusterwright.core.spec.ClusterSpec;
import io.clusterwright.core.spec.MpiFlavour;
import io.clusterwright.core.spec.MpiInstall;
import io.clusterwright.core.spec.Verification;
import io.clusterwright.core.spi.Facts;
import io.clusterwright.core.spi.Rule;
import io.clusterwright.core.type.Interconnect;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.IntPredicate;
import java.util.regex.Pattern;

/** The rules about MPIs and the networks they can use. */
final class FabricRules {
    private static final Pattern IPOIB = Pattern.compile("(^|[^a-z0-9-])ib[0-9]\\b");
    private static final Pattern DEVICE = Pattern.compile("mlx[45]_(ib)?[0-9]");
    private static final Set<MpiFlavour> DIRECT = Set.of(MpiFlavour.INTEL_MPI, MpiFlavour.MS_MPI);

    private FabricRules() {}

    static List<Rule> rules() {
        return List.of(
                Rule.error(
                        "CW-FABRIC-001",
                        CLOUD,
                        "Intel MPI 2019 and later have no DAPL, and network-direct sizes need DAPL",
                        "install Intel MPI 5, or choose an SR-IOV size such as Standard_HB120rs_v3",
                        (spec, facts, report) ->
                                intel(spec, facts, report, Interconnect.NETWORK_DIRECT, year -> year >= 2019)),
                Rule.error(
                        "CW-FABRIC-002",
                        CLOUD,
                        "Intel MPI before 2018 cannot use SR-IOV sizes",
                        "install Intel MPI 2018 or later, HPC-X or Open MPI",
                        (spec, facts, report) ->
                                intel(spec, facts, report, Interconnect.SRIOV_INFINIBAND, year -> year < 2018)),
                Rule.warning(
                        "CW-FABRIC-003",
                        CLOUD,
                        "only Intel MPI 5 and MS-MPI use the RDMA network of network-direct sizes; any other MPI falls back to TCP",
                        "install Intel MPI 5, or choose an SR-IOV size such as Standard_HB120rs_v3",
                        FabricRules::cannotUseNetworkDirect),
                Rule.warning(
                        "CW-FABRIC-004",
                        CLOUD,
                        "a variable names an IP-over-InfiniBand interface, and network-direct sizes have no such interface",
                        "write eth0 as the value of the variable, or remove the variable",
                        FabricRules::ipOverInfiniBand),
                Rule.warning(
                        "CW-FABRIC-005",
                        CLOUD,
                        "a variable names one InfiniBand device for all nodes, and its name can differ between nodes of a scale set",
                        "remove the variable: MPI finds the device on each node",
                        FabricRules::deviceNamed));
    }

    /** Reports an Intel MPI of years that cannot use this interconnect. */
    private static void intel(
            ClusterSpec spec, Facts facts, Rule.Report report, Interconnect interconnect, IntPredicate years) {
        if (usesFabric(spec, facts, interconnect)) {
            intelYear(spec)
                    .filter(years::test)
                    .ifPresent(year -> report.add(
                            "image.customize.mpi.version",
                            "Intel MPI " + year + " cannot use the RDMA network of "
                                    + spec.nodes().requireSize()));
        }
    }

    private static boolean usesFabric(ClusterSpec spec, Facts facts, Interconnect interconnect) {
        return facts.has(spec, interconnect) && !spec.mpi().preset().endsWith("/tcp");
    }

    private static void cannotUseNetworkDirect(ClusterSpec spec, Facts facts, Rule.Report report) {
        if (usesFabric(spec, facts, Interconnect.NETWORK_DIRECT)
                && spec.nodes().count() > 1
                && spec.verify().fabric() != Verification.Fabric.NONE) {
            spec.image()
                    .customize()
                    .mpi()
                    .map(MpiInstall::flavour)
                    .filter(flavour -> !DIRECT.contains(flavour))
                    .ifPresent(flavour -> report.add(
                            "image.customize.mpi.flavour",
                            flavour + " falls back to TCP on " + spec.nodes().requireSize()));
        }
    }

    private static void ipOverInfiniBand(ClusterSpec spec, Facts facts, Rule.Report report) {
        if (facts.has(spec, Interconnect.NETWORK_DIRECT)) {
            spec.mpi().env().forEach((name, value) -> {
                if (IPOIB.matcher(value).find() && !name.equals("I_MPI_DAPL_PROVIDER")) {
                    report.add(
                            "mpi.env." + name,
                            value + " is an IP-over-InfiniBand interface, and "
                                    + spec.nodes().requireSize() + " has no such interface");
                }
            });
        }
    }

    private static void deviceNamed(ClusterSpec spec, Facts facts, Rule.Report report) {
        if (facts.has(spec, Interconnect.SRIOV_INFINIBAND) && spec.nodes().count() > 1) {
            spec.mpi().env().forEach((name, value) -> {
                if (DEVICE.matcher(value).find()) {
                    report.add("mpi.env." + name, value + " names a device that may have another name on another node");
                }
            });
        }
    }

    /** The year of the Intel MPI that is to be installed; before 2017 it had a plain version, such as 5. */
    static Optional<Integer> intelYear(ClusterSpec spec) {
        return spec.image()
                .customize()
                .mpi()
                .filter(mpi -> mpi.flavour() == MpiFlavour.INTEL_MPI)
                .flatMap(MpiInstall::version)
                .map(version -> version.split("[^0-9]")[0])
                .filter(major -> major.matches("[0-9]{1,4}"))
                .map(Integer::parseInt);
    }
}
