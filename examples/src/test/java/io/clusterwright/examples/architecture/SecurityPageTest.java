package io.clusterwright.examples.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The page about attacks names tests that exist. */
class SecurityPageTest {
    private static final Path PAGE = Path.of("../docs/evidence/security-tests.md");
    private static final Path RELIABILITY = Path.of("../docs/reliability.md");
    private static final Pattern TEST = Pattern.compile("`([A-Z]\\w+Test)\\.(\\w+)`");
    private static final Pattern ROW = Pattern.compile("(?m)^\\| to .* \\|$");

    @Test
    void namesTestsThatExist() throws IOException {
        List<Path> files = Sources.tests();
        List<MatchResult> named = TEST.matcher(Sources.read(PAGE) + Sources.read(RELIABILITY))
                .results()
                .toList();
        assertThat(named).hasSizeGreaterThan(50);
        for (MatchResult test : named) {
            List<Path> classes = files.stream()
                    .filter(file -> Sources.typeName(file).equals(test.group(1)))
                    .toList();
            assertThat(classes).as(test.group()).hasSize(1);
            assertThat(Sources.read(classes.get(0))).as(test.group()).contains("void " + test.group(2) + "(");
        }
    }

    @Test
    void everyAttackHasItsTest() throws IOException {
        assertThat(ROW.matcher(Sources.read(PAGE)).results().map(MatchResult::group))
                .hasSizeGreaterThan(30)
                .allSatisfy(row ->
                        assertThat(row).matches(text -> TEST.matcher(text).find() || text.endsWith("| see above |")));
    }
}
