package io.clusterwright.core.internal.rules;

import static io.clusterwright.core.spi.Rule.Where.CLOUD;
import static io.clusterwright.core.spi.Rule.Where.EVERYWHERE;

import io.clusterwright.core.catalog.VmSizeFacts;
import io.clusterwright.core.spec.ClusterSpec;
import io.clusterwright.core.spec.HeadNode;
import io.clusterwright.core.spec.HpcPackSpec;
import io.clusterwright.core.spi.Facts;
import io.clusterwright.core.spi.Rule;
import io.clusterwright.core.type.AddressRange;
import io.clusterwright.core.type.Ipv4Address;
import io.clusterwright.core.type.VmSize;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** Rules on machines with Windows. */
final class WindowsRules {
    private static final AddressRange RDMA = AddressRange.of("172.16.0.0/16");
    private static final Map<String, Integer> ROLE_SIZES =
            Map.of("extrasmall", 1, "small", 1, "medium", 2, "large", 4, "extralarge", 8, "a0", 1);
    private static final int HEAD_CORES = 8;

    private WindowsRules() {}

    static List<Rule> rules() {
        return List.of(
                Rule.warning(
                        "CW-WIN-001",
                        CLOUD,
                        "the head node of HPC Pack has fewer than 8 cores; Microsoft advises 8 cores or more",
                        "write headNode: {size: Standard_D8s_v5}, or another size with 8 cores or more",
                        WindowsRules::headTooSmall),
                Rule.warning(
                        "CW-WIN-002",
                        CLOUD,
                        "the RDMA driver of this size needs an extension on Windows",
                        "write extensions: [{name: HpcVmDrivers}] for H sizes, [{name: InfiniBandDriverWindows}] for SR-IOV sizes",
                        WindowsRules::driverByHand),
                Rule.warning(
                        "CW-WIN-003",
                        CLOUD,
                        "a netmask has no effect on burst nodes",
                        "remove mpi.netmask; burst nodes find their network automatically",
                        WindowsRules::netmaskOnBurst),
                Rule.warning(
                        "CW-WIN-004",
                        CLOUD,
                        "the netmask does not include the RDMA network, so MS-MPI uses sockets",
                        "write mpi: {netmask: 172.16.0.0/255.255.0.0}",
                        WindowsRules::netmaskElsewhere),
                Rule.info(
                        "CW-WIN-005",
                        CLOUD,
                        "login.password is absent: create generates a password for the login user",
                        "nothing to do: the password is in clusters/NAME/secrets of the state folder; to choose it, write login: {user: hpcadmin, password: {secret: env:NAME}}",
                        WindowsRules::noPassword),
                Rule.warning(
                        "CW-WIN-006",
                        EVERYWHERE,
                        "mpi.netmask has no effect with operatingSystem: linux",
                        "remove mpi.netmask",
                        WindowsRules::netmaskOnLinux),
                Rule.info(
                        "CW-WIN-007",
                        CLOUD,
                        "InfiniBand on Windows SR-IOV sizes may need a proximity placement group",
                        "if InfiniBand does not start, write placement: {proximityGroup: true}",
                        WindowsRules::proximity));
    }

    /** Whether this is one of the size names of worker roles, which no catalog of machine sizes has. */
    static boolean isRoleSize(VmSize size) {
        return ROLE_SIZES.containsKey(size.name().toLowerCase(Locale.ROOT).replaceFirst("^(standard|basic)_", ""));
    }

    private static Optional<Integer> cores(VmSize size, Facts facts) {
        String name = size.name().toLowerCase(Locale.ROOT).replaceFirst("^(standard|basic)_", "");
        Optional<Integer> role = Optional.ofNullable(ROLE_SIZES.get(name));
        return role.isPresent() ? role : facts.sizes().find(size).map(VmSizeFacts::vcpus);
    }

    private static void headTooSmall(ClusterSpec spec, Facts facts, Rule.Report report) {
        boolean existing = spec.hpcPack().filter(HpcPackSpec::existingHead).isPresent();
        if (SpecQueries.windows(spec) && !existing) {
            spec.headNode()
                    .flatMap(HeadNode::size)
                    .ifPresent(
                            size -> cores(size, facts)
                                    .filter(cores -> cores < HEAD_CORES)
                                    .ifPresent(
                                            cores -> report.add(
                                                    "headNode.size",
                                                    size + " has " + cores + " cores; Microsoft advises " + HEAD_CORES
                                                            + " or more for the head node of HPC Pack",
                                                    classic(spec)
                                                            ? "write headNode: {size: Standard_A4}, or a larger classic size"
                                                            : "write headNode: {size: Standard_D8s_v5}, or another size with 8 cores or more")));
        }
    }

    private static void driverByHand(ClusterSpec spec, Facts facts, Rule.Report report) {
        boolean classic = classic(spec);
        boolean installed = SpecQueries.hasExtension(spec, "HpcVmDrivers")
                || !classic && SpecQueries.hasExtension(spec, "InfiniBandDriverWindows");
        boolean byTemplate = spec.hpcPack()
                .map(HpcPackSpec::scenario)
                .filter(WindowsRules::bringsDrivers)
                .isPresent();
        if (SpecQueries.windows(spec)
                && SpecQueries.fabricWanted(spec, facts)
                && !SpecQueries.driversByThemselves(spec)
                && !installed
                && !byTemplate) {
            report.add("extensions", spec.nodes().requireSize() + " needs an extension for its RDMA driver on Windows");
        }
    }

    /** Whether the machines are virtual machines of the classic model. */
    private static boolean classic(ClusterSpec spec) {
        return spec.hpcPack()
                .filter(pack -> pack.scenario() == HpcPackSpec.Scenario.IAAS)
                .isPresent();
    }

    private static boolean bringsDrivers(HpcPackSpec.Scenario scenario) {
        return scenario != HpcPackSpec.Scenario.IAAS;
    }

    private static void netmaskOnBurst(ClusterSpec spec, Facts facts, Rule.Report report) {
        spec.mpi()
                .netmask()
                .filter(mask -> spec.hpcPack()
                        .filter(pack -> pack.scenario() == HpcPackSpec.Scenario.BURST)
                        .isPresent())
                .ifPresent(mask -> report.add(
                        "mpi.netmask", mask + " has no effect: hpcPack.scenario is burst, and burst nodes ignore it"));
    }

    private static void netmaskElsewhere(ClusterSpec spec, Facts facts, Rule.Report report) {
        spec.mpi()
                .netmask()
                .filter(mask -> SpecQueries.windows(spec) && SpecQueries.networkDirect(spec, facts))
                .filter(mask -> !RDMA.contains(Ipv4Address.of(mask.substring(0, mask.indexOf('/')))))
                .ifPresent(mask -> report.add(
                        "mpi.netmask",
                        mask + " does not include the RDMA network " + RDMA + ", so MS-MPI uses sockets"));
    }

    private static void noPassword(ClusterSpec spec, Facts facts, Rule.Report report) {
        if (SpecQueries.windows(spec) && spec.login().password().isEmpty()) {
            report.add(
                    "login.password",
                    "create generates a password for the login user "
                            + spec.login().user() + ", and the deployment of rendered files asks for one");
        }
    }

    private static void netmaskOnLinux(ClusterSpec spec, Facts facts, Rule.Report report) {
        spec.mpi()
                .netmask()
                .filter(mask -> SpecQueries.linux(spec))
                .ifPresent(mask -> report.add(
                        "mpi.netmask",
                        mask + " has no effect: operatingSystem is linux, and only MS-MPI uses a netmask"));
    }

    private static void proximity(ClusterSpec spec, Facts facts, Rule.Report report) {
        if (SpecQueries.windows(spec)
                && SpecQueries.sriov(spec, facts)
                && !spec.placement().proximityGroup()) {
            report.add(
                    "placement.proximityGroup",
                    "the nodes have no proximity placement group, and InfiniBand on Windows SR-IOV sizes may need one");
        }
    }
}
