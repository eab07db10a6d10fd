package io.clusterwright.examples.cli;

import com.fasterxml.jackson.databind.node.ArrayNode;
import io.clusterwright.core.catalog.VmSizeFacts;
import io.clusterwright.core.catalog.VmSizes;
import io.clusterwright.core.internal.text.NearestName;
import io.clusterwright.core.spec.MpiFlavour;
import io.clusterwright.core.spec.MpiInstall;
import io.clusterwright.core.type.ImageReference;
import io.clusterwright.core.type.VmSize;
import io.clusterwright.examples.console.ExitCodes;
import io.clusterwright.examples.console.RefusedException;
import io.clusterwright.mpi.preset.MpiPreset;
import io.clusterwright.mpi.preset.MpiPresets;
import io.clusterwright.mpi.preset.PresetChoice;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(name = "presets", description = "Lists the MPI presets, or those that fit a size and an MPI.")
final class PresetsCommand implements Callable<Integer> {
    @Mixin
    private Common common = new Common();

    @Option(names = "--size", paramLabel = "S", description = "Only those that the network of this size can carry.")
    private @Nullable String size;

    @Option(
            names = "--mpi",
            paramLabel = "M",
            description =
                    "Only those of this MPI, such as intel-mpi or intel-mpi:2018.4; with --size, says which one auto takes.")
    private @Nullable String mpi;

    @Override
    public Integer call() {
        VmSizeFacts facts = size == null ? null : facts(size);
        MpiInstall install = mpi == null ? null : install(mpi);
        PresetChoice choice = facts == null || install == null
                ? null
                : MpiPresets.choose(facts, ImageReference.parse("auto"), install);
        List<MpiPreset> presets = MpiPresets.all().stream()
                .filter(preset -> facts == null || preset.interconnects().contains(facts.interconnect()))
                .filter(preset -> install == null || preset.isFor(install.flavour()))
                .filter(preset -> install == null
                        || install.version().isEmpty()
                        || preset.versions().contains(install.version().get()))
                .toList();
        String version = install == null ? "" : install.version().orElse("");
        if (common.json) {
            ArrayNode array = Common.JSON.createArrayNode();
            presets.forEach(preset -> array.add(PresetJson.of(preset, version, facts, choice)));
            common.print(array);
            return ExitCodes.OK;
        }
        presets.forEach(preset -> print(preset, choice));
        return ExitCodes.OK;
    }

    private void print(MpiPreset preset, @Nullable PresetChoice choice) {
        common.out.printf("%-26s %s, versions %s%n", preset.name(), preset.title(), preset.versions());
        preset.variables()
                .forEach(variable -> common.out.printf(
                        "    %s=%s (versions %s): %s%n",
                        variable.name(), variable.value(), variable.versions(), variable.reason()));
        if (choice != null && choice.preset().equals(preset)) {
            common.out.println("    auto takes this one: " + choice.reason());
            choice.cautions().forEach(caution -> common.out.println("    but " + caution));
        }
    }

    private static VmSizeFacts facts(String name) {
        return VmSizes.standard()
                .find(VmSize.parse(name))
                .orElseThrow(() -> new RefusedException("the size " + name + " is not in the catalog"
                        + VmSizes.standard()
                                .nearest(name)
                                .map(near -> "; did you mean " + near + "?")
                                .orElse("; clusterwright sizes lists what is")));
    }

    private static MpiInstall install(String text) {
        String[] parts = text.split(":", 2);
        List<String> names =
                Arrays.stream(MpiFlavour.values()).map(MpiFlavour::toString).toList();
        MpiFlavour flavour = Arrays.stream(MpiFlavour.values())
                .filter(one -> one.toString().equals(parts[0]))
                .findFirst()
                .orElseThrow(() -> new RefusedException("there is no MPI " + parts[0] + ": allowed is one of "
                        + String.join(", ", names) + ", with a version after a colon where it is known"
                        + NearestName.of(parts[0], names)
                                .map(near -> "; did you mean " + near + "?")
                                .orElse("")));
        MpiInstall.Builder install = MpiInstall.builder().flavour(flavour);
        return (parts.length == 1 ? install : install.version(parts[1])).build();
    }
}
