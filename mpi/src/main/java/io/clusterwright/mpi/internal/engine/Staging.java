package io.clusterwright.mpi.internal.engine;

import io.clusterwright.core.Command;
import io.clusterwright.core.NodeSession;
import io.clusterwright.core.NodeUnreachableException;
import io.clusterwright.core.internal.concurrent.Tasks;
import io.clusterwright.core.internal.concurrent.WaitTime;
import io.clusterwright.core.internal.file.PrivateFiles;
import io.clusterwright.core.internal.session.Reconnection;
import io.clusterwright.core.internal.text.PosixShell;
import io.clusterwright.core.plan.Finding;
import io.clusterwright.core.type.ClusterwrightException;
import io.clusterwright.core.type.NodeName;
import io.clusterwright.mpi.internal.finding.MpiFinding;
import io.clusterwright.mpi.job.StagingFailedException;
import io.clusterwright.mpi.spi.LaunchNode;
import io.clusterwright.mpi.spi.NodeTarget;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeoutException;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

/**
 * The copies of a job's files to its nodes and back, several at once, over the sessions the target holds.
 *
 * @param folder in which the ranks start; empty for the folder of a session
 */
public record Staging(NodeTarget target, StagedFiles files, String folder) {
    private static final int AT_ONCE = 8;

    /**
     * Gives every node the job's files.
     *
     * @throws StagingFailedException when a node does not have them all
     */
    public void in() {
        List<Copy> copies = new ArrayList<>();
        Set<NodeName> reached = ConcurrentHashMap.newKeySet();
        for (StagedFiles.In file : files.in()) {
            int mode = mode(file.regular());
            for (LaunchNode node : target.nodes()) {
                String what = file.local() + " to " + file.remotePath();
                Consumer<NodeSession> upload =
                        session -> session.upload(file.local(), path(file.remotePath(), session), mode);
                copies.add(new Copy(node.name(), what, () -> overAnyConnection(node.name(), reached, upload)));
            }
        }
        Map<NodeName, String> problems = new LinkedHashMap<>();
        run(copies, (node, problem) -> problems.merge(node, problem, (a, b) -> a + "; " + b));
        if (!problems.isEmpty()) {
            throw new StagingFailedException(problems);
        }
    }

    /** A path that sessions take, which start in the home folder of the account of jobs. */
    private String path(String path, NodeSession session) {
        if (path.startsWith("/") || path.startsWith("~/")) {
            return PosixShell.fromHome(path);
        }
        String start = folder.isEmpty()
                ? session.run(Command.of("pwd")).orThrow().stdout().strip()
                : folder;
        return start + "/" + path;
    }

    /**
     * Fetches the job's files; says what could not be fetched.
     *
     * @param nodeLost whether the job lost a node: then no connection is waited for that cannot be opened at first
     */
    public List<Finding> out(boolean nodeLost) {
        List<Copy> copies = new ArrayList<>();
        Set<NodeName> reached = ConcurrentHashMap.newKeySet();
        if (!nodeLost) {
            target.nodes().forEach(node -> reached.add(node.name()));
        }
        for (StagedFiles.Out file : files.out()) {
            List<LaunchNode> nodes =
                    file.fromAll() ? target.nodes() : target.nodes().subList(0, 1);
            for (LaunchNode node : nodes) {
                Path folder =
                        file.fromAll() ? file.localFolder().resolve(node.name().value()) : file.localFolder();
                String what = file.remotePath() + " to " + folder;
                copies.add(new Copy(node.name(), what, () -> fetch(node.name(), reached, file, folder)));
            }
        }
        List<Finding> findings = new ArrayList<>();
        run(copies, (node, problem) -> findings.add(MpiFinding.NOT_FETCHED.of(node, problem)));
        return findings;
    }

    private void fetch(NodeName node, Set<NodeName> reached, StagedFiles.Out file, Path folder) {
        try {
            Files.createDirectories(folder);
        } catch (IOException e) {
            throw new ClusterwrightException("cannot create the folder " + folder, e);
        }
        overAnyConnection(
                node,
                reached,
                session -> session.download(path(file.remotePath(), session), folder.resolve(file.name())));
    }

    /**
     * Copies over a session; over another one when the connection was lost before the copy began. A copy that has begun goes on by itself.
     *
     * @param reached the nodes that a session was opened to; the first session to another node is not waited for
     */
    private void overAnyConnection(NodeName node, Set<NodeName> reached, Consumer<NodeSession> copy) {
        Reconnection reconnection = new Reconnection(WaitTime.OF_PROCESS);
        while (true) {
            NodeSession session = null;
            try {
                session = target.session(node);
                reached.add(node);
                copy.accept(session);
                return;
            } catch (NodeUnreachableException e) {
                boolean lost = session == null ? reached.contains(node) : !session.isOpen();
                if (!lost || e.machineState().isPresent()) {
                    throw e;
                }
                if (reconnection.isOver()) {
                    reached.remove(node);
                    throw e;
                }
            }
            Tasks.interruptibly("interrupted while the connection to " + node + " was opened", reconnection::pause);
        }
    }

    private void run(List<Copy> copies, BiConsumer<NodeName, String> problems) {
        Tasks.each(
                "staging",
                AT_ONCE,
                files.limit(),
                copies,
                copy -> {
                    copy.work.run();
                    return true;
                },
                (copy, cause) -> {
                    problems.accept(copy.node, copy.what + ": " + problem(cause));
                    return false;
                });
    }

    private String problem(Throwable cause) {
        if (cause instanceof TimeoutException) {
            return "not done within " + files.limit() + "; raise stagingLimit";
        }
        return cause instanceof CancellationException ? "the copy was interrupted" : String.valueOf(cause.getMessage());
    }

    private static int mode(Path file) {
        try {
            return PrivateFiles.mode(file);
        } catch (IOException e) {
            throw new ClusterwrightException("cannot read " + file, e);
        }
    }

    private record Copy(NodeName node, String what, Runnable work) {}
}
