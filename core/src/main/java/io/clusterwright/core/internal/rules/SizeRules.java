package io.clusterwright.core.internal.rules;

import static io.clusterwright.core.spi.Rule.Where.CLOUD;

import io.clusterwright.core.catalog.VmSizeFacts;
import io.clusterwright.core.spec.Binding;
import io.clusterwright.core.spec.ClusterSpec;
import io.clusterwright.core.spec.HeadNode;
import io.clusterwright.core.spec.InvalidSpecException;
import io.clusterwright.core.spec.Verification;
import io.clusterwright.core.spi.Facts;
import io.clusterwright.core.spi.Rule;
import io.clusterwright.core.type.Interconnect;
import io.clusterwright.core.type.VmSize;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiConsumer;

/** Rules on the sizes of machines. */
final class SizeRules {
    private static final Map<String, String> TWINS = Map.of("A10", "Standard_A8", "A11", "Standard_A9");
    /** The best latency of a kernel's TCP stack between two machines of one rack, in microseconds. */
    private static final double FASTEST_TCP_MICROS = 10;

    private SizeRules() {}

    static List<Rule> rules() {
        return List.of(
                Rule.warning(
                        "CW-SIZE-001",
                        CLOUD,
                        "a size is not in the catalog, so its cores, memory, price and network are not checked",
                        "correct the name; ignore this if the size is newer than the catalog",
                        SizeRules::unknown),
                Rule.error(
                        ReadingFindings.MISSING.code(),
                        CLOUD,
                        ReadingFindings.MISSING.subject(),
                        ReadingFindings.MISSING.remedy(),
                        SizeRules::missing),
                Rule.warning(
                        "CW-SIZE-002",
                        CLOUD,
                        "Azure retired a size, or will retire it",
                        "choose a current size, such as Standard_HB120rs_v3; suppress CW-SIZE-002 if you still get the size",
                        SizeRules::retired),
                Rule.error(
                        "CW-SIZE-003",
                        CLOUD,
                        "verify.fabric needs an RDMA network, and A10 and A11 have none: they are A8 and A9 without it",
                        "choose a size with RDMA, such as Standard_HB120rs_v3, or write verify: {fabric: none} or a preset that ends with /tcp",
                        SizeRules::twinWithoutFabric),
                Rule.error(
                        "CW-SIZE-004",
                        CLOUD,
                        "verify.maxLatency is out of reach for a size without RDMA",
                        "choose a size with RDMA, or remove verify.maxLatency",
                        SizeRules::latencyOutOfReach),
                Rule.warning(
                        "CW-SIZE-005",
                        CLOUD,
                        "the head node and the nodes have different RDMA sizes, and one fabric connects one size",
                        "write the size of the nodes as headNode.size, or a size without RDMA",
                        SizeRules::mixed),
                Rule.info(
                        "CW-SIZE-006",
                        CLOUD,
                        "a size with fewer cores costs, and counts against the quota, like the full size",
                        "use the full size, unless the job needs more memory or bandwidth per core",
                        SizeRules::fewerCores),
                Rule.warning(
                        "CW-SIZE-007",
                        CLOUD,
                        "the ranks of a node, with mpi.threadsPerRank, are more than its cores",
                        "lower mpi.ranksPerNode or mpi.threadsPerRank",
                        SizeRules::tooManyRanks),
                Rule.error(
                        "CW-SIZE-008",
                        CLOUD,
                        "the head node boots the image of the nodes, and its processors are of another architecture",
                        "write a headNode.size with the architecture of the nodes",
                        SizeRules::otherProcessor),
                Rule.warning(
                        "CW-SIZE-009",
                        CLOUD,
                        "verify.fabric needs an RDMA network, and the size of the nodes has none: MPI uses TCP",
                        "choose a size with RDMA, or write verify: {fabric: none} or a preset that ends with /tcp",
                        SizeRules::noFabric),
                Rule.warning(
                        "CW-SIZE-010",
                        CLOUD,
                        "the size shows a wrong topology to its system, and ranks are placed by it",
                        "check the places: clusterwright mpi NAME --report-binding -- true (MpiJob.reportBinding); or use a size of the series with fewer cores",
                        SizeRules::misreported));
    }

    private static void unknown(ClusterSpec spec, Facts facts, Rule.Report report) {
        eachSize(spec, (path, size) -> {
            if (facts.sizes().find(size).isEmpty() && !WindowsRules.isRoleSize(size)) {
                String remedy = facts.sizes()
                        .nearest(size.name())
                        .map(near -> "did you mean " + near + "? Ignore this if the size is newer than the catalog")
                        .orElse("");
                report.add(path, "the catalog has no size " + size, remedy);
            }
        });
    }

    /** A region and sizes, which local clusters do without. */
    private static void missing(ClusterSpec spec, Facts facts, Rule.Report report) {
        require(spec::requireRegion, report);
        require(spec.nodes()::requireSize, report);
        spec.headNode().ifPresent(head -> require(head::requireSize, report));
    }

    private static void require(Runnable value, Rule.Report report) {
        try {
            value.run();
        } catch (InvalidSpecException e) {
            e.problems().forEach(problem -> report.add(problem.path(), problem.message(), problem.remedy()));
        }
    }

    private static void retired(ClusterSpec spec, Facts facts, Rule.Report report) {
        eachSize(
                spec,
                (path, size) -> facts.sizes()
                        .find(size)
                        .filter(known -> known.status() != VmSizeFacts.Status.CURRENT)
                        .ifPresent(known -> {
                            String remedy = known.replacement()
                                    .map(next -> "use " + next + "; suppress CW-SIZE-002 if you still get " + size)
                                    .orElse("");
                            report.add(path, end(known), remedy);
                        }));
    }

    /** Past or future by what the catalog says of the size, not by a clock: the same spec always gets the same words. */
    private static String end(VmSizeFacts size) {
        boolean gone = size.status() == VmSizeFacts.Status.RETIRED;
        return size.retiredOn()
                .map(day -> "Azure " + (gone ? "retired " : "will retire ") + size.size() + " on " + day)
                .orElse("Azure " + (gone ? "has retired " : "will retire ") + size.size());
    }

    private static void twinWithoutFabric(ClusterSpec spec, Facts facts, Rule.Report report) {
        if (lacksFabric(spec, facts)) {
            withRdma(spec)
                    .ifPresent(
                            twin -> report.add(
                                    "nodes.size",
                                    withoutRdma(spec),
                                    "use " + twin
                                            + ", the same machine with RDMA, or write verify: {fabric: none} or a preset that ends with /tcp"));
        }
    }

    private static void noFabric(ClusterSpec spec, Facts facts, Rule.Report report) {
        if (lacksFabric(spec, facts) && withRdma(spec).isEmpty()) {
            report.add("nodes.size", withoutRdma(spec));
        }
    }

    private static String withoutRdma(ClusterSpec spec) {
        return spec.nodes().requireSize() + " has no RDMA network, and verify.fabric is "
                + spec.verify().fabric();
    }

    private static boolean lacksFabric(ClusterSpec spec, Facts facts) {
        return spec.nodes().count() > 1
                && spec.verify().fabric() != Verification.Fabric.NONE
                && !spec.mpi().preset().endsWith("/tcp")
                && facts.has(spec, Interconnect.NONE);
    }

    /** The size that is the same machine with RDMA. */
    private static Optional<String> withRdma(ClusterSpec spec) {
        String name = spec.nodes().requireSize().name().toUpperCase(Locale.ROOT);
        return Optional.ofNullable(TWINS.get(name.replace("STANDARD_", "")));
    }

    private static void latencyOutOfReach(ClusterSpec spec, Facts facts, Rule.Report report) {
        spec.verify().maxLatency().ifPresent(limit -> {
            if (facts.has(spec, Interconnect.NONE) && limit.micros() < FASTEST_TCP_MICROS) {
                report.add(
                        "verify.maxLatency",
                        limit.micros() + " µs is out of reach: " + spec.nodes().requireSize() + " has no RDMA network");
            }
        });
    }

    private static void mixed(ClusterSpec spec, Facts facts, Rule.Report report) {
        spec.headNode().flatMap(HeadNode::size).ifPresent(head -> {
            boolean fast = facts.sizes()
                    .find(head)
                    .filter(size -> size.interconnect().isRdma())
                    .isPresent();
            if (fast && SpecQueries.rdma(spec, facts) && !spec.nodes().size().equals(Optional.of(head))) {
                report.add(
                        "headNode.size",
                        "the head node is " + head + " and the nodes are "
                                + spec.nodes().requireSize() + ": one fabric connects one RDMA size");
            }
        });
    }

    private static void otherProcessor(ClusterSpec spec, Facts facts, Rule.Report report) {
        Optional<VmSizeFacts> nodes = facts.size(spec);
        spec.headNode()
                .flatMap(HeadNode::size)
                .flatMap(facts.sizes()::find)
                .filter(head ->
                        nodes.isPresent() && head.architecture() != nodes.get().architecture())
                .ifPresent(head -> report.add(
                        "headNode.size",
                        "the head node " + head + " is " + head.architecture() + ", and the nodes, "
                                + nodes.orElseThrow() + ", are " + nodes.get().architecture()
                                + ": they cannot boot one image"));
    }

    private static void fewerCores(ClusterSpec spec, Facts facts, Rule.Report report) {
        eachSize(
                spec,
                (path, size) -> facts.sizes()
                        .find(size)
                        .filter(VmSizeFacts::isConstrained)
                        .ifPresent(known -> report.add(
                                path,
                                size + " has " + known.vcpus() + " cores, and is billed and counted as "
                                        + known.billedCores())));
    }

    private static void tooManyRanks(ClusterSpec spec, Facts facts, Rule.Report report) {
        int threads = spec.mpi().threadsPerRank().orElse(1);
        String field = RankRules.field(spec.mpi());
        facts.size(spec)
                .filter(size -> (long) size.ranks(spec.mpi()) * threads > size.vcpus())
                .ifPresent(size -> report.add(
                        field,
                        size.ranks(spec.mpi()) + " ranks per node"
                                + (threads > 1 ? ", each with " + threads + " threads," : "") + " are more than the "
                                + size.vcpus() + " cores of " + size,
                        "lower " + field + (field.equals("mpi.threadsPerRank") ? "" : " or mpi.threadsPerRank")));
    }

    /** A placement by what the machine shows wrongly. */
    private static void misreported(ClusterSpec spec, Facts facts, Rule.Report report) {
        String field = RankRules.field(spec.mpi());
        boolean byCache = spec.mpi().ranksPerL3().isPresent() || spec.mpi().binding() == Binding.L3;
        boolean placed = RankRules.placed(spec.mpi());
        facts.size(spec)
                .ifPresent(size -> size.misreport().ifPresent(part -> {
                    if (part == VmSizeFacts.Misreport.L3 && byCache) {
                        report.add(
                                field,
                                size + " shows other level 3 caches than it has",
                                "write mpi.ranksPerNuma, or use Standard_HB120-96rs_v3");
                    } else if (part == VmSizeFacts.Misreport.CORES && placed) {
                        report.add(
                                field,
                                "Microsoft reports a core mapping issue of " + size
                                        + ": ranks may run in other NUMA domains than " + field + " says");
                    }
                }));
    }

    private static void eachSize(ClusterSpec spec, BiConsumer<String, VmSize> action) {
        spec.nodes().size().ifPresent(size -> action.accept("nodes.size", size));
        spec.headNode().flatMap(HeadNode::size).ifPresent(size -> action.accept("headNode.size", size));
    }
}
