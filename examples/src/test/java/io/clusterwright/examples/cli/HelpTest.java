package io.clusterwright.examples.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class HelpTest {
    private final Console console = new Console();

    @Test
    void listsEveryCommandInItsGroup() {
        assertThat(console.run("--help")).isZero();

        assertThat(Commands.groups().keySet())
                .startsWith("Check a spec", "Clusters", "Use", "Queue", "Fabric", "Images and sizes", "Elsewhere");
        Commands.groups().forEach((group, names) -> {
            assertThat(console.out()).contains("\n" + group + ":\n");
            names.forEach(name -> assertThat(console.out()).containsPattern("(?m)^  " + name + " +[A-Z]"));
        });
    }

    @Test
    void endsWithThreeExamplesAndFitsATerminal() {
        console.run("--help");

        String examples = console.out().substring(console.out().indexOf("\nExamples:\n"));
        assertThat(examples.lines().filter(line -> line.matches("  (sudo )?clusterwright .*")))
                .hasSize(3)
                .allSatisfy(line -> ClusterwrightMain.program()
                        .parseArgs(ShellWords.of(line.replaceFirst(".*clusterwright ", ""))
                                .toArray(String[]::new)));
        assertThat(console.out().lines()).allMatch(line -> line.length() <= 80);
    }

    @Test
    void helpOfACommandEndsWithItsExample() {
        for (List<String> words : List.of(List.of("mpi", "--help"), List.of("help", "mpi"))) {
            console.clear();
            assertThat(console.run("", words)).isZero();
            assertThat(console.out().stripTrailing()).endsWith("Example:\n  clusterwright mpi demo -n 4 -- ./solver");
        }
    }

    @Test
    void helpKnowsCommandsBelowCommands() {
        assertThat(console.run("help", "image", "build")).isZero();
        assertThat(console.out()).contains("clusterwright image build demo.yaml --on local");
    }

    @Test
    void helpExplainsACode() {
        assertThat(console.run("help", "cw-net-001")).isZero();
        assertThat(console.out()).startsWith("ERROR: ").contains("* Fix: ", "* Example: ", "findings.md#cw-net-001");
        console.clear();
        assertThat(console.run("help", "CW-DIAG-101")).isZero();
        assertThat(console.out()).contains("* Do: ", "failures.md#cw-diag-101");
    }

    @Test
    void helpListsTheCodesOfAFamily() {
        assertThat(console.run("help", "cw-net")).isZero();
        assertThat(console.out())
                .containsPattern("(?m)^CODE +ABOUT\nCW-NET-001  ERROR: .*[.]$")
                .contains("\nCW-NET-006  ");
        console.clear();
        assertThat(console.run("help", "CW-DIAG")).isZero();
        assertThat(console.out()).contains("CW-DIAG-101  ssh does not know the host key of a node, or");
        console.clear();
        assertThat(console.run("help", "CW-NOTHING")).isEqualTo(2);
        assertThat(console.errors()).contains("no code begins with CW-NOTHING; the families are in ");
    }

    @Test
    void helpOfATopicNamesItsPage() {
        assertThat(console.run("help", "slurm")).isZero();
        assertThat(console.out()).containsPattern("More: .*docs[/\\\\]slurm[.]md");
        console.clear();
        assertThat(console.run("help", "topics")).isZero();
        assertThat(console.out()).contains("\nslurm ", "\nspec ", "\nfindings ");
    }

    @Test
    void unknownTopicNamesTheNearest() {
        assertThat(console.run("help", "slrum")).isEqualTo(2);
        assertThat(console.errors()).contains("there is no command or topic slrum; did you mean slurm?");
        console.clear();
        assertThat(console.run("help", "CW-NET-999")).isEqualTo(2);
        assertThat(console.errors()).contains("no finding has the code CW-NET-999; did you mean CW-NET-00");
        console.clear();
        assertThat(console.run("help", "CW-NET-01")).isEqualTo(2);
        assertThat(console.errors()).contains("no finding has the code CW-NET-01; did you mean CW-NET-0");
        console.clear();
        assertThat(console.run("help", "CW-(")).isEqualTo(2);
        assertThat(console.errors()).contains("no finding has the code CW-(");
    }
}
