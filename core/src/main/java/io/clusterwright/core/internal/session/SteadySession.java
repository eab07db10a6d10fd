package io.clusterwright.core.internal.session;

import io.clusterwright.core.Command;
import io.clusterwright.core.CommandResult;
import io.clusterwright.core.NodeSession;
import io.clusterwright.core.NodeUnreachableException;
import io.clusterwright.core.RunningCommand;
import io.clusterwright.core.RunningCommand.OutputListener;
import io.clusterwright.core.internal.concurrent.Deadline;
import io.clusterwright.core.internal.concurrent.WaitTime;
import io.clusterwright.core.internal.text.Reason;
import io.clusterwright.core.spi.Machine;
import io.clusterwright.core.spi.NodeBackend;
import io.clusterwright.core.spi.NodeTransport;
import io.clusterwright.core.spi.ScriptChannel;
import io.clusterwright.core.type.NodeName;
import io.clusterwright.core.type.UserName;
import java.nio.file.Path;
import java.time.Duration;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The session of a step of {@code create} or {@code resize}, which a lost connection does not end: the connection is opened again for as long as
 * the node's deadline allows. Copies and short commands are repeated then, so they must be fit for that. Long commands run apart from the
 * connection, by scripts that are asked for their end, so that none runs twice.
 */
public final class SteadySession implements NodeSession {
    /** Commands with a longer timeout run apart from the connection. */
    private static final Duration SHORT = Command.DEFAULT_TIMEOUT;

    private final Sessions sessions;
    private final Machine machine;
    private final UserName user;
    private final Duration deadline;
    private final Consumer<String> progress;
    private final NodeBackend backend;
    private @Nullable NodeSession apart;

    /**
     * Opens a session to a machine as a user.
     *
     * @param deadline how long a lost connection is waited for
     * @param progress gets a line when a connection was lost and is open again
     */
    public SteadySession(
            Sessions sessions,
            NodeBackend backend,
            Machine machine,
            UserName user,
            Duration deadline,
            Consumer<String> progress) {
        this.sessions = sessions;
        this.machine = machine;
        this.user = user;
        this.deadline = deadline;
        this.progress = progress;
        this.backend = backend;
        steadily(session -> true);
    }

    /** Its commands run apart from the connection. It opens nothing by itself: it asks the channel for each script. */
    private synchronized NodeSession apart() {
        if (apart == null) {
            try (NodeTransport relay = backend.openRelayTransport()) {
                apart = relay.connect(sessions.target(machine, user, deadline).relayedBy(ScriptsOverSession::new));
            }
        }
        return apart;
    }

    @Override
    public NodeName node() {
        return machine.name();
    }

    @Override
    public UserName user() {
        return user;
    }

    @Override
    public boolean isOpen() {
        return true;
    }

    @Override
    public CommandResult run(Command command) {
        return command.timeout().compareTo(SHORT) > 0
                ? apart().run(command)
                : steadily(session -> session.run(command));
    }

    @Override
    public RunningCommand start(Command command, OutputListener output) {
        return command.inputOpen() ? current().start(command, output) : apart().start(command, output);
    }

    @Override
    public void write(byte[] content, String remotePath, int mode) {
        done(session -> session.write(content, remotePath, mode));
    }

    @Override
    public void upload(Path local, String remotePath, int mode) {
        done(session -> session.upload(local, remotePath, mode));
    }

    @Override
    public void download(String remotePath, Path local) {
        done(session -> session.download(remotePath, local));
    }

    /** Not repeated, as a second copy would go into the folder of the first: copies of folders go on over another connection by themselves. */
    @Override
    public void uploadTree(Path local, String remotePath) {
        current().uploadTree(local, remotePath);
    }

    /** Not repeated, as {@link #uploadTree}. */
    @Override
    public void downloadTree(String remotePath, Path local) {
        current().downloadTree(remotePath, local);
    }

    /** The session of the open connection; opens one where there is none. */
    public NodeSession current() {
        return sessions.session(machine, user);
    }

    /** Ends nothing: the connection belongs to the cluster's sessions. */
    @Override
    public void close() {}

    private void done(Consumer<NodeSession> work) {
        steadily(session -> {
            work.accept(session);
            return true;
        });
    }

    /**
     * Does something over the open connection, and again over another one where the connection is lost.
     *
     * @param work what may be done twice; it throws {@link NodeUnreachableException} for a lost connection
     */
    public <T> T steadily(Function<NodeSession, T> work) {
        Deadline end = Deadline.in(WaitTime.RUNNING, "deadline of a node", deadline);
        while (true) {
            NodeSession session = null;
            try {
                session = current();
                return work.apply(session);
            } catch (NodeUnreachableException e) {
                boolean lost = session == null || !session.isOpen();
                if (!lost || end.passed() || Thread.currentThread().isInterrupted()) {
                    throw e;
                }
                progress.accept("the connection to " + node() + " was lost, and is opened again: " + Reason.of(e));
                sessions.awaitReady(machine, user, end.remaining());
            }
        }
    }

    /** Runs scripts over the connection that is open at the time. */
    private final class ScriptsOverSession implements ScriptChannel {
        private static final int ANSWER_BYTES = 1024 * 1024;
        private static final int SCRIPT_BYTES = 1024 * 1024;
        private static final Duration LONGEST_WAIT = Duration.ofSeconds(2);

        @Override
        public Answer run(Script script, Duration limit) {
            CommandResult result = steadily(session -> session.run(Command.of("sh")
                    .input(script.text())
                    .elevate()
                    .markSensitive()
                    .timeout(limit)));
            return new Answer(result.stdout(), result.stderr());
        }

        @Override
        public int answerBytes() {
            return ANSWER_BYTES;
        }

        @Override
        public int scriptBytes() {
            return SCRIPT_BYTES;
        }

        @Override
        public Duration longestWait() {
            return LONGEST_WAIT;
        }
    }
}
