package io.clusterwright.mpi.internal.render;

import io.clusterwright.core.internal.text.PosixShell;
import io.clusterwright.core.spec.Binding;
import io.clusterwright.core.spec.MpiFlavour;
import io.clusterwright.core.spec.MpiSettings;
import io.clusterwright.core.spi.RenderInput;
import io.clusterwright.core.type.InvalidValueException;
import io.clusterwright.core.type.Ipv4Address;
import io.clusterwright.core.type.NodeName;
import io.clusterwright.mpi.internal.engine.RankLayout;
import io.clusterwright.mpi.internal.launch.HydraLauncher;
import io.clusterwright.mpi.internal.launch.OpenMpiLauncher;
import io.clusterwright.mpi.job.MpiInstallation;
import io.clusterwright.mpi.spi.JobFolder;
import io.clusterwright.mpi.spi.LaunchNode;
import io.clusterwright.mpi.spi.LaunchRequest;
import io.clusterwright.mpi.spi.LaunchRequest.LaunchOption;
import io.clusterwright.mpi.spi.RanksPerDomain;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The place of the ranks that a spec has under {@code mpi}, in the words of a launcher: as a job on the cluster gets them.
 *
 * @param words the words of the launcher
 * @param wordsPerNode the words in their place where the number of ranks on each node is given
 * @param variables variables of the MPI and of OpenMP
 * @param problem the reason for which the launcher cannot place ranks so; empty where it can
 */
record RenderedPlacement(List<String> words, List<String> wordsPerNode, Map<String, String> variables, String problem) {

    /**
     * The place of the ranks under an MPI.
     *
     * @param slots the ranks of each node
     * @param environment the variables of the preset and of the spec, which win
     */
    static RenderedPlacement of(
            RenderInput input, MpiFlavour flavour, String version, int slots, Map<String, String> environment) {
        Map.Entry<NodeName, Ipv4Address> first =
                input.nodes().entrySet().iterator().next();
        boolean local = input.facts().local();
        LaunchNode node = new LaunchNode(first.getKey(), first.getValue(), slots);
        LaunchRequest request = LaunchRequest.of(
                        new MpiInstallation(flavour, version, "mpirun"),
                        List.of(node),
                        new JobFolder("cwjob-0000000000000000"),
                        List.of("true"))
                .environment(environment)
                .options(local ? Set.of(LaunchOption.SHARED_MACHINE) : Set.of());
        MpiSettings settings = input.spec().mpi();
        RankLayout layout = RankLayout.of(settings, List.of(node), perDomain(input), local);
        RankLayout byNode = RankLayout.of(settings, List.of(node), null, local);
        boolean open = layout.threads() == 0 && layout.perDomain() == null && layout.binding() == Binding.DEFAULT;
        try {
            LaunchRequest placed = layout.applyTo(request);
            Map<String, String> variables = HydraLauncher.pinning(placed);
            List<String> words = words(placed);
            // The hostfile alone places ranks that the spec leaves open.
            return new RenderedPlacement(
                    open && request.mpi().isOpenMpi() ? words.subList(2, words.size()) : words,
                    words(byNode.applyTo(request)),
                    added(layout, variables, environment),
                    "");
        } catch (InvalidValueException e) {
            RankLayout unbound = new RankLayout(List.of(node), Binding.NONE, layout.threads(), null, List.of());
            return new RenderedPlacement(
                    List.of(), List.of(), added(unbound, Map.of(), environment), String.valueOf(e.getMessage()));
        }
    }

    private static List<String> words(LaunchRequest request) {
        return request.mpi().isOpenMpi() ? OpenMpiLauncher.placement(request) : HydraLauncher.placement(request);
    }

    /** The ranks in each domain, whose cores are its share of the size's; null where the spec counts ranks by node. */
    private static @Nullable RanksPerDomain perDomain(RenderInput input) {
        RanksPerDomain ranks = RanksPerDomain.of(input.spec().mpi()).orElse(null);
        if (ranks == null) {
            return null;
        }
        int cores = input.facts()
                .size(input.spec())
                .filter(size -> size.count(ranks.domain()).isPresent())
                .map(size -> size.vcpus() / size.count(ranks.domain()).getAsInt())
                .orElse(0);
        return new RanksPerDomain(ranks.domain(), ranks.ranks(), cores);
    }

    private static Map<String, String> added(
            RankLayout layout, Map<String, String> pinning, Map<String, String> environment) {
        Map<String, String> all = new LinkedHashMap<>(pinning);
        all.putAll(layout.variables(environment));
        all.keySet().removeAll(environment.keySet());
        return all;
    }

    /** The branch of a script in which the number of ranks on each node is not given; empty without words. */
    String otherwise() {
        return words.isEmpty() ? "" : "else\n    cw_arguments+=(" + PosixShell.quote(words) + ")\n";
    }

    /** The words with the number of ranks that the user of the script gives. */
    String quotedPerNode() {
        return wordsPerNode.stream()
                .map(word -> word.startsWith("ppr:")
                        ? '"' + word.replaceFirst("\\d+", "\\$cw_per_node") + '"'
                        : PosixShell.quote(word))
                .collect(Collectors.joining(" "));
    }
}
