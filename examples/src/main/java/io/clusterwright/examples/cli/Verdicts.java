package io.clusterwright.examples.cli;

import io.clusterwright.core.event.ClusterEvent;
import io.clusterwright.core.event.ClusterListener;
import io.clusterwright.core.spi.CheckReport;
import io.clusterwright.examples.console.Explanation;
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
        return bad.get() ? Explanation.BAD_VERDICT : Explanation.OK;
    }
}
