package io.clusterwright.examples.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The page about the architecture names the packages and classes that the code has. */
class ArchitecturePageTest {
    private static final Path PAGE = Path.of("../docs/architecture.md");
    private static final String ROOT = "io.clusterwright.";
    private static final Pattern PACKAGE = Pattern.compile("(?m)^package\\s+(io\\.clusterwright[\\w.]+);");
    private static final Pattern EXPORT = Pattern.compile("(?m)^\\s*exports\\s+([\\w.]+)\\s*;");

    /** A line of the list of internal packages: a module, or a package of the module above it. */
    private static final Pattern ROW =
            Pattern.compile("(?m)^(?:Module \\*\\*([\\w/]+)\\*\\*:|\\* `(\\.[\\w.]*)`: .+)$");

    private static final Pattern EXPORTED_ROW = Pattern.compile("`((?:io\\.clusterwright)?\\.[a-z][a-z.]*)`");

    /** A class, or a method of it. */
    private static final Pattern PLACE = Pattern.compile("`(?:[a-z.]+\\.)?([A-Z]\\w+)(?:\\.(\\w+))?`");

    @Test
    void listsEveryInternalPackage() throws IOException {
        SortedSet<String> listed = new TreeSet<>();
        String module = "";
        for (MatchResult row :
                ROW.matcher(part("## Internal packages")).results().toList()) {
            if (row.group(1) != null) {
                module = row.group(1).replace('/', '.');
            } else {
                listed.add(row.group(2).equals(".") ? module : module + row.group(2));
            }
        }

        SortedSet<String> packages = packages();
        packages.removeAll(exported());
        assertThat(listed).containsExactlyElementsOf(packages);
    }

    @Test
    void listsEveryExportedPackage() throws IOException {
        SortedSet<String> listed = new TreeSet<>();
        EXPORTED_ROW
                .matcher(part("## Public packages"))
                .results()
                .map(row -> row.group(1))
                .forEach(name -> listed.add(name.startsWith(".") ? name.substring(1) : name.substring(ROOT.length())));

        assertThat(listed).containsAll(exported());
    }

    @Test
    void namesClassesAndMethodsThatExist() throws IOException {
        for (MatchResult place :
                PLACE.matcher(part("## Where things happen")).results().toList()) {
            List<String> types = sources(place.group(1));
            assertThat(types).as(place.group()).isNotEmpty();
            if (place.group(2) != null) {
                Pattern method = Pattern.compile("\\b" + place.group(2) + "\\(");
                assertThat(types)
                        .as(place.group())
                        .anyMatch(text -> method.matcher(text).find());
            }
        }
    }

    /** The part of the page from its heading to the next heading. */
    private static String part(String heading) throws IOException {
        String page = Sources.read(PAGE);
        int from = page.indexOf(heading + "\n");
        assertThat(from).as(heading).isNotNegative();
        Matcher next = Pattern.compile("(?m)^#").matcher(page);
        return page.substring(from, next.find(from + heading.length()) ? next.start() : page.length());
    }

    private static List<String> sources(String type) throws IOException {
        List<String> texts = new ArrayList<>();
        for (Path file : Sources.main()) {
            if (Sources.typeName(file).equals(type)) {
                texts.add(Sources.read(file));
            }
        }
        return texts;
    }

    private static SortedSet<String> packages() throws IOException {
        SortedSet<String> names = new TreeSet<>();
        for (Path file : Sources.main()) {
            PACKAGE.matcher(Sources.read(file)).results().forEach(name -> names.add(shorten(name.group(1))));
        }
        return names;
    }

    private static SortedSet<String> exported() throws IOException {
        SortedSet<String> names = new TreeSet<>();
        for (Path file : Sources.main()) {
            if (file.endsWith("module-info.java")) {
                EXPORT.matcher(Sources.read(file)).results().forEach(name -> names.add(shorten(name.group(1))));
            }
        }
        return names;
    }

    private static String shorten(String name) {
        return name.substring(ROOT.length());
    }
}
