package io.clusterwright.linux.internal.ssh;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;

/** The script that ends whole sessions of processes; its arguments stand at its beginning. */
public final class EndSessions {
    private static final String TEXT = read();

    private EndSessions() {}

    /** The script, for {@code /bin/sh}. */
    public static String text() {
        return TEXT;
    }

    private static String read() {
        try (InputStream in = EndSessions.class.getResourceAsStream("end-sessions.sh")) {
            if (in == null) {
                throw new IllegalStateException("end-sessions.sh is missing from the library");
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new IllegalStateException("end-sessions.sh cannot be read", e);
        }
    }
}
