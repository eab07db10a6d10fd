package io.clusterwright.mpi;

import io.clusterwright.core.Command;
import io.clusterwright.core.NodeSession;
import io.clusterwright.core.NodeUnreachableException;
import io.clusterwright.core.RunningCommand;
import io.clusterwright.core.RunningCommand.OutputListener;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.Objects;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/** This machine as a node, with a connection that a test breaks. */
public final class BreakableSession implements AutoCloseable {
    private static final Duration SOON = Duration.ofSeconds(30);

    private final LocalSession local = new LocalSession();
    private final NodeSession session = (NodeSession) Proxy.newProxyInstance(
            getClass().getClassLoader(),
            new Class<?>[] {NodeSession.class},
            (proxy, method, arguments) -> method.getName().equals("start")
                    ? start((Command) arguments[0], (OutputListener) arguments[1])
                    : method.invoke(local, arguments));
    private volatile Breakable last = new Breakable();

    public NodeSession session() {
        return session;
    }

    /** Breaks the connection of the command that was started last. */
    public void breakConnection() {
        last.broken = true;
    }

    /** Whether output came from the command that was started last. */
    public boolean hasBegun() {
        return last.begun;
    }

    @Override
    public void close() {
        local.close();
    }

    private RunningCommand start(Command command, OutputListener output) {
        Breakable made = new Breakable();
        made.inner = local.start(command, (stream, bytes, length) -> {
            made.begun = true;
            output.onOutput(stream, bytes, length);
        });
        last = made;
        return made;
    }

    /** A command whose connection breaks, and which ends on the node then. */
    private static final class Breakable implements RunningCommand {
        private @Nullable RunningCommand inner;
        private volatile boolean broken;
        private volatile boolean begun;

        private RunningCommand inner() {
            return Objects.requireNonNull(inner);
        }

        @Override
        public OptionalInt await(Duration limit) {
            if (broken) {
                inner().close();
                inner().await(SOON);
                throw new NodeUnreachableException(LocalSession.NODE, "the connection broke");
            }
            return inner().await(limit);
        }

        @Override
        public void send(byte[] bytes) {
            if (!broken) {
                inner().send(bytes);
            }
        }

        @Override
        public void endInput() {
            inner().endInput();
        }

        @Override
        public void cancel(Duration grace) {
            inner().cancel(grace);
        }

        @Override
        public void close() {
            inner().close();
        }
    }
}
