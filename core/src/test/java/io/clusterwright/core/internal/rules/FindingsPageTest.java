package io.clusterwright.core.internal.rules;

import static org.assertj.core.api.Assertions.assertThat;

import io.clusterwright.core.spi.FindingKind;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import org.junit.jupiter.api.Test;

/** Compares {@code docs/findings.md} with the rules; {@code -Dclusterwright.update=true} writes it. */
class FindingsPageTest {
    private static final Path PAGE = Path.of("..", "docs", "findings.md");

    @Test
    void pageListsEveryFindingOfThisModule() throws IOException {
        String page = page();
        if (Boolean.getBoolean("clusterwright.update")) {
            Files.writeString(PAGE, page);
        }
        assertThat(Files.readString(PAGE)).isEqualTo(page);
    }

    private static String page() {
        StringBuilder text = new StringBuilder("""
            # Findings

            To look up a code that `validate` or `plan` printed, search this table. `suppress: [CODE]` in a spec hides the findings of a
            code. An ERROR refuses the spec; with a WARNING the spec is carried out, and the result is likely not the intended one; an INFO
            is worth knowing.

            | Codes | Listed in |
            |---|---|
            | `CW-LOCAL-…` | [local nodes](local-nodes.md) |
            | `CW-AZURE-…` | [Azure](azure-reference.md) |
            | `CW-PRESET-…`, `CW-ENV-…`, `CW-FABRIC-…` (not checked without the module `mpi`) | [presets](presets.md) |
            | `CW-MPI-…`, `CW-BENCH-…`, `CW-MEMLOCK-…` (from runs) | [fabric check](fabric-check.md), [jobs](mpi-jobs.md) |
            | `CW-DIAG-…` (from the output of jobs) | [diagnosis](diagnosis.md) |
            | `CW-IAAS-…`, `CW-BURST-…`, `CW-RM-…`, `CW-HPCPACK-009` and on, `CW-WIN-008` and on | [windows](hpc-pack.md) |
            | `CW-HPCJOB-…` | [jobs of HPC Pack](hpc-pack.md) |

            | Code | Severity | Finding | Remedy |
            |---|---|---|---|
            """);
        RuleBook.standard().kinds().stream()
                .sorted(Comparator.comparing(FindingKind::code))
                .forEach(kind -> text.append("| ")
                        .append(String.join(
                                " | ", kind.code(), kind.severity().name(), cell(kind.subject()), cell(kind.remedy())))
                        .append(" |\n"));
        return text.toString();
    }

    private static String cell(String text) {
        return text.replace("|", "\\|").replace("*", "\\*");
    }
}
