package io.clusterwright.core.internal.rules;

import static org.assertj.core.api.Assertions.assertThat;

import io.clusterwright.core.spi.FindingKind;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import org.junit.jupiter.api.Test;

/** Holds {@code docs/findings.md} to the rules; {@code -Dclusterwright.update=true} writes it anew. */
class FindingsPageTest {
    private static final Path PAGE = Path.of("..", "docs", "findings.md");

    @Test
    void thePageTellsOfEveryFindingOfThisModule() throws IOException {
        String page = page();
        if (Boolean.getBoolean("clusterwright.update")) {
            Files.writeString(PAGE, page);
        }
        assertThat(Files.readString(PAGE)).isEqualTo(page);
    }

    private static String page() {
        StringBuilder text = new StringBuilder("""
                # Findings

                What `validate` and `plan` can say about a spec. `suppress: [CODE]` hides the findings of a code. An ERROR refuses the
                spec; a WARNING is carried out, and the result is likely not what was wanted; an INFO is worth knowing. Local nodes have
                findings of their own (`CW-LOCAL-…`, see [local nodes](local-nodes.md)), and so have runs of MPI (`CW-MPI-…`,
                `CW-BENCH-…`, `CW-MEMLOCK-…`, and `CW-DIAG-…`, see [diagnosis](diagnosis.md)). What the module `mpi` finds in a spec
                (`CW-PRESET-…`, `CW-ENV-…`, `CW-FABRIC-…`) is told in [presets](presets.md); where that module is absent, it is not checked. Those of
                the module `windows` (`CW-IAAS-…`, `CW-BURST-…`, `CW-RM-…`, `CW-HPCPACK-009` and on, `CW-WIN-008` and on) are in [windows](windows.md).

                | Code | Severity | What | Remedy |
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
