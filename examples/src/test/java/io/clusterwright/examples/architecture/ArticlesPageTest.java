package io.clusterwright.examples.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import io.clusterwright.core.spec.SpecReader;
import io.clusterwright.core.type.ClusterwrightException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Each item of the page about the articles has tests on the page of evidence that hold what the item says, or a reason why there is none; each
 * piece of a spec on the page can be read as a part of a spec.
 */
class ArticlesPageTest {
    private static final Path PAGE = Path.of("../docs/articles.md");
    private static final Path EVIDENCE = Path.of("../docs/evidence/articles-tests.md");
    private static final Pattern TEST = Pattern.compile("`([A-Z]\\w+Test)\\.(\\w+)`");
    private static final Pattern ITEM = Pattern.compile("\\* \\*\\*([LW]\\d+)\\. (.+?)\\*\\*: (.+)");
    private static final Pattern EVIDENCE_OF_ITEM = Pattern.compile("\\* ([LW]\\d+): (.+)\\.");

    /** A piece of a spec: a field with its value, from the top of the spec on. */
    private static final Pattern PIECE = Pattern.compile("`([a-zA-Z]+: [^`]+)`");

    /** A field without a value, such as {@code image.customize.scripts}. */
    private static final Pattern FIELD = Pattern.compile("`((?:image|nodes|network|hpcPack)\\.[a-zA-Z.]+)`");

    private static final String LEAST_SPEC = """
            name: demo
            region: westeurope
            nodes: {count: 2, size: Standard_HB120rs_v3}
            """;

    /** A section {@code hpcPack} names its scenario. */
    private static final String LEAST_HPC_PACK = """
            operatingSystem: windows
            hpcPack: {scenario: burst, burst: {cloudService: c1, storageAccount: store1}}
            """;

    /** Words of the article: code, or a quotation. */
    private static final Pattern WORDS = Pattern.compile("`([^`]+)`|\"([^\"]+)\"");

    private static final Pattern CODE = Pattern.compile("CW-[A-Z]+-\\d{3}");

    private static final Pattern REASON = Pattern.compile("(Not needed|Your part): .+");

    /** An item: what the article says, what carries it out, and its tests. */
    private record Row(String step, String by, String tests) {
        List<String> words() {
            return WORDS.matcher(step)
                    .results()
                    .map(word -> word.group(1) == null ? word.group(2) : word.group(1))
                    .toList();
        }
    }

    private static List<Row> rows() throws IOException {
        Map<String, String> tests = new HashMap<>();
        for (String item : items(Sources.read(EVIDENCE), "* ")) {
            Matcher parts = EVIDENCE_OF_ITEM.matcher(item);
            assertThat(parts.matches()).as(item).isTrue();
            assertThat(tests.put(parts.group(1), parts.group(2))).as(item).isNull();
        }
        String page = Sources.read(PAGE);
        List<Row> rows = new ArrayList<>();
        for (String item : items(
                page.substring(page.indexOf("\n## Linux: prepare"), page.indexOf("\n## Done in another way")),
                "* **")) {
            Matcher parts = ITEM.matcher(item);
            assertThat(parts.matches()).as(item).isTrue();
            String of = Objects.requireNonNullElse(tests.remove(parts.group(1)), "");
            rows.add(new Row(parts.group(1) + ". " + parts.group(2), parts.group(3), of));
        }
        assertThat(tests.keySet())
                .as("items of the evidence that the page lacks")
                .isEmpty();
        assertThat(rows.stream().map(row -> row.step().split("\\.", 2)[0]))
                .as("numbers")
                .doesNotHaveDuplicates();
        return rows;
    }

    /** The entries of a list that begin so, each on one line. */
    private static List<String> items(String page, String start) {
        return Arrays.stream(page.split("\n(?=[*#] ?)", -1))
                .filter(item -> item.startsWith(start))
                .map(item -> item.strip().replaceAll("\\s+", " "))
                .toList();
    }

    @Test
    void piecesOfASpecAreReadAsPartsOfASpec() throws IOException {
        YAMLMapper yaml = new YAMLMapper();
        List<String> wrong = new ArrayList<>();
        List<MatchResult> pieces = PIECE.matcher(Sources.read(PAGE)).results().toList();
        for (MatchResult piece : pieces) {
            String text = piece.group(1)
                    .replace("archive: URL", "archive: https://example.com/mpi.tgz")
                    .replace("…", "a1".repeat(32));
            String base = text.startsWith("hpcPack") ? LEAST_SPEC + LEAST_HPC_PACK : LEAST_SPEC;
            JsonNode spec = merged(yaml.readTree(base), yaml.readTree(text));
            try {
                SpecReader.read(yaml.writeValueAsString(spec), "spec");
            } catch (ClusterwrightException e) {
                wrong.add(text + ": " + e.getMessage());
            }
        }
        assertThat(pieces).hasSizeGreaterThan(25);
        assertThat(wrong).as(String.join("\n", wrong)).isEmpty();
    }

    @Test
    void fieldsAreFieldsOfASpec() throws IOException {
        String fields = Sources.read(Path.of("../docs/spec.md"));

        assertThat(FIELD.matcher(Sources.read(PAGE)).results().map(field -> field.group(1)))
                .hasSizeGreaterThan(5)
                .allMatch(field -> fields.contains("`" + field));
    }

    /** A mapping with the fields of both; sections are merged, all else is replaced. */
    private static JsonNode merged(JsonNode base, JsonNode part) {
        ObjectNode both = base.deepCopy();
        part.properties().forEach(field -> {
            JsonNode old = both.get(field.getKey());
            JsonNode value = field.getValue();
            both.set(field.getKey(), old != null && old.isObject() && value.isObject() ? merged(old, value) : value);
        });
        return both;
    }

    @Test
    void testsOfARowHoldTheWordsOfTheArticle() throws IOException {
        TestTexts texts = new TestTexts();
        List<String> wrong = new ArrayList<>();
        List<Row> rows = rows();
        for (Row row : rows) {
            if (row.tests().isEmpty()) {
                if (!REASON.matcher(row.by()).matches()) {
                    wrong.add(row.step() + ": write tests into articles-tests.md, or the reason as Your part: …");
                }
                continue;
            }
            List<MatchResult> tests = TEST.matcher(row.tests()).results().toList();
            if (tests.isEmpty() || row.words().isEmpty()) {
                wrong.add(row.step() + ": write tests, and `words` that they use");
            }
            List<String> all = new ArrayList<>();
            for (MatchResult test : tests) {
                List<String> used = texts.of(test.group(1), test.group(2));
                if (used.isEmpty()) {
                    wrong.add(row.step() + ": there is no test " + test.group());
                } else if (row.words().stream().noneMatch(word -> holds(used, word))) {
                    wrong.add(row.step() + ": " + test.group() + " holds none of " + row.words());
                }
                all.addAll(used);
            }
            Stream.concat(row.words().stream(), CODE.matcher(row.by()).results().map(MatchResult::group))
                    .filter(word -> !holds(all, word))
                    .forEach(word -> wrong.add(row.step() + ": no test holds " + word));
        }
        assertThat(rows).hasSizeGreaterThan(80);
        assertThat(wrong).as(String.join("\n", wrong)).isEmpty();
    }

    /** Whether one of these texts has the word; … stands for any text. */
    private static boolean holds(List<String> texts, String word) {
        Pattern pattern = Pattern.compile(Arrays.stream(word.split("…", -1))
                .map(part -> Pattern.quote(part.strip()))
                .collect(Collectors.joining(".*")));
        return texts.stream().anyMatch(text -> pattern.matcher(text).find());
    }
}
