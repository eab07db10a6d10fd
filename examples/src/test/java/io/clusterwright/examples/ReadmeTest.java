package io.clusterwright.examples;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class ReadmeTest {
    @Test
    void showsTheProgramThatIsCompiled() throws IOException {
        String program = Files.readString(Path.of("src/main/java/io/clusterwright/examples/FirstLines.java"));
        String shown = program.substring(
                program.indexOf("// README begins\n") + "// README begins\n".length(),
                program.indexOf("        // README ends"));

        assertThat(Files.readString(Path.of("../README.md")))
                .contains("```java\n" + shown.stripTrailing().stripIndent().strip() + "\n```");
    }

    @Test
    void namesTheCommandThatTheBuildServerRuns() throws IOException {
        String command = ".ci/install-test-packages soft-roce && mvn -B -ntp -Psoft-roce verify";
        assertThat(Files.readString(Path.of("../README.md"))).contains("```\n" + command + "\n```");
        assertThat(Files.readString(Path.of("../.ci/run"))).endsWith("\n" + command + "\n");
    }
}
