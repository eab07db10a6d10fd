package io.clusterwright.linux.internal.ssh;

import io.clusterwright.core.NodeUnreachableException;
import io.clusterwright.core.internal.concurrent.Deadline;
import io.clusterwright.core.type.NodeName;
import io.clusterwright.linux.internal.ssh.SshLinks.Purpose;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.OptionalInt;
import java.util.function.Consumer;
import java.util.stream.Stream;
import jnr.constants.platform.linux.Signal;
import org.apache.sshd.client.channel.ChannelExec;
import org.apache.sshd.client.channel.ClientChannel;
import org.apache.sshd.client.future.OpenFuture;
import org.apache.sshd.client.session.ClientSession;
import org.apache.sshd.common.channel.Channel;
import org.apache.sshd.common.channel.ChannelListener;
import org.apache.sshd.common.channel.StreamingChannel.Streaming;
import org.jspecify.annotations.Nullable;

/** Opens channels that run one line each. */
final class SshExec {
    private static final int UNKNOWN_SIGNAL = 255;
    private static final Duration OPEN_TIMEOUT = Duration.ofSeconds(10);

    /** Input that a command left unread would keep its channel from closing. */
    private static final ChannelListener NO_MORE_INPUT = new ChannelListener() {
        @Override
        public void channelStateChanged(Channel channel, @Nullable String hint) {
            ClientChannel command = (ClientChannel) channel;
            if (status(command).isPresent()) {
                command.getAsyncIn().close(true);
            }
        }
    };

    private final NodeName node;
    private final SshLinks links;
    private final SshThreads threads;

    SshExec(NodeName node, SshLinks links, SshThreads threads) {
        this.node = node;
        this.links = links;
        this.threads = threads;
    }

    /** Runs a line with this input, and no more. */
    ChannelExec open(String line, byte[] input, Purpose purpose) {
        return threads.shielded(() -> openHere(line, purpose, channel -> new ChannelInput(channel, input).end()));
    }

    /** Runs a line whose input is the caller's to give and to end. */
    ChannelExec open(String line, Purpose purpose) {
        return threads.shielded(() -> openHere(line, purpose, channel -> {}));
    }

    private ChannelExec openHere(String line, Purpose purpose, Consumer<ChannelExec> then) {
        try {
            return links.open(purpose, session -> {
                ChannelExec channel = open(session, line);
                then.accept(channel);
                return channel;
            });
        } catch (IOException e) {
            throw new NodeUnreachableException(
                    node, "cannot run a command on " + node + " over the open connection: " + e.getMessage(), e);
        }
    }

    private static ChannelExec open(ClientSession session, String line) throws IOException {
        ChannelExec channel = session.createExecChannel(line.getBytes(StandardCharsets.UTF_8), null, Map.of());
        channel.setStreaming(Streaming.Async);
        channel.addChannelListener(NO_MORE_INPUT);
        boolean opened = false;
        try {
            OpenFuture future = channel.open();
            if (!SshFutures.awaitQuietly(future, OPEN_TIMEOUT)) {
                throw new IOException("no channel within the channel timeout of " + Deadline.text(OPEN_TIMEOUT));
            }
            future.verify();
            opened = true;
            return channel;
        } finally {
            if (!opened) {
                channel.close(true);
            }
        }
    }

    /** How a command ended: 0 to 255, or 128 and the number of the signal that ended it; empty when the channel closed without reporting. */
    static OptionalInt status(ClientChannel channel) {
        Integer status = channel.getExitStatus();
        if (status != null) {
            return OptionalInt.of(status);
        }
        String signal = channel.getExitSignal();
        return signal == null
                ? OptionalInt.empty()
                : OptionalInt.of(Stream.of(Signal.values())
                        .filter(known -> known.name().equals("SIG" + signal))
                        .mapToInt(known -> 128 + known.intValue())
                        .findFirst()
                        .orElse(UNKNOWN_SIGNAL));
    }
}
