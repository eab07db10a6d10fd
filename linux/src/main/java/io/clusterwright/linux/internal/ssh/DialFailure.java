package io.clusterwright.linux.internal.ssh;

import io.clusterwright.core.NodeUnreachableException;
import io.clusterwright.core.internal.concurrent.Deadline;
import io.clusterwright.core.spi.Endpoint;
import io.clusterwright.core.spi.NodeTransport.Target;
import io.clusterwright.core.type.SshPublicKey;
import java.io.IOException;
import java.util.Locale;
import org.apache.sshd.common.SshConstants;
import org.apache.sshd.common.SshException;
import org.apache.sshd.common.channel.exception.SshChannelOpenException;
import org.jspecify.annotations.Nullable;

/** Messages about a node that was not reached, with remedies. */
final class DialFailure {
    private final @Nullable SshNodeSession gateway;
    private final Target target;
    private final Endpoint endpoint;
    private final PinnedHostKey hostKey;

    /** Of a node that was dialled through another one, where there is a session to that. */
    DialFailure(Target target, Endpoint endpoint, PinnedHostKey hostKey, @Nullable SshNodeSession gateway) {
        this.gateway = gateway;
        this.target = target;
        this.endpoint = endpoint;
        this.hostKey = hostKey;
    }

    Endpoint endpoint() {
        return endpoint;
    }

    NodeUnreachableException connectTimedOut(Deadline deadline) {
        return unreachable(
                "no answer within " + deadline,
                "check that the node runs and that no firewall or security group drops TCP port " + endpoint.port(),
                null);
    }

    NodeUnreachableException notConnected(IOException cause) {
        String text = deepestMessage(cause).toLowerCase(Locale.ROOT);
        if (gateway != null && (!gateway.isOpen() || text.contains("clos"))) {
            return unreachable(
                    "the connection to " + gateway.node() + " was lost",
                    "nothing to do: the next attempt opens it again",
                    cause);
        }
        if (gateway != null && isProhibited(cause)) {
            return unreachable(
                    gateway.node() + " forwards no connections",
                    "write AllowTcpForwarding yes (and no PermitOpen) into its sshd_config",
                    cause);
        }
        if (text.contains("refused")) {
            return unreachable(
                    "connection refused",
                    "the node answers, and no SSH server listens on this port: wait, or start sshd",
                    cause);
        }
        if (text.contains("no route") || text.contains("unreachable")) {
            return unreachable(
                    "no route to the node",
                    "check that the node exists, that this machine has a route to its network, and that the address is correct",
                    cause);
        }
        if (text.contains("timed out") || text.contains("timeout")) {
            return unreachable(
                    "the connection attempt timed out",
                    "check that the node runs and that no firewall drops the port",
                    cause);
        }
        return notLoggedIn(cause);
    }

    NodeUnreachableException logInTimedOut(Deadline deadline) {
        return unreachable(
                "connected, but not logged in within " + deadline,
                "check the load of the node and its SSH server's log",
                null);
    }

    NodeUnreachableException notLoggedIn(IOException cause) {
        SshPublicKey shown = hostKey.refused();
        if (shown != null) {
            return unreachable(
                    "it shows another host key: expected " + describe(hostKey.expected()) + ", shown "
                            + describe(shown),
                    "find out why before you continue: either another machine answers, or the node has a new host key; in"
                            + " that case read the key on the console of the node and pin it",
                    cause);
        }
        if (isAuthenticationFailure(cause)) {
            return unreachable(
                    "permission denied for user " + target.user() + " with key "
                            + describe(target.identity().publicKey()),
                    "add this public key to ~" + target.user()
                            + "/.ssh/authorized_keys on the node (the file mode 0600," + " the folder 0700)",
                    cause);
        }
        return unreachable(
                "the SSH server ended the connection before the login (" + deepestMessage(cause) + ")",
                "it may still be starting, have no host keys, or be limiting new connections (MaxStartups)",
                cause);
    }

    private NodeUnreachableException unreachable(String what, String remedy, @Nullable Throwable cause) {
        String way = gateway == null ? "" : " through " + gateway.node();
        String message = "cannot reach " + target.node() + " at " + endpoint + way + ": " + what + "; " + remedy;
        return cause == null
                ? new NodeUnreachableException(target.node(), message)
                : new NodeUnreachableException(target.node(), message, cause);
    }

    private static boolean isProhibited(Throwable cause) {
        for (Throwable t = cause; t != null; t = t.getCause()) {
            if (t instanceof SshChannelOpenException refused
                    && refused.getReasonCode() == SshConstants.SSH_OPEN_ADMINISTRATIVELY_PROHIBITED) {
                return true;
            }
        }
        return false;
    }

    private static boolean isAuthenticationFailure(Throwable cause) {
        for (Throwable t = cause; t != null; t = t.getCause()) {
            if (t instanceof SshException ssh
                    && ssh.getDisconnectCode() == SshConstants.SSH2_DISCONNECT_NO_MORE_AUTH_METHODS_AVAILABLE) {
                return true;
            }
        }
        return false;
    }

    private static String deepestMessage(Throwable cause) {
        String message = cause.getClass().getSimpleName();
        for (Throwable t = cause; t != null; t = t.getCause()) {
            String own = t.getMessage();
            message = own == null || own.isBlank() ? message : own;
        }
        return message;
    }

    private static String describe(SshPublicKey key) {
        return key.type() + " " + key.fingerprint() + (key.comment().isEmpty() ? "" : " (" + key.comment() + ")");
    }
}
