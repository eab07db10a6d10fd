package io.clusterwright.examples.architecture;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Places that are hard to read, by their kind and by the page or the module. Their numbers in {@code words.txt} may only fall;
 * {@code -Dclusterwright.update=true} lowers them to the numbers of today.
 */
final class WordCounts {
    static final Path BASELINE = Path.of("src", "test", "resources", "words.txt");
    private static final int TABLE = 80;
    private static final int PROSE = 120;
    /** Pages of reviewers and of history, which have no help for users. */
    private static final Pattern EVIDENCE = Pattern.compile("docs/(?:evidence|upstream|decisions)/.*|CHANGELOG\\.md");
    /** Pages that tests generate as tables to look things up. */
    private static final Pattern REFERENCE = Pattern.compile("docs/(?:presets|spec|findings|failures|cli)\\.md");

    private final SortedMap<String, List<String>> found = new TreeMap<>();

    /** Counts all pages and all main code. */
    static WordCounts today() throws IOException {
        WordCounts counts = new WordCounts();
        for (Path file : Sources.pages()) {
            String name = name(file);
            if (!EVIDENCE.matcher(name).matches() && !name.contains("/src/")) {
                counts.page(name, Sources.read(file));
            }
        }
        for (Path file : Sources.main()) {
            String name = name(file);
            String text = Sources.read(file);
            Matcher texts = WordsTest.TEXTS.matcher(text);
            while (texts.find()) {
                counts.add(
                        "words " + name.replaceFirst("/src/main/.*", ""),
                        Advice.find(Advice.COUNTED, name, text, texts.start(), texts.group()));
            }
        }
        return counts;
    }

    private void page(String name, String text) {
        add("words " + name, Advice.find(Advice.COUNTED, name, text, 0, text));
        boolean code = false;
        int number = 0;
        for (String line : text.lines().toList()) {
            number++;
            if (line.strip().startsWith("```")) {
                code = !code;
            }
            boolean table = line.startsWith("|");
            String place = name + ":" + number + ": " + line.length() + " columns: write ";
            if (table && line.length() > TABLE && !REFERENCE.matcher(name).matches()) {
                add(
                        "tables " + name,
                        List.of(place + "a phrase in a cell, or headings with short lines in place of a table"));
            } else if (!table && !code && line.length() > PROSE && line.strip().contains(" ")) {
                add("lines " + name, List.of(place + "at most " + PROSE + " columns in a line"));
            }
        }
    }

    void add(String kind, List<String> places) {
        if (!places.isEmpty()) {
            found.computeIfAbsent(kind, key -> new ArrayList<>()).addAll(places);
        }
    }

    /** The places of each kind that has more of them than the numbers of the file. */
    List<String> more(Path baseline) throws IOException {
        Map<String, Integer> allowed = read(baseline);
        List<String> all = new ArrayList<>();
        found.forEach((kind, places) -> {
            int most = allowed.getOrDefault(kind, 0);
            if (places.size() > most) {
                all.add(kind + ": " + places.size() + " places, at most " + most
                        + " are allowed (words.txt). All places:");
                all.addAll(places);
            }
        });
        return all;
    }

    /** Writes the numbers of today where they are lower; a number that rose stays, so that {@link #more} names its places. */
    void lower(Path baseline) throws IOException {
        Map<String, Integer> allowed = read(baseline);
        StringBuilder text =
                new StringBuilder("# Places that are hard to read, counted by WordsTest; the numbers may only fall.\n"
                        + "# After you mended some: mvn test -pl examples -am -Dtest=WordsTest -Dsurefire.failIfNoSpecifiedTests=false"
                        + " -Dclusterwright.update=true\n");
        found.forEach((kind, places) -> {
            int most = Math.min(places.size(), allowed.getOrDefault(kind, 0));
            if (most > 0) {
                text.append(kind).append(' ').append(most).append('\n');
            }
        });
        Files.writeString(baseline, text);
    }

    private static Map<String, Integer> read(Path baseline) throws IOException {
        Map<String, Integer> allowed = new HashMap<>();
        for (String line : Files.readAllLines(baseline)) {
            int end = line.lastIndexOf(' ');
            if (end > 0 && !line.startsWith("#")) {
                allowed.put(line.substring(0, end), Integer.parseInt(line.substring(end + 1)));
            }
        }
        return allowed;
    }

    private static String name(Path file) {
        return file.toString().replace('\\', '/').replaceFirst("^(\\.\\./)+", "");
    }
}
