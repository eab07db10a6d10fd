package io.clusterwright.linux.internal.ssh;

import io.clusterwright.core.NodeSession;
import java.io.IOException;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;

/** A real sshd for the tests of a class, and a session to it. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class WithSshd {
    RealSshd sshd;
    SshTransport transport;
    NodeSession session;

    @BeforeAll
    void start() {
        sshd = RealSshd.start();
        transport = new SshTransport();
        session = sshd.connect(transport);
    }

    @AfterAll
    void stop() throws IOException {
        session.close();
        transport.close();
        sshd.close();
    }

    static void awaitQuietly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
