package io.clusterwright.core.internal.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.clusterwright.core.NodeSession;
import io.clusterwright.core.internal.concurrent.Threads;
import io.clusterwright.core.spi.NodeTransport;
import io.clusterwright.core.type.NodeName;
import io.clusterwright.core.type.OperationInterruptedException;
import io.clusterwright.core.type.UserName;
import java.lang.reflect.Proxy;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(value = 30, unit = TimeUnit.SECONDS)
class KeptSessionsTest {
    private static final UserName USER = UserName.of("azureuser");

    private final AtomicBoolean transportClosed = new AtomicBoolean();

    @Test
    void aCallerThatWaitsForTheLogInOfAnotherCanBeInterrupted() throws InterruptedException {
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch answer = new CountDownLatch(1);
        CompletableFuture<Throwable> second = new CompletableFuture<>();
        try (KeptSessions sessions = new KeptSessions(transport(), (node, user) -> {
            begun.countDown();
            await().atMost(20, TimeUnit.SECONDS).until(() -> answer.getCount() == 0);
            return session(() -> {});
        })) {
            Thread first = Threads.start("first", () -> sessions.session(node(1), USER));
            assertThat(begun.await(10, TimeUnit.SECONDS)).isTrue();
            Thread waiting = Threads.start("second", () -> {
                try {
                    sessions.session(node(1), USER);
                    second.complete(null);
                } catch (OperationInterruptedException e) {
                    second.complete(e);
                }
            });
            await().until(() ->
                    waiting.getState() == Thread.State.WAITING || waiting.getState() == Thread.State.BLOCKED);

            waiting.interrupt();

            assertThat(second.orTimeout(5, TimeUnit.SECONDS).join())
                    .hasMessage("interrupted while another login to node1 was in progress");
            answer.countDown();
            first.join();
        }
    }

    @Test
    void sessionsThatCloseSlowlyCloseSideBySide() {
        CyclicBarrier all = new CyclicBarrier(3);
        AtomicBoolean alone = new AtomicBoolean();
        KeptSessions sessions = new KeptSessions(
                transport(),
                (node, user) -> session(() -> {
                    try {
                        all.await(5, TimeUnit.SECONDS);
                    } catch (InterruptedException | BrokenBarrierException | TimeoutException e) {
                        alone.set(true);
                    }
                }));
        for (int number = 1; number <= 3; number++) {
            sessions.session(node(number), USER);
        }

        sessions.close();

        assertThat(alone).isFalse();
        assertThat(transportClosed).isTrue();
    }

    @Test
    void aSessionThatCannotBeClosedLeavesNoOtherOpen() {
        CountDownLatch closed = new CountDownLatch(3);
        KeptSessions sessions = new KeptSessions(
                transport(),
                (node, user) -> session(() -> {
                    closed.countDown();
                    throw new IllegalStateException("cannot close " + node);
                }));
        for (int number = 1; number <= 3; number++) {
            sessions.session(node(number), USER);
        }

        assertThatThrownBy(sessions::close)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageStartingWith("cannot close node");

        assertThat(closed.getCount()).isZero();
        assertThat(transportClosed).isTrue();
    }

    private static NodeName node(int number) {
        return NodeName.of("node" + number);
    }

    private NodeTransport transport() {
        return new NodeTransport() {
            @Override
            public NodeSession connect(Target target) {
                throw new UnsupportedOperationException();
            }

            @Override
            public void close() {
                transportClosed.set(true);
            }
        };
    }

    private static NodeSession session(Runnable close) {
        return (NodeSession) Proxy.newProxyInstance(
                NodeSession.class.getClassLoader(),
                new Class<?>[] {NodeSession.class},
                (proxy, method, arguments) -> switch (method.getName()) {
                    case "isOpen" -> true;
                    case "close" -> {
                        close.run();
                        yield null;
                    }
                    default -> throw new UnsupportedOperationException(method.getName());
                });
    }
}
