package io.clusterwright.examples.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The tiers of tests, as CONTRIBUTING.md describes them: the first needs a JDK alone. */
class TiersTest {
    private static final Pattern TAG = Pattern.compile("@Tag\\(\"(\\w+)\"\\)");

    /** What starts a program, a node or a mount. */
    private static final Pattern STARTS = Pattern.compile("ProcessBuilder|@LocalCluster|new Lab\\(|RealSshd\\.start"
            + "|LocalMachines\\.(?:create|builder)\\(|HostCommand\\.of");

    /** They start a JVM, keytool, /bin/sh, or a program that they expect to be absent; or they only plan. */
    private static final Set<String> JDK_ALONE = Set.of(JDKALONE);

    @Test
    void tagsAreThoseOfTheTiers() throws IOException {
        for (Path file : Sources.tests()) {
            assertThat(TAG.matcher(Sources.read(file)).results().map(found -> found.group(1)))
                    .as("%s", file)
                    .isSubsetOf("journey", "breadth");
        }
    }

    @Test
    void theFirstTierNeedsAJdkAlone() throws IOException {
        Map<Path, String> texts = new LinkedHashMap<>();
        for (Path file : Sources.tests()) {
            texts.put(file, Sources.read(file));
        }
        Set<String> starting = new TreeSet<>();
        List<String> fixtures = new ArrayList<>();
        boolean more = true;
        while (more) {
            more = false;
            for (Map.Entry<Path, String> each : texts.entrySet()) {
                String type = Sources.typeName(each.getKey());
                if (!starting.contains(type) && starts(each.getValue(), fixtures)) {
                    starting.add(type);
                    more = !type.endsWith("Test") && fixtures.add(type) || more;
                }
            }
        }

        assertThat(texts.entrySet().stream()
                        .filter(each -> starting.contains(Sources.typeName(each.getKey())))
                        .filter(each -> each.getValue().contains("@Test")
                                || each.getValue().contains("@ParameterizedTest"))
                        .filter(each -> !TAG.matcher(each.getValue()).find())
                        .map(each -> Sources.typeName(each.getKey())))
                .as("tests that start programs, without @Tag(\"breadth\") or @Tag(\"journey\")")
                .containsExactlyInAnyOrderElementsOf(JDK_ALONE);
    }

    private static boolean starts(String text, List<String> fixtures) {
        return STARTS.matcher(text).find()
                || fixtures.stream()
                        .anyMatch(fixture -> text.contains("new " + fixture + "(")
                                || text.contains(" " + fixture + ".")
                                || text.contains("(" + fixture + ".")
                                || text.contains("extends " + fixture + " "));
    }
}
