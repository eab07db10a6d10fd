package io.clusterwright.mpi;

import static org.assertj.core.api.Assertions.assertThat;

import io.clusterwright.core.type.Interconnect;
import io.clusterwright.mpi.internal.data.DataFile;
import io.clusterwright.mpi.internal.data.DataFile.DataRow;
import io.clusterwright.mpi.internal.explain.KnownFailures;
import io.clusterwright.mpi.internal.explain.KnownFailures.KnownFailure;
import io.clusterwright.mpi.preset.MpiPreset;
import io.clusterwright.mpi.preset.MpiPresets;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Compares {@code docs/presets.md} and {@code docs/failures.md} with the data; {@code -Dclusterwright.update=true} writes them. */
class PagesTest {
    private static final Path DOCS = Path.of("..", "docs");
    private static final int WIDTH = 100;
    private static final int WIDE = 120;
    private static final String PREFIX = "CW-DIAG-";
    /** The parts of the page, by the first digit of their codes. */
    private static final Map<String, String> GROUPS = new TreeMap<>(Map.of(
            "1", "Reaching the nodes",
            "2", "Software on the nodes",
            "3", "Locked memory",
            "4", "Fabric and transport",
            "5", "While the job runs",
            "6", "Slurm",
            "7", "MS-MPI and HPC Pack"));

    @Test
    void presetsPageListsEveryPreset() throws IOException {
        StringBuilder page = new StringBuilder(
                """
                # MPI presets

                To see the variables that an MPI needs on the network of a size, and the preset that `auto` selects:

                ```
                $ clusterwright presets --size Standard_HB120rs_v3 --mpi open-mpi
                ```

                A preset has the variables and launcher options that one MPI needs over one kind of network, by version, each with
                its reason and its source. `mpi.preset` in a spec names one, the option `--preset` of `clusterwright mpi` another.
                The default, `auto`, selects one by size and MPI. Variables of the spec and of the job override a preset.

                On nodes without an RDMA network, such as local nodes, `auto` sets nothing. An RDMA preset of the spec is replaced
                by the TCP preset, with an INFO finding. An RDMA preset of `--preset` is refused. For existing hosts,
                [`--interconnect`](mpi-jobs.md#existing-hosts) names their network.

                `clusterwright presets NAME` lists the MPIs of a cluster, each with the variables that its own scripts and modules
                set. Jobs get these variables before the variables of a preset: see
                [the environment of an MPI](mpi-jobs.md#environment).

                In code: `MpiInstallation.on(session)`, `MpiPresets.named("open-mpi/ucx")`,
                `MpiPresets.choose(size, image, mpi)`, `MpiJob.preset(…)`.

                Findings about presets, variables and MPIs: [CW-PRESET](findings.md#cw-preset), [CW-ENV](findings.md#cw-env) and
                [CW-FABRIC](findings.md#cw-fabric).

                ## Find a preset

                Take the row of your MPI and of the network of your size. `clusterwright sizes` prints the network of each size.
                `auto` takes the first row of the MPI that names this network and has the version. Without such a row, it takes the
                `/tcp` preset.

                | Preset | Versions | Networks |
                |---|---|---|
                %s
                ## How to read the entries

                An entry has the variable or the launcher option, the versions of the MPI in brackets, the reason and the source.
                Without brackets an entry is for all versions and networks of its preset. `>=3 <5` is from 3 on, and before 5.

                *Set up by* is the way in which a job finds the MPI. The job sources the first script that exists, or else loads the
                first module. If no launcher is on the path then, the first folder with a launcher is put on the path.

                The short names of sources:

                * **AZ1**: Azure, "Set up a Linux RDMA cluster" (2015)
                * **AZ2**: Azure, "Set up MPI" (2019, 2021)
                * **HPC**: Azure/azurehpc, `apps/imb-mpi`
                * **HPCPACK**: Azure, "HPC Pack RDMA cluster"
                * **IN2**: Intel MPI release notes 2021.19
                * **IN3**: Intel, "Improve performance and stability with Intel MPI on InfiniBand"
                * **MSMPI**: the source of Microsoft MPI

                """.formatted(MpiPresets.all().stream().map(PagesTest::row).collect(Collectors.joining())));
        MpiPresets.all().forEach(preset -> section(page, preset));
        page.setLength(page.length() - 1);
        check("presets.md", page);
    }

    private static String row(MpiPreset preset) {
        String networks = preset.interconnects().size() == Interconnect.values().length
                ? "all"
                : networks(preset.interconnects());
        return "| [%s](#%s) | %s | %s |\n".formatted(preset, anchor(preset.toString()), preset.versions(), networks);
    }

    private static void section(StringBuilder page, MpiPreset preset) {
        page.append("## ").append(preset).append("\n\n");
        wrap(
                page,
                "",
                preset.title() + ". Versions: " + preset.versions() + ". Networks: " + networks(preset.interconnects())
                        + ". Source: " + preset.source());
        page.append('\n');
        preset.variables()
                .forEach(variable -> part(
                        page,
                        "`" + String.join("=", variable.words()) + "`",
                        variable.versions().toString(),
                        variable.interconnects().equals(preset.interconnects())
                                ? ""
                                : networks(variable.interconnects()),
                        variable.reason(),
                        variable.source()));
        preset.arguments()
                .forEach(argument -> part(
                        page,
                        "Option of the launcher `" + String.join(" ", argument.words()) + "`",
                        argument.versions().toString(),
                        "",
                        argument.reason(),
                        argument.source()));
        setUps(preset)
                .forEach(setUp -> part(
                        page,
                        "Set up by",
                        setUp.text("versions"),
                        "",
                        Stream.of(
                                        setUp.texts("scripts").stream().map(script -> "`. " + script + "`"),
                                        setUp.texts("modules").stream().map(module -> "`module load " + module + "`"),
                                        setUp.texts("folders").stream().map(folder -> "the folder `" + folder + "`"))
                                .flatMap(each -> each)
                                .collect(Collectors.joining(" or ")),
                        setUp.text("source")));
        preset.notes().forEach(note -> wrap(page, "* ", "Note: " + note));
        page.append('\n');
    }

    /** An entry: what is set, for which versions and networks, why, and the source. */
    private static void part(
            StringBuilder page, String set, String versions, String networks, String reason, String source) {
        String where = Stream.of(versions.equals("any") ? "" : versions, networks)
                .filter(each -> !each.isEmpty())
                .collect(Collectors.joining("; ", " (", ")"));
        wrap(page, "* ", set + (where.equals(" ()") ? "" : where) + ": " + reason + ". Source: " + source);
    }

    /** Wraps a text between words, but not inside of code. */
    private static void wrap(StringBuilder page, String mark, String text) {
        StringBuilder line = new StringBuilder(mark);
        String gap = "";
        for (String word : text.split(" (?=(?:[^`]*`[^`]*`)*[^`]*$)", -1)) {
            if (!gap.isEmpty() && line.length() + 1 + word.length() > WIDE) {
                page.append(line).append('\n');
                line = new StringBuilder(" ".repeat(mark.length()));
                gap = "";
            }
            line.append(gap).append(word);
            gap = " ";
        }
        page.append(line).append('\n');
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
    void failuresPageListsEveryKnownFailure() throws IOException {
        StringBuilder page = new StringBuilder("""
                # Failures

                To explain the failures in the output of a job:

                ```
                $ clusterwright diagnose job-output.txt
                ```

                Each part of this page has the line to look for, what the line means, and what to do. `{name}` stands for one word,
                such as a host, `{...}` for any text, `{shell}` for the start of a shell's message in any language, such as
                `bash: line 1:`, `^` for the start of a line, `$` for its end. The findings of every job explain the same lines.
                Unknown failures are not guessed: when `diagnose` prints nothing, read the first error line of the output yourself.
                `diagnose` explains outputs of jobs only; [When Azure refuses](azure.md#when-azure-refuses) has the codes of Azure.

                In code: `Diagnosis.of(stream)`, and `JobResult.findings()`.

                | Group | Codes |
                |---|---|
                """);
        GROUPS.forEach((group, title) ->
                page.append("| [%s](#%s) | `CW-DIAG-%s…` |\n".formatted(title, anchor(title), group)));
        String last = "";
        for (KnownFailure failure : KnownFailures.all()) {
            String group = failure.code().substring(PREFIX.length(), PREFIX.length() + 1);
            if (!group.equals(last)) {
                page.append("\n## ").append(GROUPS.get(group)).append('\n');
                last = group;
            }
            page.append("\n### ").append(failure.code()).append("\n\n");
            failure.texts().forEach(text -> entry(page, "Line", code(text)));
            entry(page, "Means", sentence(failure.cause()));
            entry(page, "Do", sentence(failure.remedy()));
        }
        page.append("""

                ## Where the lines come from

                Most lines were captured from real runs; the others are quoted from the sources of the programs.
                [failures.yaml](../mpi/src/main/resources/io/clusterwright/mpi/internal/explain/failures.yaml) names the source of each.
                """);
        check("failures.md", page);
    }

    private static String code(String text) {
        return text.contains("`") ? "`` " + text + " ``" : "`" + text + "`";
    }

    private static void entry(StringBuilder page, String title, String text) {
        StringBuilder line = new StringBuilder("* **").append(title).append("**:");
        for (String word : text.split(" ", -1)) {
            if (line.length() + 1 + word.length() > WIDTH) {
                page.append(line).append('\n');
                line = new StringBuilder(" ");
            }
            line.append(' ').append(word);
        }
        page.append(line).append('\n');
    }

    private static String sentence(String text) {
        String begun = text.matches(
                        "(\\{|[a-z]+[A-Z_]|(ssh|chmod|munged|srun|sinfo|slurmd|slurmctld|slurmdbd|sbatch|smpd|pyxis|perftest|openib|mpiexec|hpcfwutil)\\b).*")
                ? text
                : Character.toUpperCase(text.charAt(0)) + text.substring(1);
        return (begun.endsWith(".") || begun.endsWith("?") ? begun : begun + ".")
                .replace("*", "\\*")
                .replaceAll("<(?=[A-Za-z/!])", "\\\\<");
    }

    private static String anchor(String title) {
        return title.toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9 -]", "").replace(' ', '-');
    }

    private static void check(String name, StringBuilder page) throws IOException {
        Path file = DOCS.resolve(name);
        if (Boolean.getBoolean("clusterwright.update")) {
            Files.writeString(file, page);
        }
        assertThat(file).hasContent(page.toString());
    }
}
