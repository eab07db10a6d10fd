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

    /** Braces or brackets, with others in them. */
    private static final String NESTED = nested(5);

    /** Text that a reader types, or finds in a file as it stands; text that is marked already is kept. */
    private static final Pattern TYPED = Pattern.compile(String.join(
            "|",
            "`[^`]*`",
            "(?<=\\b(?:[Rr]un|or|then|in): )[a-z][^(;,]*[^(;,.\\s]",
            "(?<![\\w-])(?:az|clusterwright) [a-z][^(;,)]*?[^\\s(;,.)](?=[(;,.)]|$| still| to | -> | \\()",
            "(?:\\b[a-z][A-Za-z]*(?:\\.[a-z][A-Za-z]*)*: ?)?" + NESTED,
            "<(\\w+)>[^<]*</\\w+>",
            "\\b(?:capture|existing|external|hostKeys|install|limit|operatingSystem|placement\\.kind|scenario|scheduler|timeToLive|topology|trust|version): "
                    + "(?!the |a )[\\w-]+",
            "\\b(?:mpipingpong -p [A-Z:]+ -op -s nul|squeue --name=TOKEN|ulimit -l|ibv_devinfo|ibstat|sshd_config|UsePAM yes)\\b",
            "\\.\\\\[\\w-]+\\.ps1(?: -\\w+ [\\w,]+)*",
            "clusters/NAME/[\\w./]*\\w|/etc/[\\w./]*\\w|[CD]:\\\\[\\w.\\\\]+\\w",
            "\\b[A-Z][A-Z0-9]*(?:_[A-Za-z0-9]+)+(?:=[\\w.]*\\w)?|\\bStandard_\\w+|\\b\\w+=\\w+",
            "(?<![\\w-])--?[a-z][\\w-]+(?: (?:[A-Z]{2,}\\b|ssh\\b|open-mpi\\b))?",
            "(?<![\\w./-])[a-z][a-zA-Z]+(?:\\.[a-z][a-zA-Z]+)+(?![\\w(])",
            "(?<![\\w.])[a-z]+[A-Z][A-Za-z]*(?:\\(\\))?",
            "\\b[A-Z][A-Za-z]+\\.[a-z][A-Za-z]+(?:\\(\\))?(?:\\.[a-z]\\w+(?:\\(\\))?)*",
            "\"\\*\""));

    private static final String HEAD = """
            # Findings

            A finding has a code, such as `CW-NET-001`. To look a code up, run `clusterwright help CW-NET-001`, or take its
            [family](#families). `clusterwright help CW-NET` lists a family.

            * **ERROR**: the spec is refused (exit status 2), or the work failed.
            * **WARNING**: the work is done, but the result is likely not the intended one.
            * **INFO**: worth knowing.

            In the terminal, the line that begins with `->` is the fix for your spec. It can be more exact than the fix on
            this page. Text `like this` is typed, or is a name in your spec. Words in capitals are for your values. Merge a
            section, such as `image: {…}`, with the section that your spec has already.

            To hide a finding of a spec, add its code to the list `suppress`:

            ```yaml
            suppress: [CW-COST-001]
            ```

            **A suppressed ERROR no longer refuses the spec.** With `suppress: [CW-COST-002]`, a cluster above `costCap` is
            created. Suppress an ERROR only if you know that it is wrong for your cluster. Mistakes that stop the reading of a
            spec, such as [CW-READ-002](#cw-read-002), cannot be suppressed.

            `CW-DIAG-…`: findings in the output of a job, on [the page of failures](failures.md).

            The families are in the order of the work: reading a spec, machines and network, money, MPI, providers, jobs,
            Windows.

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
                page, "", "**" + kind.severity() + "**: " + marked(fact + (why.isEmpty() ? "" : " " + why)));
        page.append('\n');
        GeneratedPage.paragraph(page, "* ", "**Fix**: " + marked(sentence(kind.remedy())));
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

    /** Text with marks around what is typed. */
    private static String marked(String text) {
        return GeneratedPage.escaped(TYPED.matcher(text)
                .replaceAll(typed -> Matcher.quoteReplacement(
                        typed.group().startsWith("`") ? typed.group() : "`" + typed.group() + "`")));
    }

    private static String nested(int depth) {
        String inner = depth == 0 ? "" : "|" + nested(depth - 1);
        return "(?:\\{(?:[^{}\\[\\]]" + inner + ")*\\}|\\[(?:[^{}\\[\\]]" + inner + ")*\\])";
    }
}
