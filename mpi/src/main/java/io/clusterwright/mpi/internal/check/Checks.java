package io.clusterwright.mpi.internal.check;

import io.clusterwright.core.CheckReport;
import io.clusterwright.core.spi.ClusterCheck;
import io.clusterwright.core.type.ClusterwrightException;
import java.time.Duration;
import java.util.List;
import java.util.function.Supplier;

/** Code that the checks share. */
final class Checks {
    static final Duration LIMIT = Duration.ofMinutes(10);

    private Checks() {}

    /** A check that cannot run says why and is not a pass; one that is interrupted is no report at all. */
    static CheckReport guarded(ClusterCheck check, Supplier<CheckReport> work) {
        try {
            return work.get();
        } catch (ClusterwrightException e) {
            if (Thread.currentThread().isInterrupted()) {
                throw e;
            }
            return new CheckReport(
                    check.name(),
                    CheckReport.Status.NOT_CHECKED,
                    "could not run: " + e.getMessage(),
                    List.of(),
                    List.of());
        }
    }
}
