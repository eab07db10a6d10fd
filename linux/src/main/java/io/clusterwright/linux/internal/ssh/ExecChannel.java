package io.clusterwright.linux.internal.ssh;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.OptionalInt;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import jnr.constants.platform.linux.Signal;
import org.apache.sshd.client.channel.ChannelExec;
import org.apache.sshd.common.channel.BufferedIoOutputStream;
import org.apache.sshd.common.channel.Channel;
import org.apache.sshd.common.channel.ChannelListener;
import org.apache.sshd.common.util.buffer.ByteArrayBuffer;
import org.apache.sshd.common.util.logging.SimplifiedLog;
import org.jspecify.annotations.Nullable;

/**
 * A channel that runs one line. Its output goes to pumps as it arrives, and ends when the channel is closed: the client's own streams
 * lose a read that begins while the channel closes (docs/upstream/mina-sshd-async-read.md), so nothing reads from them.
 */
final class ExecChannel extends ChannelExec {
    private static final int UNKNOWN_SIGNAL = 255;
    private static final Duration UNTIL_CLOSED = Duration.ofSeconds(5);

    /** Input that no one reads any more would keep the channel from closing. */
    private static final ChannelListener NO_MORE_INPUT = new ChannelListener() {
        @Override
        public void channelStateChanged(Channel channel, @Nullable String hint) {
            if (((ExecChannel) channel).status().isPresent()) {
                dropInput(channel);
            }
        }

        @Override
        public void channelClosed(Channel channel, @Nullable Throwable reason) {
            dropInput(channel);
        }

        private void dropInput(Channel channel) {
            if (((ExecChannel) channel).getAsyncIn() != null) {
                ((ExecChannel) channel).getAsyncIn().close(true);
            }
        }
    };

    private final OutputPump out = new OutputPump(this::taken);
    private final OutputPump err = new OutputPump(this::taken);
    private volatile boolean refused;
    private volatile boolean ended;
    private volatile boolean cut;

    ExecChannel(String line) {
        super(line.getBytes(StandardCharsets.UTF_8), null, Map.of());
        setStreaming(Streaming.Async);
        addChannelListener(NO_MORE_INPUT);
        addCloseFutureListener(closed -> {
            cut = !ended && !isEofSignalled() && getSession().isClosing();
            out.end();
            err.end();
        });
    }

    /** Output of a command may be a secret, and would be dumped at level TRACE. */
    @Override
    protected SimplifiedLog getSimplifiedLogger() {
        return SimplifiedLog.EMPTY;
    }

    OutputPump out() {
        return out;
    }

    OutputPump err() {
        return err;
    }

    /** Whether the connection broke as the node did not answer. */
    boolean endedInSilence() {
        return cut && ((NodeConnection) getSession()).endedInSilence();
    }

    /** Whether the node did not start the line at all. */
    boolean refused() {
        return refused;
    }

    /**
     * How the line ended: 0 to 255, or 128 and the number of the signal that ended it; empty when the channel closed without reporting,
     * and when the connection broke before the last output came: a node reports the status first.
     */
    OptionalInt status() {
        if (cut) {
            return OptionalInt.empty();
        }
        Integer status = getExitStatus();
        if (status != null) {
            return OptionalInt.of(status);
        }
        String signal = getExitSignal();
        return signal == null
                ? OptionalInt.empty()
                : OptionalInt.of(Stream.of(Signal.values())
                        .filter(known -> known.name().equals("SIG" + signal))
                        .mapToInt(known -> 128 + known.intValue())
                        .findFirst()
                        .orElse(UNKNOWN_SIGNAL));
    }

    @Override
    protected void doWriteData(byte[] data, int offset, long length) {
        out.add(data, offset, (int) length);
    }

    @Override
    protected void doWriteExtendedData(byte[] data, int offset, long length) {
        err.add(data, offset, (int) length);
    }

    @Override
    public void handleClose() throws IOException {
        ended = true;
        super.handleClose();
    }

    @Override
    public void handleFailure() {
        refused = true;
        close(false);
        getSession()
                .getFactoryManager()
                .getScheduledExecutorService()
                .schedule(() -> close(true), UNTIL_CLOSED.toMillis(), TimeUnit.MILLISECONDS);
    }

    private void taken(int bytes) {
        try {
            getLocalWindow().release(bytes);
        } catch (IOException e) {
            // The connection broke, which closes the channel.
            return;
        }
    }

    /** The standard input of a command: pieces are written one after another, and never wait for the node to read them. */
    static final class Input {
        private final BufferedIoOutputStream stream;
        private boolean ended;

        Input(ExecChannel channel, byte[] first) {
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
}
