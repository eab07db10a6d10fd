package io.clusterwright.examples.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Each item of the page about the articles names tests that hold what the item says, or a reason why there is none. */
class ArticlesPageTest {
    private static final Path PAGE = Path.of("../docs/articles.md");
    private static final Pattern TEST = Pattern.compile("`([A-Z]\\w+Test)\\.(\\w+)`");
    private static final Pattern ITEM = Pattern.compile("\\* \\*\\*(.+?)\\*\\*: (.+?)(?: Tests: (.+)\\.)?");

    /** Words of the article: code, or a quotation. */
    private static final Pattern WORDS = Pattern.compile("`([^`]+)`|\"([^\"]+)\"");

    private static final Pattern CODE = Pattern.compile("CW-[A-Z]+-\\d{3}");

    private static final Pattern REASON = Pattern.compile("(Not done|Not needed|Your part): .+");

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
        String page = Sources.read(PAGE);
        List<Row> rows = new ArrayList<>();
        for (String item :
                page.substring(0, page.indexOf("\n## Done in another way")).split("\n(?=[*#] ?)")) {
            if (item.startsWith("* **")) {
                Matcher parts = ITEM.matcher(item.strip().replaceAll("\\s+", " "));
                assertThat(parts.matches()).as(item).isTrue();
                rows.add(new Row(parts.group(1), parts.group(2), Objects.requireNonNullElse(parts.group(3), "")));
            }
        }
        return rows;
    }

    @Test
    void testsOfARowHoldTheWordsOfTheArticle() throws IOException {
        TestTexts texts = new TestTexts();
        List<String> wrong = new ArrayList<>();
        List<Row> rows = rows();
        for (Row row : rows) {
            if (row.tests().isEmpty()) {
                if (!REASON.matcher(row.by()).matches()) {
                    wrong.add(row.step() + ": write Tests: …, or the reason as Not done: …");
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
