package io.clusterwright.mpi.internal.rules;

import static io.clusterwright.core.spi.Rule.Where.CLOUD;
import static io.clusterwright.core.spi.Rule.Where.EVERYWHERE;

import io.clusterwright.core.internal.text.NearestName;
import io.clusterwright.core.spec.ClusterSpec;
import io.clusterwright.core.spec.MpiInstall;
import io.clusterwright.core.spi.Facts;
import io.clusterwright.core.spi.Rule;
import io.clusterwright.core.type.Interconnect;
import io.clusterwright.mpi.preset.MpiPresets;
import java.util.List;

/** The preset, against the network and the MPI it meets. */
final class PresetRules {
    private static final String PATH = "mpi.preset";

    private PresetRules() {}

    static List<Rule> rules() {
        return List.of(
                Rule.error(
                        "CW-PRESET-001",
                        EVERYWHERE,
                        "the preset is not known",
                        "use auto, or a preset from: clusterwright presets (MpiPresets.names())",
                        PresetRules::unknown),
                Rule.error(
                        "CW-PRESET-002",
                        CLOUD,
                        "the preset does not run over the network of the nodes",
                        "write mpi: {preset: auto}, or choose another nodes.size",
                        PresetRules::notCarried),
                Rule.warning(
                        "CW-PRESET-003",
                        CLOUD,
                        "the preset uses Ethernet, and the nodes have a paid RDMA network",
                        "write mpi: {preset: auto}, or choose a size without RDMA",
                        PresetRules::fabricUnused),
                Rule.warning(
                        "CW-PRESET-004",
                        EVERYWHERE,
                        "the preset is for another MPI than the installed MPI",
                        "write mpi: {preset: auto}, or a preset of image.customize.mpi.flavour",
                        PresetRules::otherMpi),
                Rule.warning(
                        "CW-PRESET-005",
                        EVERYWHERE,
                        "the preset is for other versions of the MPI than the installed version",
                        "write mpi: {preset: auto}, or a preset for image.customize.mpi.version",
                        PresetRules::otherVersion));
    }

    private static void unknown(ClusterSpec spec, Facts facts, Rule.Report report) {
        String name = spec.mpi().preset();
        if (!name.equals(MpiPresets.AUTO) && MpiPresets.find(name).isEmpty()) {
            String remedy = NearestName.question(name, MpiPresets.names())
                    .orElseGet(() -> "use auto or one of " + String.join(", ", MpiPresets.names()));
            report.add(PATH, "there is no preset " + name, remedy);
        }
    }

    private static void notCarried(ClusterSpec spec, Facts facts, Rule.Report report) {
        MpiPresets.find(spec.mpi().preset())
                .ifPresent(preset -> facts.size(spec)
                        .filter(size -> !preset.interconnects().contains(size.interconnect()))
                        .ifPresent(size -> report.add(
                                PATH,
                                preset + " cannot run over the network of " + size.size() + ", which is "
                                        + size.interconnect())));
    }

    private static void fabricUnused(ClusterSpec spec, Facts facts, Rule.Report report) {
        String preset = spec.mpi().preset();
        boolean networkDirect = facts.has(spec, Interconnect.NETWORK_DIRECT);
        if ((networkDirect || facts.has(spec, Interconnect.SRIOV_INFINIBAND))
                && (preset.endsWith("/tcp") || preset.equals("mpich/ofi") && networkDirect)) {
            report.add(PATH, preset + " runs over Ethernet, and " + spec.nodes().requireSize() + " has RDMA");
        }
    }

    private static void otherMpi(ClusterSpec spec, Facts facts, Rule.Report report) {
        spec.image()
                .customize()
                .mpi()
                .map(MpiInstall::flavour)
                .ifPresent(installed -> MpiPresets.find(spec.mpi().preset())
                        .filter(preset -> !preset.isFor(installed))
                        .ifPresent(preset -> report.add(
                                PATH,
                                preset + " is for " + preset.flavour() + ", and " + installed + " is installed")));
    }

    private static void otherVersion(ClusterSpec spec, Facts facts, Rule.Report report) {
        spec.image()
                .customize()
                .mpi()
                .ifPresent(mpi -> mpi.version()
                        .ifPresent(version -> MpiPresets.find(spec.mpi().preset())
                                .filter(preset -> preset.flavour() == mpi.flavour()
                                        && !preset.versions().contains(version))
                                .ifPresent(preset -> report.add(
                                        PATH,
                                        preset + " is for " + mpi.flavour() + " " + preset.versions() + ", and "
                                                + version + " is installed"))));
    }
}
