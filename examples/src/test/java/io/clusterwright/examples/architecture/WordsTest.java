package io.clusterwright.examples.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Plain words: main code and documentation avoid the vocabulary that readers had to guess at. */
class WordsTest {
    /** Text blocks, strings and comments. */
    static final Pattern TEXTS =
            Pattern.compile("\"\"\"(?s:.*?)\"\"\"|\"(?:\\\\.|[^\"\\\\\\n])*+\"|/\\*(?s:.*?)\\*/|//[^\\n]*");

    /** The Javadoc of a type, from its first word to the keyword of the declaration. */
    private static final Pattern SUMMARY = Pattern.compile("/\\*\\*\\s*(?:\\*\\s*)?(\\w+)(?:[^*]|\\*(?!/))*+\\*/\\s*"
            + "(?:@[\\w.]+(?:\\([^()]*\\))?\\s*)*"
            + "(?:public |protected |private |static |final |abstract |sealed |non-sealed )*"
            + "(?:class|interface|enum|record|@interface)\\b");

    /** The name of a declared method or type. */
    private static final Pattern DECLARED = Pattern.compile("(?m)^ +(?!return |throw |new |else )(?:[\\w@.]+ )*"
            + "[\\w.]+(?:<[^=;()]*>)?(?:\\[])? (\\w+)\\([^;{}]*\\)\\s*(?:throws [\\w., ]+)?[{;]"
            + "|\\b(?:class|interface|enum|record) (\\w+)");

    /** One word of such a name. */
    private static final Pattern PART = Pattern.compile("[A-Z]?[a-z0-9]+|[A-Z]+");

    /** Programs do not talk: they print, report, send, receive or query. */
    private static final List<String> PERSONIFIED =
            List.of("told", "tell", "tells", "say", "says", "said", "hear", "heard", "nobody", "whoever", "whomever");

    private static final Pattern ASKS = Pattern.compile("What|Who|Whether|Where|When|Which|How|Whose");

    @Test
    void codeUsesPlainWords() throws IOException {
        List<String> found = new ArrayList<>();
        for (Path file : Sources.main()) {
            String text = Sources.read(file);
            Matcher texts = TEXTS.matcher(text);
            while (texts.find()) {
                found.addAll(Advice.find(Advice.REFUSED, file.toString(), text, texts.start(), texts.group()));
            }
        }
        assertThat(found).isEmpty();
    }

    @Test
    void methodsAndTypesHavePlainNames() throws IOException {
        List<String> found = new ArrayList<>();
        for (Path file : Sources.main()) {
            Matcher names = DECLARED.matcher(Sources.read(file));
            while (names.find()) {
                String name = names.group(1) == null ? names.group(2) : names.group(1);
                if (PART.matcher(name)
                        .results()
                        .anyMatch(part -> PERSONIFIED.contains(part.group().toLowerCase(Locale.ROOT)))) {
                    found.add(file + ": " + name);
                }
            }
        }
        assertThat(found).isEmpty();
    }

    @Test
    void pagesUsePlainWords() throws IOException {
        List<String> found = new ArrayList<>();
        for (Path file : Sources.pages()) {
            String text = Sources.read(file);
            found.addAll(Advice.find(Advice.REFUSED, file.toString(), text, 0, text));
        }
        assertThat(found).isEmpty();
    }

    @Test
    void summariesOfTypesAreNounPhrasesOrVerbs() throws IOException {
        List<String> found = new ArrayList<>();
        for (Path file : Sources.main()) {
            String text = Sources.read(file);
            Matcher summary = SUMMARY.matcher(text);
            while (summary.find()) {
                if (ASKS.matcher(summary.group(1)).matches()) {
                    found.add(file + ": " + text.substring(summary.start(), text.indexOf('\n', summary.start())));
                }
            }
        }
        assertThat(found).isEmpty();
    }

    /** Lower the counts to the counts of today: {@code -Dclusterwright.update=true}. */
    @Test
    void hardPlacesBecomeFewer() throws IOException {
        WordCounts today = WordCounts.today();
        if (Boolean.getBoolean("clusterwright.update")) {
            today.lower(WordCounts.BASELINE);
        }
        assertThat(today.more(WordCounts.BASELINE)).isEmpty();
    }

    @Test
    void anUpdateLowersCountsAndKeepsCountsThatRose(@TempDir Path folder) throws IOException {
        Path baseline = folder.resolve("words.txt");
        Files.writeString(baseline, "# words\nwords fell 3\nwords gone 1\nwords rose 1\n");
        WordCounts today = new WordCounts();
        today.add("words fell", List.of("a"));
        today.add("words rose", List.of("b", "c"));
        today.add("words new", List.of("d"));

        today.lower(baseline);

        assertThat(Files.readString(baseline).lines().filter(line -> !line.startsWith("#")))
                .containsExactly("words fell 1", "words rose 1");
        assertThat(today.more(baseline))
                .contains(
                        "words new: 1 places, at most 0 are allowed (words.txt). All places:",
                        "words rose: 2 places, at most 1 are allowed (words.txt). All places:");
    }
}
