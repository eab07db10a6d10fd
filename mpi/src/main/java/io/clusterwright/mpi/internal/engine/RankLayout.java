package io.clusterwright.mpi.internal.engine;

import io.clusterwright.core.catalog.VmSizeFacts;
import io.clusterwright.core.plan.Finding;
import io.clusterwright.core.spec.Binding;
import io.clusterwright.core.spec.MpiFlavour;
import io.clusterwright.core.spec.MpiSettings;
import io.clusterwright.core.type.InvalidValueException;
import io.clusterwright.core.type.NodeName;
import io.clusterwright.mpi.internal.finding.MpiFinding;
import io.clusterwright.mpi.job.MpiInstallation;
import io.clusterwright.mpi.spi.LaunchNode;
import io.clusterwright.mpi.spi.LaunchRequest;
import io.clusterwright.mpi.spi.LaunchTarget;
import io.clusterwright.mpi.spi.NodeTarget;
import io.clusterwright.mpi.spi.RanksPerDomain;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/**
 * The place of the ranks of a job: their number on each node, the cores of each, and the variables by which OpenMP uses these cores.
 *
 * @param nodes the nodes, with the ranks of each as slots
 * @param threads the threads of each rank; 0 where the job does not say
 * @param perDomain the ranks in each domain; null where ranks are counted by node
 * @param findings findings about the place of the ranks
 */
public record RankLayout(
        List<LaunchNode> nodes,
        Binding binding,
        int threads,
        @Nullable RanksPerDomain perDomain,
        List<Finding> findings) {
    private static final String THREADS = "OMP_NUM_THREADS";

    static RankLayout of(JobDescription asked, LaunchTarget target, MpiInstallation mpi) {
        List<Finding> findings = new ArrayList<>();
        JobDescription job = advised(asked.withDefaults(target.defaults()), target, mpi, findings);
        int threads = job.threadsPerRank == null ? 0 : job.threadsPerRank;
        RanksPerDomain perDomain = job.ranksPerDomain;
        Binding wanted = Objects.requireNonNull(job.binding);
        // Nodes of one machine would bind their ranks to the same cores; a scheduler without sessions has its own
        // words.
        boolean bindable = target instanceof NodeTarget nodes && !nodes.sharesOneMachine();
        Binding binding = bindable ? bound(wanted, threads, perDomain) : wanted;
        if (perDomain == null) {
            if (binding == Binding.L3 && target.size().isPresent() && target instanceof NodeTarget reached) {
                compare(binding, NodeTopology.ask(reached), target, findings);
            }
            return new RankLayout(byNode(asked, target), binding, threads, null, findings);
        }
        Binding domain = perDomain.domain();
        if (binding != domain && binding != Binding.CORE && binding != Binding.NONE && binding != Binding.DEFAULT) {
            throw InvalidValueException.of(
                    "ranks are counted by " + domain + " and bound to " + binding + ": a launcher can do only one",
                    "bind ranks to the same part, or to cores (example: --bind " + domain + ")");
        }
        if (!(target instanceof NodeTarget reached)) {
            throw InvalidValueException.of(
                    "this scheduler does not show the sockets, NUMA domains and caches of its nodes",
                    "set the ranks of each node (example: --ppn 4, or ranksPerNode(4))");
        }
        Map<NodeName, NodeTopology> topologies = NodeTopology.ask(reached);
        int ranks = perDomain.ranks();
        int cores = Integer.MAX_VALUE;
        for (Map.Entry<NodeName, NodeTopology> node : topologies.entrySet()) {
            int inDomain = node.getValue().coresPer(domain, node.getKey());
            if (binding == Binding.CORE && ranks * Math.max(1, threads) > inDomain) {
                throw InvalidValueException.of(
                        "each " + NodeTopology.word(domain) + " of node " + node.getKey() + " has " + inDomain
                                + " cores, and " + ranks + " ranks of " + Math.max(1, threads) + " cores need "
                                + ranks * Math.max(1, threads),
                        "use fewer ranks or fewer threads, or do not bind them (example: --bind none)");
            }
            cores = Math.min(cores, inDomain);
        }
        List<LaunchNode> nodes = target.nodes().stream()
                .map(node -> node.withSlots(ranks
                        * Objects.requireNonNull(topologies.get(node.name())).count(domain, node.name())))
                .toList();
        compare(domain, topologies, target, findings);
        return new RankLayout(nodes, binding, threads, new RanksPerDomain(domain, ranks, cores), findings);
    }

    /**
     * The place of ranks by the defaults of a cluster, on nodes that are not asked.
     *
     * @param perDomain the ranks in each domain; null to count them by node
     */
    public static RankLayout of(
            MpiSettings defaults,
            List<LaunchNode> nodes,
            @Nullable RanksPerDomain perDomain,
            boolean sharesOneMachine) {
        int threads = defaults.threadsPerRank().orElse(0);
        Binding binding = sharesOneMachine ? defaults.binding() : bound(defaults.binding(), threads, perDomain);
        return new RankLayout(nodes, binding, threads, perDomain, List.of());
    }

    /** The binding of ranks that bind themselves where the job does not say: to their own cores, or to their domain. */
    private static Binding bound(Binding wanted, int threads, @Nullable RanksPerDomain perDomain) {
        if (wanted != Binding.DEFAULT) {
            return wanted;
        }
        return threads > 0 ? Binding.CORE : perDomain == null ? wanted : perDomain.domain();
    }

    /** The placement that the catalog has as advice for the size of the nodes, for a job that leaves its place open. */
    private static JobDescription advised(
            JobDescription job, LaunchTarget target, MpiInstallation mpi, List<Finding> findings) {
        VmSizeFacts size = target.size().orElse(null);
        boolean open = job.ranks == null
                && job.ranksPerNode == null
                && job.ranksPerDomain == null
                && job.threadsPerRank == null
                && job.binding == Binding.DEFAULT
                && target.defaults().ranksPerNode().isEmpty()
                && !job.environment.containsKey(THREADS)
                && !target.environment().containsKey(THREADS);
        if (size == null
                || !open
                || !(target instanceof NodeTarget nodes)
                || nodes.sharesOneMachine()
                || nodes.launcher().isPresent()) {
            return job;
        }
        boolean mpich = mpi.flavour() == MpiFlavour.MPICH;
        OptionalInt caches = size.count(Binding.L3);
        if (size.ranksPerL3().isPresent()
                && (mpich || mpi.isOpenMpi())
                && NodeTopology.ask(nodes).values().stream()
                        .allMatch(node -> caches.equals(OptionalInt.of(node.l3Caches())))) {
            int ranks = size.ranksPerL3().getAsInt();
            findings.add(MpiFinding.PLACED_AS_ADVISED.of(
                    ranks + " ranks on each level 3 cache, bound to " + size.binding(), size));
            return job.with(copy -> {
                copy.ranksPerDomain = RanksPerDomain.of(Binding.L3, ranks);
                copy.binding = size.binding();
            });
        }
        // Other launchers bind without being asked.
        if (mpich && size.binding() != Binding.DEFAULT) {
            findings.add(MpiFinding.PLACED_AS_ADVISED.of("ranks are bound to " + size.binding(), size));
            return job.with(copy -> copy.binding = size.binding());
        }
        return job;
    }

    /** Reports nodes that show other parts than machines of their size have. */
    private static void compare(
            Binding part, Map<NodeName, NodeTopology> shown, LaunchTarget target, List<Finding> findings) {
        VmSizeFacts size = target.size().orElse(null);
        if (size == null || size.count(part).isEmpty()) {
            return;
        }
        int published = size.count(part).getAsInt();
        shown.entrySet().stream()
                .filter(node -> node.getValue().number(part) != published)
                .findFirst()
                .ifPresent(node -> findings.add(MpiFinding.OTHER_TOPOLOGY.of(
                        node.getKey(), node.getValue().number(part), NodeTopology.word(part), size, published)));
    }

    /**
     * Gives every node the slots it needs: the number asked for per node, or at least enough for all ranks. Slots that the defaults of the
     * target count as ranks have the threads of these defaults.
     */
    public static List<LaunchNode> byNode(JobDescription job, LaunchTarget target) {
        List<LaunchNode> nodes = target.nodes();
        Integer perNode = job.ranksPerNode;
        int usual = target.defaults().threadsPerRank().orElse(1);
        int threads = job.threadsPerRank == null ? usual : job.threadsPerRank;
        int cores = target.defaults().ranksPerNode().isPresent() ? usual : 1;
        List<LaunchNode> roomy = nodes.stream()
                .map(node -> node.withSlots(Math.max(1, node.slots() * cores / threads)))
                .toList();
        Integer world = job.world();
        int ranks = world == null ? 1 : world;
        int needed = (ranks + nodes.size() - 1) / nodes.size();
        boolean enough = roomy.stream().mapToInt(LaunchNode::slots).sum() >= ranks;
        return roomy.stream()
                .map(node -> perNode != null
                        ? node.withSlots(perNode)
                        : enough ? node : node.withSlots(Math.max(needed, node.slots())))
                .toList();
    }

    /** Adds the place of the ranks to a request. */
    public LaunchRequest applyTo(LaunchRequest request) {
        LaunchRequest bound = request.binding(binding).threadsPerRank(threads);
        return perDomain == null ? bound : bound.ranksPerDomain(perDomain);
    }

    /** Variables for OpenMP, beside the variables of the job: threads stay on the cores of their rank where it has cores of its own. */
    public Map<String, String> variables(Map<String, String> own) {
        Map<String, String> all = new LinkedHashMap<>(own);
        if (threads > 0) {
            all.putIfAbsent(THREADS, Integer.toString(threads));
        }
        if (threads > 1 && binding == Binding.CORE) {
            all.putIfAbsent("OMP_PLACES", "cores");
            all.putIfAbsent("OMP_PROC_BIND", "close");
        }
        return all;
    }
}
