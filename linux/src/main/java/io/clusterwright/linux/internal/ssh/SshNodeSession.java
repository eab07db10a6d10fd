package io.clusterwright.linux.internal.ssh;

import io.clusterwright.core.Command;
import io.clusterwright.core.CommandResult;
import io.clusterwright.core.CommandTimeoutException;
import io.clusterwright.core.NodeSession;
import io.clusterwright.core.NodeUnreachableException;
import io.clusterwright.core.RunningCommand;
import io.clusterwright.core.RunningCommand.OutputListener;
import io.clusterwright.core.RunningCommand.OutputListener.Stream;
import io.clusterwright.core.internal.concurrent.Deadline;
import io.clusterwright.core.internal.session.SessionResources;
import io.clusterwright.core.spi.NodeTransport.Target;
import io.clusterwright.core.type.ClusterwrightException;
import io.clusterwright.core.type.NodeName;
import io.clusterwright.core.type.OperationInterruptedException;
import io.clusterwright.core.type.UserName;
import io.clusterwright.linux.internal.ssh.LeaderMark.Leader;
import io.clusterwright.linux.internal.ssh.SshLinks.Purpose;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.OptionalInt;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.sshd.client.session.ClientSession;

/** A session over one SSH connection, and over further ones while many commands run at once. */
final class SshNodeSession implements NodeSession, SessionResources.Holder {
    private static final int KEPT_BYTES = 16 * 1024 * 1024;
    private static final Duration GRACE = Duration.ofSeconds(2);
    private static final int SHOWN_LINES = 4;

    private final NodeName node;
    private final UserName user;
    private final SshLinks links;
    private final SshThreads threads;
    private final SshExec exec;
    private final SessionEnder ender;
    private final SftpFiles files;
    private final Set<SshCommand> running = ConcurrentHashMap.newKeySet();
    private final SessionResources resources = new SessionResources();

    SshNodeSession(Target target, SshLinks links, SshThreads threads) {
        this.node = target.node();
        this.user = target.user();
        this.links = links;
        this.threads = threads;
        this.exec = new SshExec(node, links, threads);
        this.ender = new SessionEnder(node, exec, isRoot());
        this.files = new SftpFiles(node, user, links, threads.workers(), SftpFiles.TIMEOUT);
    }

    @Override
    public NodeName node() {
        return node;
    }

    @Override
    public UserName user() {
        return user;
    }

    @Override
    public boolean isOpen() {
        return links.isOpen();
    }

    /** The connection, for others that go through it. */
    ClientSession connection() {
        links.requireOpen();
        return links.connection();
    }

    @Override
    public CommandResult run(Command command) {
        long begin = System.nanoTime();
        Deadline deadline = Deadline.in("command's timeout", command.timeout());
        TailBuffer out = new TailBuffer(KEPT_BYTES);
        TailBuffer err = new TailBuffer(KEPT_BYTES);
        SshCommand running = launch(
                command,
                deadline,
                (stream, bytes, length) -> (stream == Stream.STDOUT ? out : err).append(bytes, 0, length));
        running.endInput();
        OptionalInt status = running.await(deadline.remaining());
        if (status.isEmpty()) {
            throw timedOut(command, end(running), out, err);
        }
        return new CommandResult(
                node, command, status.getAsInt(), out.text(), err.text(), Duration.ofNanos(System.nanoTime() - begin));
    }

    @Override
    public RunningCommand start(Command command, OutputListener output) {
        return launch(command, Deadline.in("command's timeout", command.timeout()), output);
    }

    private SshCommand launch(Command command, Deadline deadline, OutputListener output) {
        links.requireOpen();
        awaitTurn(command, deadline);
        boolean launched = false;
        try {
            String nonce = Nonce.next();
            SshCommand launching = new SshCommand(
                    node,
                    command,
                    nonce,
                    exec.open(ExecLine.of(command, nonce, isRoot()), Purpose.COMMAND, deadline),
                    output,
                    threads.workers(),
                    ender);
            running.add(launching);
            launching.ended().whenComplete((status, failure) -> {
                running.remove(launching);
                links.endTurn();
            });
            launched = true;
            return launching;
        } catch (NodeUnreachableException e) {
            throw deadline.passed() && links.isOpen() ? notStarted(command, deadline, e.getMessage()) : e;
        } finally {
            if (!launched) {
                links.endTurn();
            }
        }
    }

    private void awaitTurn(Command command, Deadline deadline) {
        try {
            if (!links.awaitTurn(deadline.remaining())) {
                throw notStarted(command, deadline, "64 other commands of this session were running all that time");
            }
        } catch (InterruptedException e) {
            throw new OperationInterruptedException("interrupted before `" + command + "` was started on " + node, e);
        }
    }

    private CommandTimeoutException notStarted(Command command, Deadline deadline, String why) {
        return new CommandTimeoutException(
                node, "`" + command + "` was not started on " + node + " within " + deadline + ": " + why);
    }

    private static String end(SshCommand running) {
        try {
            running.cancel(GRACE);
            return "and has been ended";
        } catch (NodeUnreachableException e) {
            throw e;
        } catch (ClusterwrightException e) {
            return "and may still run (" + e.getMessage() + ")";
        }
    }

    private CommandTimeoutException timedOut(Command command, String then, TailBuffer out, TailBuffer err) {
        StringBuilder message = new StringBuilder("on " + node + ", `" + command + "` did not end within the command's"
                + " timeout of " + Deadline.text(command.timeout()) + " " + then);
        if (command.sensitive()) {
            message.append(" (output withheld: it may hold a secret)");
        } else {
            message.append(lastSeen("standard error", err)).append(lastSeen("standard output", out));
        }
        return new CommandTimeoutException(
                node,
                message.append("; Command.timeout(Duration) gives it more").toString());
    }

    private static String lastSeen(String name, TailBuffer output) {
        List<String> lines = output.lastLines(SHOWN_LINES);
        return lines.isEmpty() ? "" : "; last on " + name + ": " + String.join(" | ", lines);
    }

    @Override
    public void write(byte[] content, String remotePath, int mode) {
        files.write(content, remotePath, mode);
    }

    @Override
    public void upload(Path local, String remotePath, int mode) {
        files.upload(local, remotePath, mode);
    }

    @Override
    public void download(String remotePath, Path local) {
        files.download(remotePath, local);
    }

    @Override
    public void uploadTree(Path local, String remotePath) {
        files.uploadTree(local, remotePath);
    }

    @Override
    public void downloadTree(String remotePath, Path local) {
        files.downloadTree(remotePath, local);
    }

    @Override
    public SessionResources resources() {
        return resources;
    }

    @Override
    public void close() {
        resources.close();
        List<SshCommand> left = List.copyOf(running);
        try {
            endAll(left);
        } finally {
            Deadline closed = Deadline.in("close timeout", SshCommand.UNTIL_CLOSED);
            left.forEach(command -> command.discard(closed.remaining()));
            files.close();
            links.close();
        }
    }

    private void endAll(List<SshCommand> left) {
        if (left.isEmpty() || !links.isOpen()) {
            return;
        }
        boolean elevated = left.stream().anyMatch(SshCommand::elevated);
        Deadline marked = Deadline.in("mark timeout", SshCommand.UNTIL_MARKED);
        List<Leader> leaders = left.stream()
                .flatMap(command -> command.leaders(marked.remaining()).stream())
                .toList();
        ender.end(leaders, elevated, Duration.ZERO);
    }

    private boolean isRoot() {
        return user.equals(UserName.ROOT);
    }
}
