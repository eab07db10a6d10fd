package io.clusterwright.mpi.internal.engine;

import io.clusterwright.core.plan.Finding;
import io.clusterwright.core.type.Interconnect;
import io.clusterwright.core.type.InvalidValueException;
import io.clusterwright.mpi.internal.finding.MpiFinding;
import io.clusterwright.mpi.internal.rules.MpiVariables;
import io.clusterwright.mpi.job.MpiInstallation;
import io.clusterwright.mpi.preset.MpiPreset;
import io.clusterwright.mpi.preset.MpiPresets;
import io.clusterwright.mpi.spi.LaunchTarget;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The effect of a job's preset on its nodes.
 *
 * @param environment the variables of every rank: the preset's, the target's over them, the job's over all
 * @param arguments further options for the launcher
 * @param findings findings about them
 * @param onInfiniBand whether the preset takes the InfiniBand network of the nodes
 */
record PresetUse(
        Map<String, String> environment, List<String> arguments, List<Finding> findings, boolean onInfiniBand) {

    static PresetUse of(JobDescription job, LaunchTarget target, MpiInstallation mpi) {
        List<Finding> findings = new ArrayList<>();
        Map<String, String> own = new LinkedHashMap<>(target.environment());
        own.putAll(job.environment);
        MpiPreset preset = preset(job, target, mpi, findings).orElse(null);
        if (preset == null) {
            if (!own.isEmpty()) {
                findings.addAll(MpiVariables.check(mpi.flavour(), mpi.version(), own));
            }
            return new PresetUse(own, List.of(), findings, false);
        }
        if (!preset.versions().contains(mpi.version())) {
            findings.add(MpiFinding.OTHER_VERSION.of(preset, preset.versions(), mpi));
        }
        findings.addAll(MpiVariables.check(preset, mpi.version(), own));
        Map<String, String> all = new LinkedHashMap<>(preset.environment(mpi.version(), target.interconnect()));
        all.putAll(own);
        boolean infiniBand = target.interconnect() == Interconnect.SRIOV_INFINIBAND
                && !preset.interconnects().contains(Interconnect.NONE);
        return new PresetUse(all, preset.launcherArguments(mpi.version()), findings, infiniBand);
    }

    private static Optional<MpiPreset> preset(
            JobDescription job, LaunchTarget target, MpiInstallation mpi, List<Finding> findings) {
        MpiPreset wanted = job.preset;
        Interconnect network = target.interconnect();
        if (wanted != null) {
            requireCarried(wanted, network, mpi);
            return Optional.of(wanted);
        }
        if (target.preset().equals(MpiPresets.AUTO)) {
            return network.isRdma() ? chosen(network, mpi) : Optional.empty();
        }
        MpiPreset named = MpiPresets.named(target.preset());
        if (named.interconnects().contains(network) && named.isFor(mpi.flavour())) {
            return Optional.of(named);
        }
        Optional<MpiPreset> other = chosen(network, mpi);
        findings.add(MpiFinding.PRESET_REPLACED.at(
                "mpi.preset", named, other.map(MpiPreset::name).orElse("none"), mpi, network));
        return other;
    }

    private static Optional<MpiPreset> chosen(Interconnect network, MpiInstallation mpi) {
        try {
            return Optional.of(
                    MpiPresets.choose(network, mpi.flavour(), mpi.version()).preset());
        } catch (InvalidValueException e) {
            return Optional.empty();
        }
    }

    private static void requireCarried(MpiPreset preset, Interconnect network, MpiInstallation mpi) {
        if (!preset.interconnects().contains(network)) {
            List<String> fitting = MpiPresets.all().stream()
                    .filter(other ->
                            other.isFor(mpi.flavour()) && other.interconnects().contains(network))
                    .map(MpiPreset::name)
                    .toList();
            throw InvalidValueException.of(
                    "preset " + preset.name() + " does not run on these nodes: their fast network is " + network,
                    fitting.isEmpty()
                            ? "leave the preset out: none fits " + mpi
                            : "use " + String.join(" or ", fitting));
        }
    }
}
