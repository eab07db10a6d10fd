package io.clusterwright.core;

import java.util.Locale;

/** The progress of a cluster according to its record. */
public enum ClusterPhase {
    /** It is being created, or its creator died. */
    CREATING,
    /** It is complete. */
    READY,
    /** Its creation failed and some of its resources were kept. */
    FAILED,
    /** Its machines are being stopped, or the process that stopped them died. */
    STOPPING,
    /** Its machines are stopped. */
    STOPPED,
    /** Its machines are being started again, or the process that started them died. */
    STARTING;

    /** Whether the machines are stopped, or on the way to it or from it. */
    public boolean asleep() {
        return this == STOPPING || this == STOPPED || this == STARTING;
    }

    /** The name in lower case, as programs print it: {@code ready}. */
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
