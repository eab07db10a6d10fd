package io.clusterwright.linux.internal.ssh;

import java.util.regex.Pattern;
import org.apache.sshd.client.ClientFactoryManager;
import org.apache.sshd.client.session.ClientSession;
import org.apache.sshd.client.session.ClientSessionImpl;
import org.apache.sshd.common.AttributeRepository;
import org.apache.sshd.common.SshException;
import org.apache.sshd.common.io.IoSession;
import org.apache.sshd.common.util.logging.SimplifiedLog;
import org.jspecify.annotations.Nullable;

/** One SSH connection, and how it ended. */
final class NodeConnection extends ClientSessionImpl {
    /** Words of the system about a node that does not answer; other ones, such as "Broken pipe", say that the node closed the connection. */
    private static final Pattern SILENCE = Pattern.compile("(?i)timed out|no route|unreachable");

    private volatile boolean failed;

    NodeConnection(ClientFactoryManager client, IoSession connection) throws Exception {
        super(client, connection);
    }

    @Override
    public void exceptionCaught(@Nullable Throwable cause) {
        String message = String.valueOf(cause == null ? null : cause.getMessage());
        failed |= cause instanceof SshException || SILENCE.matcher(message).find();
        super.exceptionCaught(cause);
    }

    /** Whether it ended, or the connection of the gateway did, without an end or a reset from the node: the node did not answer. */
    boolean endedInSilence() {
        AttributeRepository context = getConnectionContext();
        ClientSession gateway = context == null ? null : context.getAttribute(TunnelClient.GATEWAY);
        return failed || gateway != null && gateway.isClosing();
    }

    /** Sessions dump packets at level TRACE before they encrypt them, with every secret on its way to a node. */
    @Override
    protected SimplifiedLog getSimplifiedLogger() {
        return SimplifiedLog.EMPTY;
    }
}
