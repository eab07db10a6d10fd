package io.clusterwright.examples;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Each Java block of the pages below is code that is compiled: its lines stand in a source file of the examples, at any indentation. Each XML
 * block of the first page is of a project in {@code examples/consumers}.
 */
class PageSnippetsTest {
    private static final Pattern BLOCK = Pattern.compile("(?ms)^```(java|xml)\\n(.*?)^```$");
    private static final List<String> PAGES = List.of(
            "start-embedder.md",
            "start-tests.md",
            "start-scientist.md",
            "mpi-jobs.md",
            "plan.md",
            "fabric-check.md",
            "azure-reference.md",
            "azure-batch.md",
            "emulated-azure.md",
            "hpc-pack.md",
            "hpc-pack-retired.md",
            "images.md");

    @Test
    void javaBlocksOfPagesAreCompiled() throws IOException {
        String sources = sources();
        List<String> missing = new ArrayList<>();
        int found = 0;
        for (String page : PAGES) {
            for (String block : blocks(page)) {
                found++;
                if (!sources.contains(block)) {
                    missing.add(page + ":\n" + block);
                }
            }
        }
        assertThat(found).isGreaterThan(PAGES.size());
        assertThat(missing)
                .as(
                        "Blocks that no source file of the examples has: add the code to PageSnippets.java or ReferenceSnippets.java")
                .isEmpty();
    }

    private static List<String> blocks(String page) throws IOException {
        return BLOCK.matcher(Files.readString(Path.of("..", "docs", page)))
                .results()
                .filter(block -> block.group(1).equals("java") || page.equals(PAGES.get(0)))
                .map((MatchResult block) -> flat(block.group(2)))
                .toList();
    }

    private static String sources() throws IOException {
        StringBuilder all = new StringBuilder();
        for (String folder : List.of("src", "consumers")) {
            try (Stream<Path> files = Files.walk(Path.of(folder))) {
                for (Path file : files.filter(each -> each.toString().matches(".*([.]java|/pom[.]xml)"))
                        .toList()) {
                    all.append('\n').append(flat(Files.readString(file)));
                }
            }
        }
        return all.toString();
    }

    /** The lines without indentation. */
    private static String flat(String code) {
        return code.lines().map(String::strip).collect(Collectors.joining("\n", "\n", "\n"));
    }
}
