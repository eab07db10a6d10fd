package io.clusterwright.linux.internal.ssh;

import io.clusterwright.core.Command;
import io.clusterwright.core.CommandException;
import io.clusterwright.core.CommandResult;
import io.clusterwright.core.NodeSession;
import io.clusterwright.core.NodeUnreachableException;
import io.clusterwright.core.RunningCommand;
import io.clusterwright.core.RunningCommand.OutputListener;
import io.clusterwright.core.RunningCommand.OutputListener.Stream;
import io.clusterwright.core.internal.concurrent.Deadline;
import io.clusterwright.core.internal.session.CommandRun;
import io.clusterwright.core.internal.session.RepeatedFanOut.RepeatedCommands;
import io.clusterwright.core.internal.session.SessionResources;
import io.clusterwright.core.internal.session.UploadFanOut.SharedUpload;
import io.clusterwright.core.internal.text.Nonce;
import io.clusterwright.core.spi.NodeTransport.Target;
import io.clusterwright.core.type.ClusterwrightException;
import io.clusterwright.core.type.NodeName;
import io.clusterwright.core.type.OperationInterruptedException;
import io.clusterwright.core.type.UserName;
import io.clusterwright.linux.internal.copy.TreeUpload;
import io.clusterwright.linux.internal.ssh.LeaderMark.Leader;
import io.clusterwright.linux.internal.ssh.SshLinks.Purpose;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.sshd.client.session.ClientSession;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A session over one SSH connection, and over further ones while many commands run at once. */
final class SshNodeSession implements NodeSession, RepeatedCommands, SharedUpload, SessionResources.Holder {
    private static final Logger LOG = LoggerFactory.getLogger(SshNodeSession.class);

    private final NodeName node;
    private final UserName user;
    private final SshLinks links;
    private final SshThreads threads;
    private final SshExec exec;
    private final ProcessSessionEnder ender;
    private final SftpFiles files;
    private final SessionAgent agent;
    private final Set<SshRunningCommand> running = ConcurrentHashMap.newKeySet();
    private final SessionResources resources = new SessionResources();

    SshNodeSession(Target target, SshLinks links, SshThreads threads) {
        this.node = target.node();
        this.user = target.user();
        this.links = links;
        this.threads = threads;
        this.exec = new SshExec(node, links, threads);
        this.ender = new ProcessSessionEnder(node, exec, isRoot());
        this.agent = new SessionAgent(exec, threads.workers());
        this.files = new SftpFiles(node, user, links, threads.workers(), SftpFiles.TIMEOUT);
    }

    @Override
    public String toString() {
        return "session of " + user + " on " + node;
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
        return overChannel(new CommandRun(command));
    }

    @Override
    public CommandResult runAgain(Command command) {
        CommandRun run = new CommandRun(command);
        CommandAgent ready = agent.ready();
        byte[] request = ready == null ? null : request(command);
        if (ready != null && request != null) {
            links.requireOpen();
            awaitTurn(command, run.deadline());
            AgentRun begun = begin(ready, request, run);
            if (begun != null) {
                return begun.result();
            }
        }
        CommandResult result = overChannel(run);
        agent.missed();
        return result;
    }

    @Override
    public Optional<Begun> begin(Command command) {
        CommandAgent ready = agent.ready();
        byte[] request = ready == null ? null : request(command);
        return ready != null && request != null && links.isOpen() && links.tryTurn()
                ? Optional.ofNullable(begin(ready, request, new CommandRun(command)))
                : Optional.empty();
    }

    private byte @Nullable [] request(Command command) {
        return AgentFrames.request(command, isRoot()).orElse(null);
    }

    /** Begins a command whose turn it is; null, and its turn is over, when the agent takes none any more. */
    private @Nullable AgentRun begin(CommandAgent ready, byte[] request, CommandRun run) {
        AgentCommand carrier = ready.launch(request, run.output(Stream.STDOUT), run.output(Stream.STDERR));
        if (carrier == null) {
            links.endTurn();
            return null;
        }
        return new AgentRun(run, carrier, keep(new SshRunningCommand(node, run.command(), carrier, ender)));
    }

    private CommandResult overChannel(CommandRun run) {
        SshRunningCommand running = launch(run.command(), run.deadline(), run::accept);
        running.endInput();
        return run.result(node, status(run, running));
    }

    private int status(CommandRun run, SshRunningCommand running) {
        return running.await(run.deadline().remaining()).orElseThrow(() -> run.timedOut(node, end(running)));
    }

    @Override
    public RunningCommand start(Command command, OutputListener output) {
        return launch(command, Deadline.in("command's timeout", command.timeout()), output);
    }

    private SshRunningCommand launch(Command command, Deadline deadline, OutputListener output) {
        links.requireOpen();
        awaitTurn(command, deadline);
        boolean launched = false;
        try {
            String nonce = Nonce.next();
            ExecChannel channel = exec.open(ExecLine.of(command, nonce, isRoot()), Purpose.COMMAND, deadline);
            SshRunningCommand launching = keep(new SshRunningCommand(
                    node,
                    command,
                    new ChannelCarrier(node, command, nonce, channel, output, threads.workers()),
                    ender));
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

    private SshRunningCommand keep(SshRunningCommand launched) {
        running.add(launched);
        launched.ended().whenComplete((status, failure) -> {
            running.remove(launched);
            links.endTurn();
        });
        return launched;
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

    private CommandException.TimedOut notStarted(Command command, Deadline deadline, String why) {
        return new CommandException.TimedOut(
                node, "`" + command + "` was not started on " + node + " within " + deadline + ": " + why);
    }

    private static String end(SshRunningCommand running) {
        try {
            running.cancel(CommandRun.GRACE);
            return "and has been ended";
        } catch (NodeUnreachableException e) {
            throw e;
        } catch (ClusterwrightException e) {
            return "and may still run (" + e.getMessage() + ")";
        }
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
    public Set<NodeName> upload(Path local, String remotePath, List<Place> places) {
        return TreeUpload.upload(local, remotePath, places);
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
        List<SshRunningCommand> left = List.copyOf(running);
        try {
            endAll(left);
        } catch (NodeUnreachableException e) {
            LOG.debug("what runs on {} goes on, as the connection is broken", node, e);
        } finally {
            Deadline closed = Deadline.in("close timeout", SshRunningCommand.UNTIL_CLOSED);
            left.forEach(command -> command.discard(closed.remaining()));
            agent.close();
            files.close();
            links.close();
        }
    }

    private void endAll(List<SshRunningCommand> left) {
        if (left.isEmpty() || !links.isOpen()) {
            return;
        }
        boolean elevated = left.stream().anyMatch(SshRunningCommand::elevated);
        Deadline marked = Deadline.in("mark timeout", SshRunningCommand.UNTIL_MARKED);
        List<Leader> leaders = left.stream()
                .flatMap(command -> command.leaders(marked.remaining()).stream())
                .toList();
        ender.end(leaders, elevated, Duration.ZERO);
    }

    private boolean isRoot() {
        return user.equals(UserName.ROOT);
    }

    /** A command that an agent runs. */
    private final class AgentRun implements Begun {
        private final CommandRun run;
        private final AgentCommand carrier;
        private final SshRunningCommand running;

        AgentRun(CommandRun run, AgentCommand carrier, SshRunningCommand running) {
            this.run = run;
            this.carrier = carrier;
            this.running = running;
        }

        @Override
        public CompletableFuture<?> reported() {
            return carrier.ended();
        }

        @Override
        public boolean isDone() {
            return carrier.isOver() && !carrier.isDeclined();
        }

        @Override
        public CommandResult result() {
            int status = status(run, running);
            return carrier.isDeclined() ? overChannel(run) : run.result(node, status);
        }

        @Override
        public OperationInterruptedException end(InterruptedException cause) {
            return running.interrupted(cause);
        }
    }
}
