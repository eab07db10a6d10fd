package io.clusterwright.mpi.internal.render;

import io.clusterwright.core.catalog.SizeDefaults;
import io.clusterwright.core.catalog.VmSizeFacts;
import io.clusterwright.core.spec.ClusterSpec;
import io.clusterwright.core.spec.InvalidSpecException;
import io.clusterwright.core.spec.MpiFlavour;
import io.clusterwright.core.spec.MpiInstall;
import io.clusterwright.core.spec.SpecProblem;
import io.clusterwright.core.spi.RenderInput;
import io.clusterwright.core.type.Interconnect;
import io.clusterwright.core.type.InvalidValueException;
import io.clusterwright.mpi.preset.MpiPreset;
import io.clusterwright.mpi.preset.MpiPresets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The preset a spec means, its {@code auto} resolved, and what the spec adds.
 *
 * @param preset for the network of the nodes
 * @param installed the MPI whose launcher runs the job
 * @param version the version of the MPI; the preset's assumed one where the spec does not say
 * @param network the network of the nodes
 * @param more variables on top of the preset's
 * @param placement the place of the ranks
 */
record JobEnvironment(
        MpiPreset preset,
        MpiFlavour installed,
        String version,
        Interconnect network,
        Map<String, String> more,
        RenderedPlacement placement) {

    /**
     * The environment of the jobs of a cluster.
     *
     * @param slots the ranks of each node
     */
    static JobEnvironment of(RenderInput input, int slots) {
        ClusterSpec spec = input.spec();
        Interconnect network = input.facts().local()
                ? Interconnect.NONE
                : spec.nodes()
                        .size()
                        .flatMap(input.facts().sizes()::find)
                        .map(VmSizeFacts::interconnect)
                        .orElse(Interconnect.NONE);
        MpiInstall mpi = spec.image()
                .customize()
                .mpi()
                .orElse(SizeDefaults.of(network, spec.operatingSystem()).mpi());
        MpiPreset preset = preset(spec.mpi().preset(), mpi, network);
        if (preset.flavour() == MpiFlavour.MS_MPI) {
            throw refused(
                    preset + " does not run on linux", "write preset: auto, or a preset of another MPI than ms-mpi");
        }
        boolean fits = preset.isFor(mpi.flavour());
        String version = mpi.version().filter(given -> fits).orElse(preset.assumedVersion());
        Map<String, String> more = new LinkedHashMap<>();
        if (preset.name().equals("open-mpi/tcp")) {
            // Another network of the nodes, such as the network of containers, leads nowhere.
            String subnet = spec.network().subnet().range().toString();
            more.put("OMPI_MCA_btl_tcp_if_include", subnet);
            boolean orte = version.matches("[234]\\b.*");
            more.put(orte ? "OMPI_MCA_oob_tcp_if_include" : "PRTE_MCA_prte_if_include", subnet);
        }
        more.putAll(spec.mpi().env());
        MpiFlavour installed = fits ? mpi.flavour() : preset.flavour();
        RenderedPlacement placement =
                RenderedPlacement.of(input, installed, version, slots, variables(preset, version, network, more));
        more.putAll(placement.variables());
        return new JobEnvironment(preset, installed, version, network, more, placement);
    }

    /** The variables of the preset, and those on top of them. */
    Map<String, String> variables() {
        return variables(preset, version, network, more);
    }

    private static Map<String, String> variables(
            MpiPreset preset, String version, Interconnect network, Map<String, String> more) {
        Map<String, String> all = new LinkedHashMap<>(preset.environment(version, network));
        all.putAll(more);
        return all;
    }

    private static MpiPreset preset(String wanted, MpiInstall mpi, Interconnect network) {
        try {
            return wanted.equals(MpiPresets.AUTO)
                    ? MpiPresets.choose(network, mpi.flavour(), mpi.version().orElse(""))
                            .preset()
                    : MpiPresets.named(wanted);
        } catch (InvalidValueException e) {
            throw refused(String.valueOf(e.getMessage()), "name another preset or MPI");
        }
    }

    private static InvalidSpecException refused(String message, String remedy) {
        return new InvalidSpecException(List.of(SpecProblem.of("mpi.preset", message, remedy)));
    }
}
