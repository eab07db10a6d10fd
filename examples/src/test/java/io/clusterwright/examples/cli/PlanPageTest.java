package io.clusterwright.examples.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** Checks the session in {@code docs/plan.md} against the program. */
class PlanPageTest {
    private static final String PROGRAM = "$ clusterwright ";

    @Test
    void programPrintsTheSessionOfThePage() throws IOException {
        String page = Files.readString(Path.of("../docs/plan.md"));
        int begin = page.indexOf("```\n" + PROGRAM) + "```\n".length();
        String session = page.substring(begin, page.indexOf("\n```", begin));
        String[] calls = session.split("(?m)^\\$ clusterwright ");

        assertThat(calls).hasSize(3);
        for (int i = 1; i < calls.length; i++) {
            String[] commandAndAnswer = calls[i].split("\n", 2);
            // The program prints the path of the spec as it was given.
            String answer = commandAndAnswer[1].replace("examples/specs/", "specs/");
            String given =
                    run(commandAndAnswer[0].replace("examples/specs/", "specs/").split(" "));
            assertThat(given).containsSubsequence(answer.strip().split("\n…\n"));
        }
    }

    private static String run(String... arguments) {
        InThisJvm.Ran ran = InThisJvm.run(arguments);
        assertThat(ran.status()).isEqualTo(2);
        return ran.stdout();
    }
}
