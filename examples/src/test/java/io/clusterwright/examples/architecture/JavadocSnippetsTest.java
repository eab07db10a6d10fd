package io.clusterwright.examples.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * The examples in the Javadoc of exported types: every type has one, or links to a type that has one and whose page names the first type; every
 * example is code that is compiled. Package pages link to a type with an example.
 */
class JavadocSnippetsTest {
    private static final Pattern SNIPPET = Pattern.compile("(?s)<pre>\\{@code\\n(.*?)\\n}</pre>");
    private static final Pattern LINK = Pattern.compile("(?:\\{@link(?:plain)?|@see)\\s+(?:[a-z]\\w*\\.)*([A-Z]\\w*)");

    private static final Map<String, Page> types = new TreeMap<>();
    private static final Map<String, Page> packages = new TreeMap<>();

    /** The Javadoc of a type or package, without its margin, and its whole source without imports. */
    private record Page(String javadoc, String source) {
        boolean hasSnippet() {
            return SNIPPET.matcher(javadoc).find();
        }

        Stream<String> snippets() {
            return SNIPPET.matcher(javadoc).results().map(match -> match.group(1));
        }

        Set<String> links() {
            return LINK.matcher(javadoc).results().map(match -> match.group(1)).collect(Collectors.toSet());
        }

        boolean names(String type) {
            return Pattern.compile("\\b" + type + "\\b").matcher(source).find();
        }
    }

    @BeforeAll
    static void read() throws IOException {
        Set<String> exported = ExportedPackagesTest.exported();
        for (Path file : Sources.main()) {
            String text = Sources.read(file);
            String name = Sources.typeName(file);
            boolean ofPackage = name.equals("package-info");
            String declaration = ofPackage
                    ? "(?m)^package "
                    : "(?m)^public (?:[a-z-]+ )*(?:class|interface|enum|record|@interface) " + name + "\\b";
            List<MatchResult> declared =
                    Pattern.compile(declaration).matcher(text).results().toList();
            String packageName = text.replaceFirst("(?sm).*?^package ([\\w.]+);.*", "$1");
            if (exported.contains(packageName) && !declared.isEmpty()) {
                String before = text.substring(0, declared.get(0).start());
                int begin = before.lastIndexOf("/**");
                String javadoc = begin < 0 ? "" : before.substring(begin).replaceAll("(?m)^ \\* ?", "");
                Page page = new Page(javadoc, text.replaceAll("(?m)^import .*", ""));
                (ofPackage ? packages : types).put(ofPackage ? packageName : name, page);
            }
        }
    }

    @Test
    void everyTypeHasASnippetOrALinkToOne() {
        List<String> without = new ArrayList<>();
        types.forEach((name, page) -> {
            boolean linked = page.links().stream()
                    .filter(link -> !link.equals(name) && types.containsKey(link))
                    .map(types::get)
                    .anyMatch(other -> other.hasSnippet() && other.names(name));
            if (!page.hasSnippet() && !linked) {
                without.add(name);
            }
        });
        assertThat(types).hasSizeGreaterThan(200);
        assertThat(without)
                .as("Exported types without an example: write <pre>{@code …}</pre> into the Javadoc of the type, or"
                        + " {@link X} or @see X, where X has an example and its page names the type")
                .isEmpty();
    }

    @Test
    void everySnippetIsCompiled() throws IOException {
        StringBuilder tests = new StringBuilder();
        for (Path file : Sources.tests()) {
            tests.append(flat(Sources.read(file)));
        }
        List<String> missing = new ArrayList<>();
        types.forEach((name, page) -> page.snippets()
                .filter(snippet -> tests.indexOf(flat(snippet)) < 0)
                .forEach(snippet -> missing.add(name + ":\n" + snippet)));
        assertThat(missing)
                .as("Examples of Javadoc that no test has: add the code to a class of"
                        + " io.clusterwright.examples.javadoc")
                .isEmpty();
    }

    @Test
    void packagePagesSayWhereToStart() {
        List<String> without = new ArrayList<>();
        packages.forEach((name, page) -> {
            boolean starts = page.javadoc().contains("Start with {@link")
                    && page.links().stream()
                            .anyMatch(link ->
                                    types.containsKey(link) && types.get(link).hasSnippet());
            if (!starts) {
                without.add(name);
            }
        });
        assertThat(packages).hasSize(25);
        assertThat(without)
                .as("Packages whose page does not say \"Start with {@link X}\", where X has an example")
                .isEmpty();
    }

    /** The code without blanks, which the formatter changes; the tests keep what an example prints. */
    private static String flat(String code) {
        return code.replaceAll("\\s+", "")
                .replace("System.out.println(", "show(")
                .replace("System.out::println", "this::show")
                .replace("staticclass", "class");
    }
}
