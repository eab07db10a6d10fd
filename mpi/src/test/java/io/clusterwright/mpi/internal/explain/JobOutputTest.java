package io.clusterwright.mpi.internal.explain;

import static org.assertj.core.api.Assertions.assertThat;

import io.clusterwright.mpi.job.LaunchFailure;
import io.clusterwright.mpi.spi.JobFolder;
import org.junit.jupiter.api.Test;

class JobOutputTest {
    private static final JobFolder FOLDER = new JobFolder("cwjob-0123456789abcdef");

    @Test
    void readsWhichNodeWasNotReached() {
        assertThat(JobOutput.unreached(FOLDER, "clusterwright-launch cwjob-0123456789abcdef 10.32.0.12 255 no"))
                .hasValue(new LaunchFailure("10.32.0.12", 255, false));
        assertThat(JobOutput.unreached(FOLDER, "clusterwright-launch cwjob-0123456789abcdef 10.32.0.12 127 yes gone"))
                .hasValue(new LaunchFailure("10.32.0.12", 127, true, "gone"));
    }

    @Test
    void ignoresTheReportOfAnotherJob() {
        assertThat(JobOutput.unreached(FOLDER, "clusterwright-launch cwjob-fedcba9876543210 10.32.0.12 255 no"))
                .isEmpty();
        assertThat(JobOutput.unreached(FOLDER, "ordinary output")).isEmpty();
    }
}
