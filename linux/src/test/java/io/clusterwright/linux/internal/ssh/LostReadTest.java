package io.clusterwright.linux.internal.ssh;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.clusterwright.core.Command;
import io.clusterwright.core.internal.concurrent.Deadline;
import io.clusterwright.core.internal.concurrent.Threads;
import io.clusterwright.linux.internal.ssh.SshLinks.Purpose;
import java.io.IOException;
import java.lang.Thread.State;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import org.apache.sshd.client.SshClient;
import org.apache.sshd.client.channel.ChannelExec;
import org.apache.sshd.common.channel.ChannelAsyncInputStream;
import org.apache.sshd.common.future.CloseFuture;
import org.apache.sshd.common.io.IoInputStream;
import org.apache.sshd.common.io.IoReadFuture;
import org.apache.sshd.common.util.buffer.ByteArrayBuffer;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Reads of a channel's output that begin while the channel closes. The client's own stream loses them: {@code read} tests whether the
 * stream is closing before it takes the lock under which it registers the read, and {@code preClose} completes registered reads only.
 */
@Tag("breadth")
class LostReadTest {
    private static final Duration SOON = Duration.ofSeconds(20);

    /** The client's defect, by the order of its steps; see docs/upstream/mina-sshd-async-read.md. Once it is mended there, these fail. */
    @Nested
    class TheClientsStream {

        @Test
        void losesAReadThatIsRegisteredAfterTheClose() throws Exception {
            ChannelAsyncInputStream stream = new ChannelAsyncInputStream(new ChannelExec("true", null, null));
            Reader reader = new Reader(stream);
            synchronized (lockOf(stream)) {
                reader.startAndBlock();
                stream.close(false);
            }

            reader.thread.join(SOON.toMillis());
            assertThat(stream.isClosed()).isTrue();
            assertThat(reader.read.get().isDone()).isFalse();
        }

        @Test
        void neverClosesWhenAReadIsRegisteredInTheMiddleOfTheClose() throws Exception {
            AtomicReference<Reader> reader = new AtomicReference<>();
            ChannelAsyncInputStream stream = new ChannelAsyncInputStream(new ChannelExec("true", null, null)) {
                @Override
                protected void preClose() {
                    super.preClose();
                    // To wait is to give the lock away.
                    waitOn(lockOf(this), () -> reader.get().read.get() != null);
                }
            };
            reader.set(new Reader(stream));
            CloseFuture closing;
            synchronized (lockOf(stream)) {
                reader.get().startAndBlock();
                closing = stream.close(false);
            }

            assertThat(stream.isClosing()).isTrue();
            assertThat(reader.get().read.get().isDone()).isFalse();
            assertThat(closing.isDone()).isFalse();
        }
    }

    @Test
    void aCommandEndsWhoseChannelClosesWhileItsOutputIsAwaited() throws IOException {
        try (SshThreads threads = new SshThreads();
                RealSshd sshd = RealSshd.start();
                SshClient client = SshTransport.start(threads);
                SshLinks links = new SshLinks(RealSshd.NODE, new SshDialer(client, sshd.target(RealSshd.TESTER)))) {
            SshExec exec = new SshExec(RealSshd.NODE, links, threads);
            Command command = Command.of("sh", "-c", "sleep 1000 & exit 3");
            ExecChannel channel =
                    exec.open(ExecLine.of(command, "nonce", false), Purpose.COMMAND, Deadline.in("test", SOON));
            List<Thread> readers = new CopyOnWriteArrayList<>();
            SshRunningCommand running;
            synchronized (lockOf(channel.getAsyncOut())) {
                running = new SshRunningCommand(
                        RealSshd.NODE,
                        command,
                        new ChannelCarrier(
                                RealSshd.NODE,
                                command,
                                "nonce",
                                channel,
                                (stream, bytes, length) -> {},
                                task -> readers.add(Threads.start("reader", task))),
                        new ProcessSessionEnder(RealSshd.NODE, exec, false));
                await().atMost(SOON)
                        .until(() -> channel.getExitStatus() != null
                                && readers.stream()
                                        .allMatch(reader -> reader.getState() == State.BLOCKED
                                                || reader.getState() == State.TERMINATED));
                channel.close(true);
            }

            assertThat(running.await(Duration.ofSeconds(5))).hasValue(3);
        }
    }

    /** A thread that reads from a stream. */
    private static final class Reader {
        private final AtomicReference<IoReadFuture> read = new AtomicReference<>();
        private final Thread thread;

        Reader(IoInputStream stream) {
            thread = Threads.daemon("reader", () -> read.set(stream.read(new ByteArrayBuffer(64))));
        }

        /** Returns when it found the stream open, and stands before the lock that its caller holds. */
        void startAndBlock() {
            thread.start();
            await().atMost(SOON).until(() -> thread.getState() == State.BLOCKED);
        }
    }

    private static Object lockOf(IoInputStream stream) {
        try {
            var field = ChannelAsyncInputStream.class.getDeclaredField("buffer");
            field.setAccessible(true);
            return field.get(stream);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("another stream than this test knows", e);
        }
    }

    private static void waitOn(Object lock, BooleanSupplier done) {
        Deadline deadline = Deadline.in("test", SOON);
        while (!done.getAsBoolean() && !deadline.passed()) {
            try {
                lock.wait(1);
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        }
    }
}
