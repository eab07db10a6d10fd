package io.clusterwright.core.internal.state;

import io.clusterwright.core.spec.ClusterSpec;
import java.time.Instant;
import java.util.Optional;

/**
 * The end of a cluster's time to live. Two act on it: {@code clusterwright destroy --expired} deletes clusters whose end has passed, and on
 * Azure the provider schedules when Azure itself stops the machines ({@code AzureExpiry} of the module {@code azure}).
 */
public final class TimeToLive {
    private TimeToLive() {}

    /** The end, counted from when the cluster was created, or created again without any of its machines; empty if the spec gives no time to live. */
    public static Optional<Instant> end(ClusterSpec spec, Instant created) {
        return spec.timeToLive().map(created::plus);
    }
}
