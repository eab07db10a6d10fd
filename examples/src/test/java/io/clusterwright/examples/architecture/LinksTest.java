package io.clusterwright.examples.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The links of the pages lead to files that exist and to headings that stand there. */
class LinksTest {
    private static final Pattern LINK =
            Pattern.compile("\\[[^]\\[]*(?:\\[[^]]*][^]\\[]*)*]\\(([^)\\s]+)\\)|(?:src|href)=\"([^\"]+)\"");
    private static final Pattern HEADING = Pattern.compile("(?m)^#{1,6} +(.*?) *#*$");
    private static final Pattern CODE = Pattern.compile("(?ms)^```.*?^```|``[^`]+``|`[^`\n]+`");

    private final Map<Path, Set<String>> anchors = new HashMap<>();

    @Test
    void everyRelativeLinkLeadsToAFileAndAHeading() throws IOException {
        List<String> dead = new ArrayList<>();
        int links = 0;
        for (Path page : Sources.pages()) {
            Matcher link = LINK.matcher(CODE.matcher(Sources.read(page)).replaceAll("`code`"));
            while (link.find()) {
                String target = link.group(1) == null ? link.group(2) : link.group(1);
                if (!target.matches("[a-z]+:.*")) {
                    links++;
                    if (!leads(page, target)) {
                        dead.add(page + ": " + target);
                    }
                }
            }
        }
        assertThat(links).isGreaterThan(100);
        assertThat(dead).as("links that lead nowhere").isEmpty();
    }

    private boolean leads(Path page, String target) throws IOException {
        String[] parts = target.split("#", 2);
        Path folder = page.getParent();
        Path file = parts[0].isEmpty() || folder == null
                ? page
                : folder.resolve(parts[0]).normalize();
        return Files.exists(file)
                && (parts.length == 1
                        || !file.toString().endsWith(".md")
                        || anchors(file).contains(parts[1]));
    }

    /** The anchors of the headings of a page, as GitHub makes them. */
    private Set<String> anchors(Path page) throws IOException {
        Set<String> known = anchors.get(page);
        if (known == null) {
            known = new HashSet<>();
            Matcher heading = HEADING.matcher(Sources.read(page).replaceAll("(?ms)^```.*?^```", ""));
            Map<String, Integer> counts = new HashMap<>();
            while (heading.find()) {
                String anchor = heading.group(1)
                        .replaceAll("\\[([^]]*)]\\([^)]*\\)", "$1")
                        .toLowerCase(Locale.ROOT)
                        .replaceAll("[^\\p{L}\\p{N}_ -]", "")
                        .replace(' ', '-');
                int before = counts.merge(anchor, 1, Integer::sum) - 1;
                known.add(before == 0 ? anchor : anchor + "-" + before);
            }
            anchors.put(page, known);
        }
        return known;
    }
}
