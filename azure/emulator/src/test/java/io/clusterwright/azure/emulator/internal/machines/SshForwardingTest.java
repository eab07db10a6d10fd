package io.clusterwright.azure.emulator.internal.machines;

import static org.assertj.core.api.Assertions.assertThat;

import io.clusterwright.core.internal.concurrent.WaitTime;
import java.io.IOException;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Isolated;

/** Ports that accept callers in a process that has no room for one. */
@Isolated("It changes the clock that waits in this JVM use.")
class SshForwardingTest {
    private final List<Duration> pauses = new ArrayList<>();

    @AfterEach
    void stay() {
        WaitTime.useReal();
    }

    @Test
    @Timeout(20)
    void pausesLongerAfterEachRefusedConnectionAndEndsWhenThePortIsClosed() throws IOException {
        int[] accepts = {0};
        try (SshForwarding ways = new SshForwarding();
                ServerSocket full = new ServerSocket() {
                    @Override
                    public Socket accept() throws IOException {
                        accepts[0]++;
                        throw new SocketException("Too many open files");
                    }
                }) {
            WaitTime.use(new WaitTime.Source() {
                @Override
                public long nanos() {
                    return System.nanoTime();
                }

                @Override
                public void sleep(Duration time) {
                    pauses.add(time);
                    if (pauses.size() == 20) {
                        try {
                            full.close();
                        } catch (IOException e) {
                            throw new IllegalStateException(e);
                        }
                    }
                }
            });

            ways.accept(full, Optional::empty);
        }
        assertThat(accepts[0]).isEqualTo(20);
        assertThat(pauses.get(0)).isLessThanOrEqualTo(Duration.ofMillis(10));
        assertThat(pauses.subList(10, 20))
                .allSatisfy(pause -> assertThat(pause).isBetween(Duration.ofMillis(500), Duration.ofSeconds(1)));
    }
}
