package io.clusterwright.examples.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The table of the emulator's traits names tests that exist, and has every known failure on Azure. */
class TraitsPageTest {
    private static final Path PAGE = Path.of("../docs/evidence/emulator-traits.md");

    /** A test class, with or without a method; or a method of the class that was named before it. */
    private static final Pattern TEST = Pattern.compile("`(?:([A-Z]\\w*Test)(?:\\.(\\w+))?|([a-z]\\w+))`");

    private static final Pattern REASON = Pattern.compile("-: .{10,}");

    private static List<List<String>> rows() throws IOException {
        String page = Sources.read(PAGE);
        int from = page.indexOf("\n## Traits\n");
        assertThat(from).isNotNegative();
        return page.substring(from)
                .lines()
                .filter(line -> line.startsWith("| "))
                .skip(1)
                .map(line -> Stream.of(line.substring(1, line.length() - 1).split(" \\| ", -1))
                        .map(String::strip)
                        .toList())
                .toList();
    }

    @Test
    void eachRowNamesTestsThatExistOrAReason() throws IOException {
        Map<String, String> tests = new HashMap<>();
        for (Path file : Sources.tests()) {
            tests.merge(Sources.typeName(file), Sources.read(file), String::concat);
        }
        for (List<String> row : rows()) {
            assertThat(row).hasSize(4).noneMatch(String::isEmpty);
            for (String cell : row.subList(2, 4)) {
                assertThat(TEST.matcher(cell).find() || REASON.matcher(cell).matches())
                        .as("a test, or \"-: \" and a reason, in \"%s\" of %s", cell, row.get(0))
                        .isTrue();
                requireTests(cell, tests);
            }
        }
    }

    private static void requireTests(String cell, Map<String, String> tests) {
        String source = "";
        for (MatchResult test : TEST.matcher(cell).results().toList()) {
            if (test.group(1) != null) {
                source = tests.getOrDefault(test.group(1), "");
                assertThat(source).as("the class in %s", test.group()).isNotEmpty();
            }
            String method = test.group(1) == null ? test.group(3) : test.group(2);
            if (method != null) {
                assertThat(source)
                        .as(test.group())
                        .containsPattern("\\b(void " + method + "\\(|class " + method + " )");
            }
        }
    }

    /** What once stopped a first cluster on Azure, or misled about it. */
    private static final List<String> KNOWN = List.of(
            "Images leave host keys to cloud-init",
            "HPC images have no MPI on the path",
            "Real machines answer from outside only at public addresses",
            "More than 20 machines at a time from a managed image",
            "A plan goes with its image",
            "A load balancer does not show the ports of a pool's members",
            "A machine has a way out only by a NAT gateway",
            "Inbound NAT rules of version 2",
            "Networks, route tables, security groups and NAT gateways of another resource group",
            "Generation and architecture of image, definition, machine and size must fit",
            "Sizes of A, Dv2, H and NC boot generation 1 only",
            "Images of RHEL and its kin run firewalld",
            "Trusted Launch",
            "A region has a limit of public addresses",
            "One rank's ping-pong on HBv5 crosses one port",
            "MPI takes longer than verbs",
            "Machines have as many InfiniBand ports as their size",
            "Slurm without a task plug-in binds no rank",
            "InfiniBand devices have different names on different nodes",
            "HPC-X lets UCX run over TCP",
            "An update may bring another kernel",
            "A machine's shutdown schedule is for a time of day",
            "A schedule written within 30 min of its time",
            "An autoscale setting keeps a scale set within the limits",
            "Schedules and settings act while no client runs",
            "A schedule and a setting need a machine and a set that exist",
            "A scale set has fault domain 1",
            "A Batch request has a version that the service has",
            "Limits of Batch",
            "A pool with a formula is not resized",
            "A token for Batch is for the resource of its cloud",
            "A Batch node has the HPC-X of its image",
            "MVAPICH in `/opt/mvapich-4.0`");

    @Test
    void hasEveryKnownFailureAndWrongResult() throws IOException {
        List<String> traits = rows().stream().map(row -> row.get(0)).toList();

        assertThat(KNOWN)
                .allSatisfy(known ->
                        assertThat(traits).anySatisfy(trait -> assertThat(trait).startsWith(known)));
    }
}
