package io.clusterwright.mpi;

import static org.assertj.core.api.Assertions.assertThat;

import io.clusterwright.core.spi.FindingKind;
import io.clusterwright.core.spi.Rule;
import io.clusterwright.core.type.Interconnect;
import io.clusterwright.mpi.internal.data.DataFile;
import io.clusterwright.mpi.internal.data.DataFile.DataRow;
import io.clusterwright.mpi.internal.explain.KnownFailures;
import io.clusterwright.mpi.internal.explain.KnownFailures.KnownFailure;
import io.clusterwright.mpi.internal.rules.MpiRules;
import io.clusterwright.mpi.preset.MpiPreset;
import io.clusterwright.mpi.preset.MpiPresets;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** Compares {@code docs/presets.md} and {@code docs/diagnosis.md} with the data; {@code -Dclusterwright.update=true} writes them. */
class PagesTest {
    private static final Path DOCS = Path.of("..", "docs");

    @Test
    void presetsPageListsEveryPreset() throws IOException {
        StringBuilder page = new StringBuilder("""
                # MPI presets

                To see the variables that an MPI needs on the network of a size, and the preset that `auto` selects:

                ```
                $ examples/clusterwright presets --size Standard_HB120rs_v3 --mpi open-mpi
                ```

                A preset has the variables and launcher options that one MPI needs over one kind of network, by version, each with its
                reason and its source. `mpi.preset` in a spec names one, `clusterwright mpi --preset` another; the default, `auto`, selects
                one by size and MPI. Variables of the spec and of the job override a preset.

                On nodes without an RDMA network, such as local ones, `auto` sets nothing, and an RDMA preset of the spec gives way to the one
                for TCP, with an INFO finding; an RDMA preset of `--preset` is refused.

                `clusterwright presets NAME` lists the MPIs of a cluster, each with the variables that its own scripts and modules set. Jobs get those
                before a preset's; see [the environment of an MPI](mpi-jobs.md#environment).

                In code: `MpiInstallation.on(session)`, `MpiPresets.named("open-mpi/ucx")`, `MpiPresets.choose(size, image, mpi)`, `MpiJob.preset(…)`.

                Sources: AZ1 Azure "Set up a Linux RDMA cluster" (2015); AZ2 Azure "Set up MPI" (2019, 2021); HPC Azure/azurehpc
                `apps/imb-mpi`; HPCPACK Azure "HPC Pack RDMA cluster"; IN2 Intel MPI release notes 2021.19; IN3 Intel "Improve performance
                and stability with Intel MPI on InfiniBand"; MSMPI the source of Microsoft MPI.

                """);
        MpiPresets.all().forEach(preset -> section(page, preset));
        page.append("""
                ## Findings about presets, variables and MPIs

                | Code | Severity | Finding | Remedy |
                |---|---|---|---|
                """);
        new MpiRules()
                .rules().stream()
                        .map(Rule::kind)
                        .sorted(Comparator.comparing(FindingKind::code))
                        .forEach(kind -> row(page, kind.code(), kind.severity().name(), kind.subject(), kind.remedy()));
        check("presets.md", page);
    }

    private static void section(StringBuilder page, MpiPreset preset) {
        page.append("## ").append(preset).append("\n\n");
        page.append(preset.title())
                .append("; versions ")
                .append(preset.versions())
                .append("; networks: ")
                .append(networks(preset.interconnects()))
                .append(" (")
                .append(preset.source())
                .append(").\n\n");
        page.append("| Set | Versions | Networks | Why | Source |\n|---|---|---|---|---|\n");
        preset.variables()
                .forEach(variable -> row(
                        page,
                        "`" + String.join("=", variable.words()) + "`",
                        variable.versions().toString(),
                        variable.interconnects().equals(preset.interconnects())
                                ? "all"
                                : networks(variable.interconnects()),
                        variable.reason(),
                        variable.source()));
        preset.arguments()
                .forEach(argument -> row(
                        page,
                        "`" + String.join(" ", argument.words()) + "` (launcher)",
                        argument.versions().toString(),
                        "all",
                        argument.reason(),
                        argument.source()));
        setUps(preset)
                .forEach(setUp -> row(
                        page,
                        setUp.texts("scripts").stream()
                                        .map(script -> "`. " + script + "`")
                                        .collect(Collectors.joining(" or "))
                                + (setUp.texts("scripts").isEmpty()
                                                || setUp.texts("modules").isEmpty()
                                        ? ""
                                        : " or ")
                                + setUp.texts("modules").stream()
                                        .map(module -> "`module load " + module + "`")
                                        .collect(Collectors.joining(" or "))
                                + setUp.texts("folders").stream()
                                        .map(folder -> ", `" + folder + "`")
                                        .collect(Collectors.joining()),
                        setUp.text("versions"),
                        "all",
                        "puts the MPI on the search paths (environment script)",
                        setUp.text("source")));
        page.append('\n');
        preset.notes().forEach(note -> page.append("* ").append(note).append('\n'));
        page.append(preset.notes().isEmpty() ? "" : "\n");
    }

    private static List<DataRow> setUps(MpiPreset preset) {
        return DataFile.read(MpiPresets.class, "presets.yaml").stream()
                .filter(row -> row.text("name").equals(preset.name()))
                .findFirst()
                .orElseThrow()
                .rows("setup");
    }

    private static String networks(Collection<Interconnect> interconnects) {
        return interconnects.stream().sorted().map(Interconnect::toString).collect(Collectors.joining(", "));
    }

    @Test
    void diagnosisPageListsEveryKnownFailure() throws IOException {
        StringBuilder page = new StringBuilder("""
                # Diagnosis

                To explain the failures in the output of a job:

                ```
                $ examples/clusterwright diagnose job-output.txt
                ```

                The findings of every job explain the same failures, by their text; unknown failures are not guessed. Texts are found in
                output of any length, wherever a launcher wraps them, once for each node or file in them. `{name}` stands for a
                word that cause and remedy repeat. A text that is only a consequence is reported when no other was found.

                Many were captured: the outputs are in `mpi/src/test/resources/io/clusterwright/mpi/internal/explain/failures`, and the first
                lines of each say how it was made. The others are quoted from the sources named here.

                In code: `Diagnosis.of(stream)`, and the findings of each `JobResult`.

                | Code | Text | Cause | Remedy | Source |
                |---|---|---|---|---|
                """);
        for (KnownFailure failure : KnownFailures.all()) {
            row(
                    page,
                    failure.code(),
                    failure.texts().stream().map(text -> "`" + text + "`").collect(Collectors.joining(" or ")),
                    failure.cause(),
                    failure.remedy(),
                    failure.source());
        }
        check("diagnosis.md", page);
    }

    private static void row(StringBuilder page, String... cells) {
        page.append("| ");
        for (int i = 0; i < cells.length; i++) {
            page.append(i == 0 ? "" : " | ").append(cells[i].replace("|", "\\|"));
        }
        page.append(" |\n");
    }

    private static void check(String name, StringBuilder page) throws IOException {
        Path file = DOCS.resolve(name);
        if (Boolean.getBoolean("clusterwright.update")) {
            Files.writeString(file, page);
        }
        assertThat(file).hasContent(page.toString());
    }
}
