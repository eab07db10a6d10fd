package io.clusterwright.linux.internal.ssh;

import io.clusterwright.core.internal.text.TextResource;

/** The script that ends whole sessions of processes; its arguments stand at its beginning. */
public final class EndSessions {
    private static final String TEXT =
            TextResource.read(EndSessions.class.getResourceAsStream("end-sessions.sh"), "end-sessions.sh");

    private EndSessions() {}

    /** The script, for {@code /bin/sh}. */
    public static String text() {
        return TEXT;
    }
}
