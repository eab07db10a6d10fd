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
final class Readme {
    private static final Pattern BLOCK = Pattern.compile("^```(\\w*)\\n(.*?)^```$", Pattern.MULTILINE | Pattern.DOTALL);
    private static final Pattern MAVEN_INSTALL =
            Pattern.compile("^((?:mvn|[.]/mvnw) .*\\binstall)\\b", Pattern.MULTILINE);

    private Readme() {}

    static String installCommand() {
        return blocks("", block -> true).stream()
                .map(MAVEN_INSTALL::matcher)
                .flatMap(found -> found.results().map(MatchResult::group))
                .findFirst()
                .orElseThrow();
    }

    /** The BOM and the dependencies for a project. */
    static String dependencies() {
        return blocks("xml", block -> block.contains("clusterwright-bom")).get(0);
    }

    /** The first program, under another name and on another cluster. */
    static String program(String className, TestCluster cluster) {
        return blocks("java", block -> block.contains("class FirstLines"))
                .get(0)
                .replace("class FirstLines", "class " + className)
                .replace("\"demo\"", "\"" + cluster.name() + "\"")
                .replace("10.32.0.0/24", "10." + cluster.octet() + ".0.0/24");
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
