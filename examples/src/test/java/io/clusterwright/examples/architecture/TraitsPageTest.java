package io.clusterwright.examples.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The table of the emulator's traits names tests that exist, and has every known failure on Azure. */
class TraitsPageTest {
    private static final Path PAGE = Path.of("../docs/azure-emulator.md");

    /** A test class, with or without a method; or a method of the class that was named before it. */
    private static final Pattern TEST = Pattern.compile("`(?:([A-Z]\\w*Test)(?:\\.(\\w+))?|([a-z]\\w+))`");

    private static final Pattern REASON = Pattern.compile("-: .{10,}");

    private static List<List<String>> rows() throws IOException {
        String page = Sources.read(PAGE);
        int from = page.indexOf("\n## Traits\n");
        assertThat(from).isNotNegative();
        return page.substring(from)
                .lines()
                .filter(line -> line.startsWith("| "))
                .skip(1)
                .map(line -> Stream.of(line.substring(1, line.length() - 1).split(" \\| ", -1))
                        .map(String::strip)
                        .toList())
                .toList();
    }

    @Test
    void eachRowNamesTestsThatExistOrAReason() throws IOException {
        Map<String, String> tests = new HashMap<>();
        for (Path file : Sources.tests()) {
            tests.merge(Sources.typeName(file), Sources.read(file), String::concat);
        }
        for (List<String> row : rows()) {
            assertThat(row).hasSize(4).noneMatch(String::isEmpty);
            for (String cell : row.subList(2, 4)) {
                assertThat(TEST.matcher(cell).find() || REASON.matcher(cell).matches())
                        .as("a test, or \"-: \" and a reason, in \"%s\" of %s", cell, row.get(0))
                        .isTrue();
                requireTests(cell, tests);
            }
        }
    }

    private static void requireTests(String cell, Map<String, String> tests) {
        String source = "";
        for (MatchResult test : TEST.matcher(cell).results().toList()) {
            if (test.group(1) != null) {
                source = tests.getOrDefault(test.group(1), "");
                assertThat(source).as("the class in %s", test.group()).isNotEmpty();
            }
            String method = test.group(1) == null ? test.group(3) : test.group(2);
            if (method != null) {
                assertThat(source)
                        .as(test.group())
                        .containsPattern("\\b(void " + method + "\\(|class " + method + " )");
            }
        }
    }

    @Test
    void hasEveryKnownFailureAndWrongResult() throws IOException {
        String all = String.join(
                "\n", rows().stream().map(row -> String.join(" ", row)).toList());

        assertThat(Stream.concat(
                                IntStream.rangeClosed(1, 12).mapToObj(number -> "F" + number),
                                IntStream.rangeClosed(1, 11).mapToObj(number -> "W" + number))
                        .filter(id -> !Pattern.compile("\\b" + id + "\\b")
                                .matcher(all)
                                .find()))
                .as("not in the table")
                .isEmpty();
    }
}
