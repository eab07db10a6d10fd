package io.clusterwright.examples.e2e;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Predicate;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/** What the README tells its readers to type, wherever it stands there. */
public final class Readme {
    /** Puts the artifacts into the local repository. */
    public static final String INSTALL = "mvn -B -ntp -Punchecked install";

    private static final Pattern BLOCK = Pattern.compile("^```(\\w*)\\n(.*?)^```$", Pattern.MULTILINE | Pattern.DOTALL);
    private static final Pattern MAVEN_INSTALL =
            Pattern.compile("^((?:mvn|[.]/mvnw) .*\\binstall)\\b", Pattern.MULTILINE);
    private static final Pattern IMPORT = Pattern.compile("^import .*;$", Pattern.MULTILINE);

    private Readme() {}

    static String installCommand() {
        return blocks("", block -> true).stream()
                .map(MAVEN_INSTALL::matcher)
                .flatMap(found -> found.results().map(MatchResult::group))
                .findFirst()
                .orElse(INSTALL);
    }

    /** The BOM and the dependencies for a project. */
    static String dependencies() {
        return blocks("xml", block -> block.contains("clusterwright-bom")).get(0);
    }

    /** The first program as the method {@code main} of a class, with the imports of the same lines in the examples. */
    static String program(String className) {
        String lines =
                blocks("java", block -> block.contains("ClusterSpec spec")).get(0);
        String imports =
                String.join("\n", imports(read("examples/src/main/java/io/clusterwright/examples/FirstLines.java")))
                        + "\n" + String.join("\n", imports(lines));
        return """
                %s

                public final class %s {
                    public static void main(String[] arguments) {
                        Path file = Path.of(arguments[0]);
                        %s
                    }
                }
                """.formatted(imports, className, IMPORT.matcher(lines).replaceAll(""));
    }

    private static List<String> imports(String source) {
        return IMPORT.matcher(source).results().map(MatchResult::group).toList();
    }

    private static List<String> blocks(String language, Predicate<String> wanted) {
        return BLOCK.matcher(read("README.md"))
                .results()
                .filter(block -> block.group(1).equals(language))
                .map(block -> block.group(2))
                .filter(wanted)
                .toList();
    }

    private static String read(String file) {
        try {
            return Files.readString(Path.of("..").resolve(file));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
