package io.clusterwright.examples.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import io.clusterwright.core.Planner;
import io.clusterwright.core.internal.rules.RuleBook;
import io.clusterwright.core.plan.Finding;
import io.clusterwright.core.spec.SpecReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Every code that a module reports can be suppressed by its name. */
class FindingCodesTest {
    private static final Pattern CODE = Pattern.compile("\\bCW-[A-Z]+-[0-9]{3}\\b");

    @Test
    void everyCodeInTheSourcesIsKnown() {
        SortedSet<String> codes = codes();

        assertThat(codes)
                .hasSizeGreaterThan(100)
                .contains("CW-MPI-001", "CW-BENCH-001", "CW-MEMLOCK-001", "CW-DIAG-401", "CW-NODES-001");
        assertThat(unknown(codes)).isEmpty();
    }

    @Test
    void codesOfLocalNodesAreKnown() {
        assertThat(unknown(List.of("CW-LOCAL-001", "CW-LOCAL-005", "CW-LOCAL-007", "CW-LOCAL-009")))
                .isEmpty();
    }

    @Test
    void mistypedCodeSuggestsTheNearest() {
        assertThat(check(List.of("CW-MEMLOK-001")))
                .filteredOn(finding -> finding.code().equals("CW-SUPPRESS-001"))
                .extracting(Finding::remedy)
                .containsExactly("did you mean CW-MEMLOCK-001?");
    }

    @Test
    void remediesThatNameACommandNameTheMethodOfJavaAsWell() {
        Pattern command = Pattern.compile("clusterwright [a-z]|^(?!.*\\baz [a-z]).* --[a-z]");
        Pattern method = Pattern.compile("\\([A-Z][A-Za-z]+");
        List<String> naming = RuleBook.installed().kinds().stream()
                .filter(kind -> !kind.code().matches("CW-(DIAG|MPI)-.*"))
                .filter(kind ->
                        command.matcher(kind.subject() + " " + kind.remedy()).find())
                .map(kind -> kind.code() + " " + kind.remedy())
                .toList();

        assertThat(naming)
                .hasSizeGreaterThan(4)
                .allMatch(line -> method.matcher(line).find());
    }

    private static List<String> unknown(Iterable<String> codes) {
        return check(codes).stream()
                .filter(finding -> finding.code().equals("CW-SUPPRESS-001"))
                .map(Finding::message)
                .toList();
    }

    private static List<Finding> check(Iterable<String> codes) {
        return Planner.check(SpecReader.read(
                "{name: demo, region: westeurope, nodes: {count: 2, size: Standard_HB120rs_v3}, suppress: ["
                        + String.join(", ", codes) + "]}",
                "codes.yaml"));
    }

    /** The codes in the sources of main code. */
    static SortedSet<String> codes() {
        SortedSet<String> codes = new TreeSet<>();
        for (String module : List.of("core", "linux", "mpi", "windows", "windows/classic", "azure", "examples")) {
            try (Stream<Path> files = Files.walk(Path.of("..", module, "src", "main"))) {
                files.filter(Files::isRegularFile)
                        .filter(file -> file.toString().matches(".*\\.(java|yaml)"))
                        .forEach(file -> add(codes, file));
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
        // The message of a malformed code shows how one looks.
        codes.remove("CW-FAMILY-001");
        // The Javadoc of RuleSet shows a rule of a site.
        codes.remove("CW-SITE-001");
        return codes;
    }

    private static void add(SortedSet<String> codes, Path file) {
        try {
            CODE.matcher(Files.readString(file)).results().forEach(code -> codes.add(code.group()));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
