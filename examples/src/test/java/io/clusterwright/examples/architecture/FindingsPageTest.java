package io.clusterwright.examples.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.clusterwright.core.internal.rules.RuleBook;
import io.clusterwright.core.spi.FindingKind;
import io.clusterwright.examples.GeneratedPage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Compares {@code docs/findings.md} with the kinds of findings of all modules; {@code -Dclusterwright.update=true} writes it. The kinds that
 * read the output of jobs, {@code CW-DIAG-…}, are on {@code docs/failures.md}.
 */
class FindingsPageTest {
    private static final Path PAGE = Path.of("..", "docs", "findings.md");
    private static final Path FAILURES = Path.of("..", "docs", "failures.md");
    private static final String DIAGNOSIS = "CW-DIAG-";
    private static final Pattern HEADING = Pattern.compile("(?m)^### (CW-[A-Z]+-[0-9]{3})$");
    private static final Pattern COMMAND = Pattern.compile("(?<![\\w-])(?:az|clusterwright) [a-z][^(;,)]*[^\\s(;,.)]");

    private static final String HEAD = """
            # Findings

            A finding has a code, such as `CW-NET-001`. To look a code up, run `clusterwright help CW-NET-001`, or take its
            [family](#families).

            * **ERROR**: the spec is refused, or the work failed.
            * **WARNING**: the work is done, but the result is likely not the intended one.
            * **INFO**: worth knowing.

            To hide a finding of a spec, add its code to the list `suppress`:

            ```yaml
            suppress: [CW-COST-001]
            ```

            `CW-DIAG-…`: findings in the output of a job, on [the page of failures](failures.md).

            """;

    private final FindingExamples examples = new FindingExamples();

    @Test
    void pageIsAsGenerated() throws IOException {
        GeneratedPage.check(PAGE, page());
    }

    @Test
    void everyCodeHasOneHeadingAndEveryHeadingIsACode() throws IOException {
        List<String> headings = new ArrayList<>();
        for (Path page : List.of(PAGE, FAILURES)) {
            HEADING.matcher(Files.readString(page)).results().forEach(heading -> headings.add(heading.group(1)));
        }

        assertThat(headings)
                .doesNotHaveDuplicates()
                .hasSizeGreaterThan(250)
                .containsExactlyInAnyOrderElementsOf(RuleBook.installed().kinds().stream()
                        .map(FindingKind::code)
                        .toList());
    }

    @Test
    void everyCodeInTheSourcesHasAHeading() throws IOException {
        assertThat(HEADING.matcher(Files.readString(PAGE) + Files.readString(FAILURES))
                        .results()
                        .map(heading -> heading.group(1)))
                .containsAll(FindingCodesTest.codes());
    }

    @Test
    void everyFamilyIsExplained() {
        assertThat(families().keySet()).isEqualTo(new TreeSet<>(FindingExamples.names("families")));
        assertThat(FindingExamples.names("codes"))
                .isSubsetOf(kinds().map(FindingKind::code).toList());
    }

    private static Stream<FindingKind> kinds() {
        return RuleBook.installed().kinds().stream().filter(kind -> !kind.code().startsWith(DIAGNOSIS));
    }

    private static Map<String, List<FindingKind>> families() {
        Map<String, List<FindingKind>> families = new TreeMap<>();
        kinds().sorted(Comparator.comparing(FindingKind::code))
                .forEach(kind -> families.computeIfAbsent(family(kind), name -> new ArrayList<>())
                        .add(kind));
        return families;
    }

    private static String family(FindingKind kind) {
        return kind.code().split("-", -1)[1];
    }

    private String page() {
        StringBuilder page = new StringBuilder(HEAD);
        Map<String, List<FindingKind>> families = families();
        Map<String, String> texts = new LinkedHashMap<>();
        FindingExamples.names("families")
                .forEach(name ->
                        texts.put(name, FindingExamples.of("families", name).asText()));
        page.append("## Families\n\n");
        texts.forEach((name, text) -> GeneratedPage.paragraph(
                page,
                "* ",
                "[CW-" + name + "](#cw-" + name.toLowerCase(Locale.ROOT) + "): "
                        + text.split("(?<=[.:]) ")[0].replaceFirst("[.:]$", "")));
        page.append('\n');
        texts.forEach((name, text) -> {
            page.append("## CW-").append(name).append("\n\n");
            GeneratedPage.paragraph(page, "", text);
            page.append('\n');
            families.getOrDefault(name, List.of()).forEach(kind -> add(page, kind));
        });
        return page.toString().stripTrailing() + "\n";
    }

    private void add(StringBuilder page, FindingKind kind) {
        JsonNode more = FindingExamples.of("codes", kind.code());
        String fact = sentence(more.path("means").asText(kind.subject()));
        assertThat(fact)
                .as("codes: {%s: {means: …}} of findings.yaml", kind.code())
                .doesNotContain("%");
        String why = more.path("why").asText();
        page.append("### ").append(kind.code()).append("\n\n");
        GeneratedPage.paragraph(
                page,
                "",
                "**" + kind.severity() + "**: " + GeneratedPage.escaped(fact + (why.isEmpty() ? "" : " " + why)));
        page.append('\n');
        GeneratedPage.paragraph(page, "* ", "**Fix**: " + commands(sentence(kind.remedy())));
        GeneratedPage.paragraph(page, "* ", "**Example**: " + code(examples.of(kind)));
        page.append('\n');
    }

    private static String sentence(String text) {
        boolean field = text.matches("(?s)(?!run: )[a-z]+(?:[A-Z.]|: ).*");
        String begun = field ? text : Character.toUpperCase(text.charAt(0)) + text.substring(1);
        return begun.matches("(?s).*[.?!]") ? begun : begun + ".";
    }

    private static String code(String text) {
        return text.contains("`") ? "`` " + text + " ``" : "`" + text + "`";
    }

    private static String commands(String text) {
        return COMMAND.matcher(GeneratedPage.escaped(text))
                .replaceAll(command -> Matcher.quoteReplacement("`" + command.group() + "`"));
    }
}
