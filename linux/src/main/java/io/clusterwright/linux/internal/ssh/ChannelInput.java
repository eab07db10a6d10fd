package io.clusterwright.linux.internal.ssh;

import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Queue;
import org.apache.sshd.client.channel.ChannelExec;
import org.apache.sshd.common.io.IoOutputStream;
import org.apache.sshd.common.util.buffer.ByteArrayBuffer;

/** The standard input of a command: pieces are written one after another, and never wait for the node to read them. */
final class ChannelInput {
    private final IoOutputStream stream;
    private final Queue<byte[]> waiting = new ArrayDeque<>();
    private boolean writing;
    private boolean ended;

    ChannelInput(ChannelExec channel, byte[] first) {
        this.stream = channel.getAsyncIn();
        if (first.length > 0) {
            send(first);
        }
    }

    synchronized void send(byte[] bytes) {
        if (ended) {
            throw new IllegalStateException("the command's input has ended");
        }
        waiting.add(bytes.clone());
        next();
    }

    synchronized void end() {
        ended = true;
        next();
    }

    private synchronized void written() {
        writing = false;
        next();
    }

    private void next() {
        if (writing || stream.isClosing() || stream.isClosed()) {
            return;
        }
        byte[] bytes = waiting.poll();
        if (bytes == null) {
            if (ended) {
                stream.close(false);
            }
            return;
        }
        writing = true;
        try {
            stream.writeBuffer(new ByteArrayBuffer(bytes)).addListener(done -> written());
        } catch (IOException e) {
            // The channel is closing: the command has ended, or the broken connection reports its end.
            writing = false;
            ended = true;
            waiting.clear();
        }
    }
}
