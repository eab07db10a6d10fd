package io.clusterwright.core;

import java.util.Objects;

/** Options for verifying a cluster. Immutable: each method returns changed options. */
public final class VerifyOptions {
    private static final VerifyOptions ALL = new VerifyOptions(event -> {}, false);

    private final ClusterListener listener;
    private final boolean quick;

    private VerifyOptions(ClusterListener listener, boolean quick) {
        this.listener = listener;
        this.quick = quick;
    }

    /** All checks that the spec asks for, without a listener. */
    public static VerifyOptions all() {
        return ALL;
    }

    /** Only the checks that take seconds: those that creating a cluster runs as well. */
    public static VerifyOptions quick() {
        return new VerifyOptions(ALL.listener, true);
    }

    /** Reports progress and the end of each check to this listener. */
    public VerifyOptions listener(ClusterListener value) {
        return new VerifyOptions(Objects.requireNonNull(value, "listener"), quick);
    }

    /** The receiver of events. */
    public ClusterListener listener() {
        return listener;
    }

    /** Whether only the checks that take seconds run. */
    public boolean onlyQuick() {
        return quick;
    }
}
