package io.clusterwright.core.internal.rules;

import static io.clusterwright.core.spi.Rule.Where.EVERYWHERE;

import io.clusterwright.core.spec.Binding;
import io.clusterwright.core.spec.ClusterSpec;
import io.clusterwright.core.spec.MpiFlavour;
import io.clusterwright.core.spec.MpiSettings;
import io.clusterwright.core.spec.OperatingSystem;
import io.clusterwright.core.spec.Scheduler;
import io.clusterwright.core.spi.Facts;
import io.clusterwright.core.spi.Rule;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Rules on the place of ranks in a node. */
final class RankRules {
    private static final String PATH = "mpi.binding";
    private static final Set<Binding> PARTS = EnumSet.of(Binding.SOCKET, Binding.NUMA, Binding.L3);

    private RankRules() {}

    static List<Rule> rules() {
        return List.of(
                Rule.error(
                        "CW-RANK-001",
                        EVERYWHERE,
                        "the ranks of a node are counted in two ways",
                        "keep one of mpi.ranksPerNode, mpi.ranksPerSocket, mpi.ranksPerNuma and mpi.ranksPerL3",
                        RankRules::countedTwice),
                Rule.error(
                        "CW-RANK-002",
                        EVERYWHERE,
                        "ranks are bound to another part of a node than the part by which they are counted",
                        "remove mpi.binding, or write mpi.binding: core",
                        RankRules::boundElsewhere),
                Rule.error(
                        "CW-RANK-003",
                        EVERYWHERE,
                        "the launcher of the jobs cannot place or bind ranks in this way",
                        "write mpi.ranksPerNode, and remove mpi.binding",
                        RankRules::beyondTheLauncher));
    }

    /** The fields by which ranks are counted, by the part of a node; {@link Binding#DEFAULT} is the node. */
    private static Map<Binding, String> counts(MpiSettings mpi) {
        Map<Binding, String> fields = new LinkedHashMap<>();
        mpi.ranksPerNode().ifPresent(number -> fields.put(Binding.DEFAULT, "mpi.ranksPerNode"));
        mpi.ranksPerSocket().ifPresent(number -> fields.put(Binding.SOCKET, "mpi.ranksPerSocket"));
        mpi.ranksPerNuma().ifPresent(number -> fields.put(Binding.NUMA, "mpi.ranksPerNuma"));
        mpi.ranksPerL3().ifPresent(number -> fields.put(Binding.L3, "mpi.ranksPerL3"));
        return fields;
    }

    private static Map<Binding, String> countsByPart(MpiSettings mpi) {
        Map<Binding, String> fields = counts(mpi);
        fields.remove(Binding.DEFAULT);
        return fields;
    }

    /** The field that says how many ranks a node has, or how they are bound. */
    static String field(MpiSettings mpi) {
        String other = mpi.threadsPerRank().isPresent() ? "mpi.threadsPerRank" : PATH;
        return counts(mpi).values().stream().findFirst().orElse(other);
    }

    /** Whether ranks are counted by a part of a node, or bound to one. */
    static boolean placed(MpiSettings mpi) {
        return !countsByPart(mpi).isEmpty() || PARTS.contains(mpi.binding());
    }

    private static void countedTwice(ClusterSpec spec, Facts facts, Rule.Report report) {
        List<String> fields = List.copyOf(counts(spec.mpi()).values());
        if (fields.size() > 1) {
            report.add(fields.get(1), String.join(" and ", fields) + " both count the ranks of a node");
        }
    }

    private static void boundElsewhere(ClusterSpec spec, Facts facts, Rule.Report report) {
        Binding binding = spec.mpi().binding();
        Map<Binding, String> counts = countsByPart(spec.mpi());
        if (PARTS.contains(binding) && !counts.isEmpty() && !counts.containsKey(binding)) {
            report.add(
                    PATH,
                    "ranks are counted by " + String.join(", ", counts.values()) + " and bound to " + binding
                            + ": a launcher can do only one");
        }
    }

    private static void beyondTheLauncher(ClusterSpec spec, Facts facts, Rule.Report report) {
        MpiSettings mpi = spec.mpi();
        if (spec.operatingSystem() == OperatingSystem.WINDOWS) {
            refuse(mpi, "mpiexec of MS-MPI", PARTS, report);
        } else if (spec.scheduler() == Scheduler.SLURM) {
            boolean byCache =
                    mpi.ranksPerL3().isPresent() && mpi.threadsPerRank().isEmpty() && mpi.binding() == Binding.DEFAULT;
            if (byCache || mpi.binding() == Binding.L3) {
                report.add(
                        byCache ? "mpi.ranksPerL3" : PATH,
                        "srun cannot bind ranks to a level 3 cache",
                        "write mpi.binding: core");
            }
        } else if (spec.image()
                .customize()
                .mpi()
                .filter(installed -> installed.flavour() == MpiFlavour.MVAPICH2)
                .filter(installed -> installed.version().orElse("2").startsWith("2"))
                .isPresent()) {
            refuse(mpi, "MVAPICH2", EnumSet.of(Binding.L3), report);
        }
    }

    private static void refuse(MpiSettings mpi, String launcher, Set<Binding> bindings, Rule.Report report) {
        countsByPart(mpi)
                .values()
                .forEach(field -> report.add(field, launcher + " places ranks by node, not by " + field));
        if (bindings.contains(mpi.binding())) {
            report.add(PATH, launcher + " cannot bind ranks to " + mpi.binding());
        }
    }
}
