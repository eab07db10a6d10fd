package io.clusterwright.examples;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class ReadmeTest {
    private static final String INSTALL = "mvn -B -ntp -Punchecked install";
    private static final String FIRST_TIER = "mvn -B -ntp verify";
    private static final String SECOND_TIER = ".ci/install-test-packages && mvn -B -ntp -Pjourneys verify";

    private static String readme() throws IOException {
        return Files.readString(Path.of("../README.md"));
    }

    @Test
    void showsTheProgramThatIsCompiled() throws IOException {
        String program = Files.readString(Path.of("src/main/java/io/clusterwright/examples/FirstLines.java"));

        assertThat(readme())
                .contains("```java\n" + program.replace("package io.clusterwright.examples;\n\n", "") + "```");
    }

    @Test
    void installsBeforeTheDependencies() throws IOException {
        assertThat(readme()).contains("```\n" + INSTALL + "\n```");
        assertThat(readme().indexOf(INSTALL)).isLessThan(readme().indexOf("clusterwright-bom"));
    }

    @Test
    void namesTheTestCommandThatTheBuildServerRuns() throws IOException {
        assertThat(readme()).contains("```\n" + FIRST_TIER + "\n" + SECOND_TIER + "\n```");
        assertThat(Files.readString(Path.of("../CONTRIBUTING.md"))).contains("```\n" + FIRST_TIER + "\n```");
        assertThat(Files.readString(Path.of("../.ci/run"))).contains("\n" + SECOND_TIER + "\n");
    }
}
