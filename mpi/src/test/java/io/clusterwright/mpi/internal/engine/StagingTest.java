package io.clusterwright.mpi.internal.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.clusterwright.core.Command;
import io.clusterwright.core.CommandResult;
import io.clusterwright.core.MachineState;
import io.clusterwright.core.NodeSession;
import io.clusterwright.core.NodeUnreachableException;
import io.clusterwright.core.RunningCommand;
import io.clusterwright.core.RunningCommand.OutputListener;
import io.clusterwright.core.internal.concurrent.WaitTime;
import io.clusterwright.core.type.Ipv4Address;
import io.clusterwright.core.type.NodeName;
import io.clusterwright.core.type.UserName;
import io.clusterwright.mpi.job.StagingFailedException;
import io.clusterwright.mpi.spi.LaunchNode;
import io.clusterwright.mpi.spi.NodeTarget;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Collection;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StagingTest {
    private static final NodeName NODE = NodeName.of("demo1");

    private final AtomicLong now = new AtomicLong();

    @TempDir
    private Path folder;

    @BeforeEach
    void letTimeFly() {
        WaitTime.use(new WaitTime.Source() {
            @Override
            public long nanos() {
                return now.get();
            }

            @Override
            public void sleep(Duration time) {
                now.addAndGet(Duration.ofMinutes(1).toNanos());
            }
        });
    }

    @AfterEach
    void useRealTime() {
        WaitTime.useReal();
    }

    private Staging staging(Nodes nodes) throws IOException {
        Path local = Files.writeString(folder.resolve("local"), "text");
        StagedFiles files = StagedFiles.NONE
                .withIn(local, folder.resolve("there").toString())
                .withOut(local.toString(), folder.resolve("back"), false);
        return new Staging(nodes, files, "");
    }

    @Test
    void aFileIsCopiedOverAnotherConnectionWhenTheFirstOneIsLost() throws IOException {
        Staging staging = staging(new Nodes(Link.BREAKS, Link.CLOSED, Link.OPEN));

        staging.in();

        assertThat(folder.resolve("there")).hasContent("text");
    }

    @Test
    void aFileIsFetchedWhenTheConnectionComesBack() throws IOException {
        Staging staging = staging(new Nodes(Link.CLOSED, Link.CLOSED, Link.BREAKS, Link.OPEN));

        assertThat(staging.out(false)).isEmpty();

        assertThat(folder.resolve("back/local")).hasContent("text");
    }

    @Test
    void aConnectionThatDoesNotComeBackIsGivenUp() throws IOException {
        Staging staging = staging(new Nodes(Link.BREAKS, Link.CLOSED));

        assertThatThrownBy(staging::in)
                .isInstanceOf(StagingFailedException.class)
                .hasMessageContaining("demo1 does not answer");
        assertThat(Duration.ofNanos(now.get())).isBetween(Duration.ofMinutes(3), Duration.ofMinutes(5));
    }

    @Test
    void aNodeThatWasNeverReachedIsNotWaitedFor() throws IOException {
        assertThatThrownBy(staging(new Nodes(Link.CLOSED))::in).hasMessageContaining("demo1 does not answer");
        assertThat(now).hasValue(0);
    }

    @Test
    void aLostNodeIsNotWaitedFor() throws IOException {
        assertThat(staging(new Nodes(Link.CLOSED)).out(true)).hasSize(1);
        assertThat(now).hasValue(0);
    }

    @Test
    void aMachineThatDoesNotRunIsNotWaitedFor() throws IOException {
        assertThat(staging(new Nodes(Link.BREAKS, Link.STOPPED)).out(false)).hasSize(1);
        assertThat(Duration.ofNanos(now.get())).isEqualTo(Duration.ofMinutes(1));
    }

    /** The state of the connection that a session is asked for. */
    private enum Link {
        CLOSED,
        STOPPED,
        BREAKS,
        OPEN
    }

    private static final class Nodes implements NodeTarget {
        private final Deque<Link> links;

        /** A node whose connections are these; the last one stays. */
        Nodes(Link... links) {
            this.links = new ArrayDeque<>(Arrays.asList(links));
        }

        @Override
        public List<LaunchNode> nodes() {
            return List.of(new LaunchNode(NODE, Ipv4Address.of("127.0.0.1"), 1));
        }

        @Override
        public NodeTarget only(Collection<NodeName> names) {
            return this;
        }

        @Override
        public NodeSession session(NodeName node) {
            Link link = links.size() > 1 ? links.remove() : links.element();
            return switch (link) {
                case CLOSED -> throw lost(null);
                case STOPPED -> throw lost(MachineState.STOPPED);
                case BREAKS, OPEN -> new Session(link == Link.OPEN);
            };
        }

        private static NodeUnreachableException lost(@Nullable MachineState state) {
            String message = "demo1 does not answer";
            return state == null
                    ? new NodeUnreachableException(NODE, message)
                    : new NodeUnreachableException(NODE, state, message, new IOException("timed out"));
        }
    }

    private record Session(boolean isOpen) implements NodeSession {
        @Override
        public NodeName node() {
            return NODE;
        }

        @Override
        public UserName user() {
            return UserName.of("tester");
        }

        @Override
        public CommandResult run(Command command) {
            throw new UnsupportedOperationException();
        }

        @Override
        public RunningCommand start(Command command, OutputListener output) {
            throw new UnsupportedOperationException();
        }

        @Override
        public void write(byte[] content, String remotePath, int mode) {
            throw new UnsupportedOperationException();
        }

        @Override
        public void upload(Path local, String remotePath, int mode) {
            copy(local, Path.of(remotePath));
        }

        @Override
        public void download(String remotePath, Path local) {
            copy(Path.of(remotePath), local);
        }

        private void copy(Path from, Path to) {
            if (!isOpen) {
                throw new NodeUnreachableException(NODE, "the connection broke");
            }
            try {
                Files.copy(from, to, StandardCopyOption.REPLACE_EXISTING);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        @Override
        public void close() {}
    }
}
