package io.clusterwright.linux.internal.ssh;

import java.time.Duration;
import org.apache.sshd.client.SshClient;
import org.apache.sshd.core.CoreModuleProperties;

/**
 * The heartbeat of SSH sessions: a node that leaves three requests in a row without an answer loses its session after about 15 s. Apache MINA
 * sends them, counts them, and closes the session.
 */
final class SessionHeartbeat {
    private static final Duration INTERVAL = Duration.ofSeconds(5);
    private static final int MISSED = 3;

    private SessionHeartbeat() {}

    static void set(SshClient client) {
        CoreModuleProperties.HEARTBEAT_INTERVAL.set(client, INTERVAL);
        CoreModuleProperties.HEARTBEAT_NO_REPLY_MAX.set(client, MISSED);
    }
}
