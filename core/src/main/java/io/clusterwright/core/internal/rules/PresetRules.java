package io.clusterwright.core.internal.rules;

import static io.clusterwright.core.spi.Rule.Where.CLOUD;
import static io.clusterwright.core.spi.Rule.Where.EVERYWHERE;

import io.clusterwright.core.internal.spec.Messages;
import io.clusterwright.core.spec.ClusterSpec;
import io.clusterwright.core.spec.MpiFlavour;
import io.clusterwright.core.spec.MpiInstall;
import io.clusterwright.core.spi.Facts;
import io.clusterwright.core.spi.Rule;
import java.util.List;
import java.util.Set;

/** The preset, against the network, the system and the MPI it meets. */
final class PresetRules {
    private static final String PATH = "mpi.preset";
    private static final Set<MpiFlavour> OPEN = Set.of(MpiFlavour.OPEN_MPI, MpiFlavour.HPC_X);

    private PresetRules() {}

    static List<Rule> rules() {
        return List.of(
                Rule.error(
                        "CW-PRESET-001",
                        EVERYWHERE,
                        "the preset is not known",
                        "use auto or one of " + String.join(", ", Presets.ALL.keySet()),
                        PresetRules::unknown),
                Rule.error(
                        "CW-PRESET-002",
                        CLOUD,
                        "the network of the nodes cannot carry the preset",
                        "use preset auto, or a size whose network fits",
                        PresetRules::notCarried),
                Rule.warning(
                        "CW-PRESET-003",
                        CLOUD,
                        "the preset leaves the RDMA network unused that is paid for",
                        "use preset auto, or a size without RDMA",
                        PresetRules::fabricUnused),
                Rule.warning(
                        "CW-PRESET-004",
                        EVERYWHERE,
                        "the preset is for another MPI than the one that is installed",
                        "make mpi.preset and image.customize.mpi.flavour agree, or use preset auto",
                        PresetRules::otherMpi));
    }

    private static void unknown(ClusterSpec spec, Facts facts, Rule.Report report) {
        String preset = spec.mpi().preset();
        if (!preset.equals(Presets.AUTO) && Presets.find(preset).isEmpty()) {
            String remedy = Messages.nearest(preset, Presets.ALL.keySet())
                    .map(near -> "did you mean " + near + "?")
                    .orElse("");
            report.say(PATH, "there is no preset " + Messages.shorten(preset), remedy);
        }
    }

    private static void notCarried(ClusterSpec spec, Facts facts, Rule.Report report) {
        Presets.find(spec.mpi().preset())
                .ifPresent(preset -> Looks.size(spec, facts)
                        .filter(size -> !preset.carriers().contains(size.interconnect()))
                        .ifPresent(size -> report.say(
                                PATH,
                                spec.mpi().preset() + " cannot run over the network of " + size.size() + ", which is "
                                        + size.interconnect())));
    }

    private static void fabricUnused(ClusterSpec spec, Facts facts, Rule.Report report) {
        String preset = spec.mpi().preset();
        if (Looks.rdma(spec, facts)
                && (preset.endsWith("/tcp") || preset.equals("mpich/ofi") && Looks.networkDirect(spec, facts))) {
            report.say(PATH, preset + " runs over Ethernet, and " + spec.nodes().size() + " has RDMA");
        }
    }

    private static void otherMpi(ClusterSpec spec, Facts facts, Rule.Report report) {
        spec.image()
                .customize()
                .mpi()
                .map(MpiInstall::flavour)
                .ifPresent(installed -> Presets.find(spec.mpi().preset())
                        .map(Presets.Preset::flavour)
                        .filter(flavour ->
                                flavour != installed && !(OPEN.contains(flavour) && OPEN.contains(installed)))
                        .ifPresent(flavour -> report.say(
                                PATH,
                                spec.mpi().preset() + " is for " + flavour + ", and " + installed + " is installed")));
    }
}
