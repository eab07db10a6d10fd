package io.clusterwright.examples.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The BOM lists every module, in the version of the build, and nothing for tests. */
class BomTest {
    private static final Path ROOT = Path.of("..");
    private static final String OURS =
            "<groupId>io.clusterwright</groupId>\\s*<artifactId>(clusterwright-[a-z-]+)</artifactId>";

    @Test
    void listsEveryModuleThatUsersDependOn() throws IOException {
        List<String> modules = find("<module>([^<]+)</module>", "pom.xml").stream()
                .filter(module ->
                        !List.of("core/bom", "examples", "mpi/soft-roce").contains(module))
                .map(module -> artifact(module + "/pom.xml"))
                .toList();

        assertThat(find(OURS + "\\s*<version>\\$\\{project\\.version}</version>", "core/bom/pom.xml"))
                .containsExactlyInAnyOrderElementsOf(modules);
    }

    @Test
    void hasTheVersionOfTheBuild() throws IOException {
        String version = "</artifactId>\\s*<version>([^<]+)</version>\\s*<packaging>pom";
        assertThat(find(version, "core/bom/pom.xml"))
                .isEqualTo(find(version, "pom.xml"))
                .hasSize(1);
        assertThat(Files.readString(ROOT.resolve("README.md")))
                .contains("<version>" + find(version, "pom.xml").get(0) + "</version>");
    }

    @Test
    void bringsNoVersionOfAnythingForTests() throws IOException {
        assertThat(Files.readString(ROOT.resolve("core/bom/pom.xml"))).doesNotContain("org.junit", "assertj");
    }

    private static String artifact(String pom) {
        try {
            return find("</parent>\\s*<artifactId>([^<]+)</artifactId>", pom).get(0);
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    private static List<String> find(String pattern, String file) throws IOException {
        return Pattern.compile(pattern)
                .matcher(Files.readString(ROOT.resolve(file)))
                .results()
                .map((MatchResult result) -> result.group(1))
                .toList();
    }
}
