package io.clusterwright.linux.internal.ssh;

import java.io.IOException;
import java.time.Duration;
import org.apache.sshd.client.channel.ChannelExec;
import org.apache.sshd.common.channel.BufferedIoOutputStream;
import org.apache.sshd.common.util.buffer.ByteArrayBuffer;

/** The standard input of a command: pieces are written one after another, and never wait for the node to read them. */
final class ChannelInput {
    private final BufferedIoOutputStream stream;
    private boolean ended;

    ChannelInput(ChannelExec channel, byte[] first) {
        this.stream = new BufferedIoOutputStream(
                "input", channel.getChannelId(), channel.getAsyncIn(), Integer.MAX_VALUE, Duration.ZERO);
        if (first.length > 0) {
            send(first);
        }
    }

    synchronized void send(byte[] bytes) {
        if (ended) {
            throw new IllegalStateException("the command's input has ended");
        }
        try {
            stream.writeBuffer(new ByteArrayBuffer(bytes.clone()));
        } catch (IOException e) {
            // The channel is closing: the command has ended, or the broken connection reports its end.
            return;
        }
    }

    synchronized void end() {
        ended = true;
        stream.close(false);
    }
}
