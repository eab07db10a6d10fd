package io.clusterwright.examples.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class UsageTest {
    private String errors = "";

    @Test
    void unknownOptionGivesOneLineWithTheNearestOption() {
        assertThat(run("sizes", "--rmda")).isEqualTo(2);
        assertThat(errors)
                .isEqualTo("clusterwright sizes: Unknown option: '--rmda'; did you mean --rdma?"
                        + " clusterwright sizes --help lists the options\n");
    }

    @Test
    void unknownCommandNamesTheNearestCommand() {
        assertThat(run("destry", "x")).isEqualTo(2);
        assertThat(errors).startsWith("clusterwright: Unmatched arguments").contains("did you mean destroy?");
        assertThat(errors.lines()).hasSize(1);
    }

    @Test
    void missingOptionGivesOneLine() {
        assertThat(run("create", "cluster.yaml")).isEqualTo(2);
        assertThat(errors).contains("--on").contains("clusterwright create --help");
        assertThat(errors.lines()).hasSize(1);
    }

    @Test
    void unknownValueListsTheAllowedOnes() {
        assertThat(run("create", "cluster.yaml", "--on", "moon")).isEqualTo(2);
        assertThat(errors).contains("'--on'", "[local, azure, emulator]", "'moon'");
        assertThat(errors.lines()).hasSize(1);
    }

    @Test
    void optionsOfAListWithoutRecordsNeedItsOption() {
        assertThat(run("list", "--delete")).isEqualTo(2);
        assertThat(errors)
                .isEqualTo(
                        "clusterwright: --delete, --id, --on and --prices need --untracked; destroy deletes a cluster"
                                + " that has a record\n");
    }

    @Test
    void adoptionNeedsAProvider() {
        assertThat(run("adopt", "wing")).isEqualTo(2);
        assertThat(errors).contains("--on").contains("clusterwright adopt --help");
    }

    private int run(String... arguments) {
        PrintStream before = System.err;
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        System.setErr(new PrintStream(bytes, true, StandardCharsets.UTF_8));
        try {
            return ClusterwrightMain.run(arguments);
        } finally {
            System.setErr(before);
            errors = bytes.toString(StandardCharsets.UTF_8);
        }
    }
}
