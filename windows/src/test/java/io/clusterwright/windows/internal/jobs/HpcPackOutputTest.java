package io.clusterwright.windows.internal.jobs;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;

/** Forms of output that public programs rely on; no full listing is published. */
class HpcPackOutputTest {

    @Test
    void findsTheNumberOfAJob() {
        assertThat(HpcPackOutput.submitted("Job has been submitted. ID: 3490639.\r\n"))
                .hasValue(3490639);
        assertThat(HpcPackOutput.submitted("Warning: x\r\nJob has been submitted. ID:  2730398. No error\r\n"))
                .hasValue(2730398);
        assertThat(HpcPackOutput.submitted("The job was not submitted.")).isEmpty();
        assertThat(HpcPackOutput.submitted("echo Job has been submitted. ID: 1."))
                .isEmpty();
    }

    @Test
    void splitsAViewAtTheFirstColon() {
        Map<String, String> view = HpcPackOutput.view("Task ID           : 42.1\r\n"
                + "State             : Finished\r\n"
                + "Command Line      : mpiexec -c 1 app.exe C:\\in\r\n"
                + "Start Time        : 11/21/2026 9:02:30 AM\r\n"
                + "Output            :\r\n"
                + "  latency  : 2.1\r\n"
                + "second line\r\n");

        assertThat(view)
                .containsEntry("Task ID", "42.1")
                .containsEntry("Command Line", "mpiexec -c 1 app.exe C:\\in")
                .containsEntry("Start Time", "11/21/2026 9:02:30 AM")
                .containsEntry("Output", "latency  : 2.1\nsecond line");
    }

    @Test
    void leavesTheCountAtTheEndOfAListOut() {
        String output =
                "ID     : 1\r\nState  : Running\r\n\r\nID     : 2\r\nState  : Queued\r\n\r\n2 jobs\r\nTotal : 2\r\n";
        assertThat(HpcPackOutput.list(output))
                .containsExactly(Map.of("ID", "1", "State", "Running"), Map.of("ID", "2", "State", "Queued"));
        assertThat(HpcPackOutput.list("")).isEmpty();
    }
}
