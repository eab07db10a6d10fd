package io.clusterwright.examples.cli;

import io.clusterwright.core.Cluster;
import io.clusterwright.core.ClusterManager;
import io.clusterwright.core.catalog.VmSizeFacts;
import io.clusterwright.core.catalog.VmSizes;
import io.clusterwright.core.internal.json.JsonFields;
import io.clusterwright.core.internal.text.NearestName;
import io.clusterwright.core.spec.MpiFlavour;
import io.clusterwright.core.spec.MpiInstall;
import io.clusterwright.core.type.ClusterName;
import io.clusterwright.core.type.ImageReference;
import io.clusterwright.core.type.VmSize;
import io.clusterwright.mpi.job.MpiInstallation;
import io.clusterwright.mpi.preset.MpiPreset;
import io.clusterwright.mpi.preset.MpiPreset.Setting;
import io.clusterwright.mpi.preset.MpiPresets;
import io.clusterwright.mpi.preset.MpiPresets.PresetChoice;
import java.util.Arrays;
import java.util.List;
import java.util.TreeSet;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
        name = "presets",
        description = "Lists the MPI presets, or the presets for a size and an MPI; or the MPIs of a cluster with the"
                + " variables of their setup scripts.")
final class PresetsCommand extends ProgramCommand {
    @Option(names = "--size", paramLabel = "S", description = "Only presets that run over the network of this size.")
    private @Nullable String size;

    @Option(
            names = "--mpi",
            paramLabel = "M",
            description =
                    "Only presets of this MPI, such as intel-mpi or intel-mpi:2018.4; with --size, marks the preset"
                            + " that auto selects.")
    private @Nullable String mpi;

    @Parameters(
            arity = "0..1",
            paramLabel = "NAME",
            description = "A cluster: lists the MPIs of its first node, and the variables of each.")
    private @Nullable String cluster;

    @Mixin
    private AzureOptions azure = new AzureOptions();

    @Override
    public Integer call() {
        if (cluster != null) {
            return installations(ClusterName.of(cluster));
        }
        VmSizeFacts facts = size == null ? null : facts(size);
        MpiInstall install = mpi == null ? null : install(mpi);
        PresetChoice choice =
                facts == null || install == null ? null : MpiPresets.choose(facts, ImageReference.of("auto"), install);
        List<MpiPreset> presets = MpiPresets.all().stream()
                .filter(preset -> facts == null || preset.interconnects().contains(facts.interconnect()))
                .filter(preset -> install == null || preset.isFor(install.flavour()))
                .filter(preset -> install == null
                        || install.version().isEmpty()
                        || preset.versions().contains(install.version().get()))
                .toList();
        String version = install == null ? "" : install.version().orElse("");
        return print(presets, preset -> json(preset, version, facts, choice), preset -> print(preset, choice));
    }

    private int installations(ClusterName name) {
        try (ClusterManager manager = managerOf(name, azure);
                Cluster open = manager.open(name)) {
            return print(
                    MpiInstallation.on(open.session(open.nodes().get(0).name(), open.mpiUser())),
                    mpi -> JsonFields.of("mpi", mpi.flavour())
                            .and("version", mpi.version())
                            .and("mpirun", mpi.mpirun())
                            .and("library", mpi.library())
                            .and("environment", mpi.environment()),
                    this::print);
        }
    }

    private void print(MpiInstallation mpi) {
        out.printf("%-26s %s%n", mpi, mpi.mpirun());
        mpi.environment().forEach((variable, value) -> out.println("    " + variable + "=" + value));
    }

    private void print(MpiPreset preset, @Nullable PresetChoice choice) {
        out.printf("%-26s %s, versions %s%n", preset.name(), preset.title(), preset.versions());
        preset.variables()
                .forEach(variable -> out.printf(
                        "    %s (versions %s): %s%n",
                        String.join("=", variable.words()), variable.versions(), variable.reason()));
        if (choice != null && choice.preset().equals(preset)) {
            out.println("  auto selects this preset: " + choice.reason());
            choice.cautions().forEach(caution -> out.println("    but " + caution));
        }
    }

    private static VmSizeFacts facts(String name) {
        return VmSizes.standard()
                .find(VmSize.of(name))
                .orElseThrow(() -> new RefusedException("the size " + name + " is not in the catalog"
                        + VmSizes.standard()
                                .nearest(name)
                                .map(near -> "; did you mean " + near + "?")
                                .orElse("; clusterwright sizes lists the sizes")));
    }

    private static MpiInstall install(String text) {
        String[] parts = text.split(":", 2);
        List<String> names =
                Arrays.stream(MpiFlavour.values()).map(MpiFlavour::toString).toList();
        MpiFlavour flavour = Arrays.stream(MpiFlavour.values())
                .filter(one -> one.toString().equals(parts[0]))
                .findFirst()
                .orElseThrow(() -> new RefusedException("invalid MPI \"" + parts[0] + "\": use one of "
                        + String.join(", ", names) + " (add a version after a colon)"
                        + NearestName.of(parts[0], names)
                                .map(near -> "; did you mean " + near + "?")
                                .orElse("")));
        MpiInstall.Builder install = MpiInstall.builder().flavour(flavour);
        return (parts.length == 1 ? install : install.version(parts[1])).build();
    }

    /** A preset: all its variables, or those for one version and size where they are given. */
    private static JsonFields json(
            MpiPreset preset, String version, @Nullable VmSizeFacts size, @Nullable PresetChoice choice) {
        Predicate<Setting> fits =
                setting -> version.isEmpty() || setting.versions().contains(version);
        JsonFields json = JsonFields.of("name", preset.name())
                .and("mpi", preset.flavour())
                .and("title", preset.title())
                .and("interconnects", new TreeSet<>(preset.interconnects()))
                .and("versions", preset.versions().toString())
                .and(
                        "variables",
                        preset.variables().stream()
                                .filter(fits)
                                .filter(variable ->
                                        size == null || variable.interconnects().contains(size.interconnect()))
                                .map(variable -> JsonFields.of(
                                                "name", variable.words().get(0))
                                        .and("value", variable.words().get(1))
                                        .and("versions", variable.versions().toString())
                                        .and("interconnects", new TreeSet<>(variable.interconnects()))
                                        .and("reason", variable.reason())
                                        .and("source", variable.source()))
                                .toList())
                .and(
                        "arguments",
                        preset.arguments().stream()
                                .filter(fits)
                                .map(argument -> JsonFields.of("words", argument.words())
                                        .and("versions", argument.versions().toString())
                                        .and("reason", argument.reason())
                                        .and("source", argument.source()))
                                .toList())
                .andIf(!preset.notes().isEmpty(), "notes", preset.notes())
                .and("source", preset.source());
        if (choice == null) {
            return json;
        }
        boolean chosen = choice.preset().equals(preset);
        return json.and("chosen", chosen)
                .andIf(chosen, "reason", choice.reason())
                .andIf(chosen, "cautions", choice.cautions());
    }
}
