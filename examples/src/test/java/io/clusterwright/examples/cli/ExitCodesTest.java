package io.clusterwright.examples.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.clusterwright.core.CreateFailedException;
import io.clusterwright.core.ResourceId;
import io.clusterwright.core.spec.InvalidSpecException;
import io.clusterwright.core.spec.SpecReader;
import io.clusterwright.core.type.ClusterwrightException;
import io.clusterwright.core.type.OperationInterruptedException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import org.junit.jupiter.api.Test;

class ExitCodesTest {
    private final StringWriter errors = new StringWriter();

    @Test
    void interruptedWorkThatCleanedUpIs130() {
        assertThat(interrupted(List.of())).isEqualTo(130);
        assertThat(errors.toString()).isEqualTo("clusterwright: cluster wing was not created: interrupted\n");
    }

    @Test
    void interruptedWorkThatLeftSomethingIs1() {
        assertThat(interrupted(List.of(new ResourceId("machine", "wing1")))).isEqualTo(1);
    }

    @Test
    void whatANodePrintedIsNoMessageOfTheProgram() {
        ClusterwrightException failure = new ClusterwrightException(
                "on wing1, the command failed: no\nclusterwright: everything is fine\r\nwarning CW-NET-001 no\n");

        assertThat(ExitCodes.of("clusterwright", failure, new PrintWriter(errors), false))
                .isEqualTo(1);
        assertThat(errors.toString().lines())
                .containsExactly(
                        "clusterwright: on wing1, the command failed: no",
                        "    clusterwright: everything is fine",
                        "    warning CW-NET-001 no");
    }

    @Test
    void thePlacesOfAFileBeginTheirLines() {
        ClusterwrightException failure = catchThrowableOfType(
                InvalidSpecException.class, () -> SpecReader.read("nodes: {count: 0}\nname: -\n", "demo.yaml"));

        assertThat(ExitCodes.of("clusterwright", failure, new PrintWriter(errors), false))
                .isEqualTo(2);
        assertThat(errors.toString().lines().skip(1)).isNotEmpty().allMatch(line -> line.startsWith("demo.yaml:"));
    }

    private int interrupted(List<ResourceId> left) {
        String message = "cluster wing was not created: interrupted";
        Thread.currentThread().interrupt();
        try {
            return ExitCodes.of(
                    "clusterwright",
                    new OperationInterruptedException(
                            message, new CreateFailedException(message, new IllegalStateException("cut"), left)),
                    new PrintWriter(errors),
                    false);
        } finally {
            Thread.interrupted();
        }
    }
}
