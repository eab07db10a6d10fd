package io.clusterwright.linux.internal.ssh;

import static org.assertj.core.api.Assertions.assertThat;

import io.clusterwright.core.Command;
import io.clusterwright.core.NodeSession;
import io.clusterwright.linux.internal.ssh.FaultySshd.Fault;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;

/** The threads and files of sessions, which are counted for this whole JVM. */
@Isolated("It counts the threads and files of this JVM.")
@Tag("breadth")
class SessionThreadsTest {
    private static final Command COMMAND = Command.of("any").timeout(Duration.ofMinutes(2));

    @TempDir
    private Path folder;

    @AutoClose
    private final SshTransport transport = new SshTransport();

    @Test
    void areNamedDaemons() throws IOException {
        try (FaultySshd sshd = new FaultySshd(Fault.BREAKS_AFTER_STATUS_AND_OUTPUT, folder);
                NodeSession session = sshd.connect(transport)) {
            assertThat(session.run(COMMAND).succeeded()).isTrue();
            List<Thread> ours = Thread.getAllStackTraces().keySet().stream()
                    .filter(thread -> thread.getName().contains("ssh")
                            && !thread.getName().contains("SshServer"))
                    .toList();

            assertThat(ours).isNotEmpty().allMatch(Thread::isDaemon);
            assertThat(ours)
                    .filteredOn(thread -> thread.getName().startsWith("clusterwright-ssh-io-"))
                    .hasSizeLessThanOrEqualTo(16);
        }
    }

    @Test
    @Timeout(value = 5, unit = TimeUnit.MINUTES)
    void comeAndGoAndLeaveNoThreadAndNoFile() throws IOException {
        boolean soak = Boolean.getBoolean("clusterwright.soak");
        try (FaultySshd sshd = new FaultySshd(Fault.BREAKS_AFTER_STATUS_AND_OUTPUT, folder)) {
            cycles(sshd, 20);
            long threads = SessionSoak.count("/proc/self/task");
            long open = SessionSoak.count("/proc/self/fd");

            cycles(sshd, soak ? 2_000 : 60);

            assertThat(SessionSoak.count("/proc/self/task")).isLessThanOrEqualTo(threads + 20);
            assertThat(SessionSoak.count("/proc/self/fd")).isLessThanOrEqualTo(open + 20);
        }
    }

    @Test
    void dropEventsThatComeAfterTheClientWasClosed() {
        AtomicBoolean ran = new AtomicBoolean();
        try (SshThreads threads = new SshThreads()) {
            threads.io().shutdownNow();

            threads.io().execute(() -> ran.set(true));
        }
        assertThat(ran).isFalse();
    }

    private void cycles(FaultySshd sshd, int count) {
        for (int i = 0; i < count; i++) {
            try (NodeSession session = sshd.connect(transport)) {
                assertThat(session.run(COMMAND).exitStatus()).isZero();
            }
        }
    }
}
