package io.clusterwright.examples.cli;

import io.clusterwright.core.CheckReport;
import io.clusterwright.core.ClusterEvent;
import io.clusterwright.core.ClusterListener;
import io.clusterwright.examples.console.ExitCodes;
import java.util.concurrent.atomic.AtomicBoolean;

/** Passes events on and remembers whether a check failed. */
final class Verdicts implements ClusterListener {
    private final ClusterListener next;
    private final AtomicBoolean bad = new AtomicBoolean();

    Verdicts(ClusterListener next) {
        this.next = next;
    }

    @Override
    public void onEvent(ClusterEvent event) {
        next.onEvent(event);
        if (event instanceof ClusterEvent.Checked checked && checked.report().status() == CheckReport.Status.FAILED) {
            bad.set(true);
        }
    }

    int exitStatus() {
        return bad.get() ? ExitCodes.BAD_VERDICT : ExitCodes.OK;
    }
}
