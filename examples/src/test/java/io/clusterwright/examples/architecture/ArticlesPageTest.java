package io.clusterwright.examples.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The page about the articles has no step without a test, and names tests that exist. */
class ArticlesPageTest {
    private static final Path PAGE = Path.of("../docs/articles.md");
    private static final Pattern TEST = Pattern.compile("`([A-Z]\\w+Test)\\.(\\w+)`");
    private static final Pattern ROW = Pattern.compile("(?m)^\\| (?!Step of|Article \\||Set up |---).* \\|$");

    @Test
    void everyStepHasATest() throws IOException {
        assertThat(ROW.matcher(Sources.read(PAGE)).results().map(MatchResult::group))
                .hasSizeGreaterThan(45)
                .allSatisfy(
                        row -> assertThat(row.substring(row.lastIndexOf(" | "))).containsPattern(TEST));
    }

    @Test
    void namesTestsThatExist() throws IOException {
        List<Path> files = Sources.tests();
        List<String> missing = new ArrayList<>();
        for (MatchResult test : TEST.matcher(Sources.read(PAGE)).results().toList()) {
            boolean there = false;
            for (Path file : files) {
                there |= Sources.typeName(file).equals(test.group(1))
                        && Sources.read(file).contains("void " + test.group(2) + "(");
            }
            if (!there) {
                missing.add(test.group());
            }
        }
        assertThat(missing).isEmpty();
    }
}
