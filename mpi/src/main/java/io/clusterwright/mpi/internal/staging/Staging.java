package io.clusterwright.mpi.internal.staging;

import io.clusterwright.core.internal.concurrent.Threads;
import io.clusterwright.core.plan.Finding;
import io.clusterwright.core.type.ClusterwrightException;
import io.clusterwright.core.type.InvalidValueException;
import io.clusterwright.core.type.NodeName;
import io.clusterwright.mpi.StagingFailedException;
import io.clusterwright.mpi.internal.finding.MpiFinding;
import io.clusterwright.mpi.spi.LaunchNode;
import io.clusterwright.mpi.spi.NodeTarget;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Copies a job's files to its nodes and back, several at once, over the sessions the target holds. */
public final class Staging {
    private static final int AT_ONCE = 8;
    private static final int DEFAULT_MODE = 0644;

    private final NodeTarget target;
    private final StagedFiles files;

    public Staging(NodeTarget target, StagedFiles files) {
        this.target = target;
        this.files = files;
    }

    /**
     * Gives every node the job's files.
     *
     * @throws StagingFailedException when a node does not have them all
     */
    public void in() {
        List<Copy> copies = new ArrayList<>();
        for (StagedFiles.In file : files.in()) {
            if (!Files.isRegularFile(file.local())) {
                throw new InvalidValueException(
                        "file to copy to the nodes",
                        file.local().toString(),
                        "a regular file; pack folders into an archive",
                        "case.tar");
            }
            int mode = mode(file.local());
            for (LaunchNode node : target.nodes()) {
                String what = file.local() + " to " + file.remotePath();
                copies.add(new Copy(
                        node.name(),
                        what,
                        () -> target.session(node.name()).upload(file.local(), file.remotePath(), mode)));
            }
        }
        List<Problem> problems = run(copies);
        if (!problems.isEmpty()) {
            Map<NodeName, String> byNode = new LinkedHashMap<>();
            problems.forEach(problem -> byNode.merge(problem.node, problem.text, (a, b) -> a + "; " + b));
            throw new StagingFailedException(byNode);
        }
    }

    /** Fetches the job's files; says what could not be fetched. */
    public List<Finding> out() {
        List<Copy> copies = new ArrayList<>();
        for (StagedFiles.Out file : files.out()) {
            List<LaunchNode> nodes =
                    file.fromAll() ? target.nodes() : target.nodes().subList(0, 1);
            for (LaunchNode node : nodes) {
                Path folder =
                        file.fromAll() ? file.localFolder().resolve(node.name().value()) : file.localFolder();
                copies.add(new Copy(
                        node.name(), file.remotePath() + " to " + folder, () -> fetch(node.name(), file, folder)));
            }
        }
        return run(copies).stream()
                .map(problem -> MpiFinding.NOT_FETCHED.of(problem.node, problem.text))
                .toList();
    }

    private void fetch(NodeName node, StagedFiles.Out file, Path folder) {
        try {
            Files.createDirectories(folder);
        } catch (IOException e) {
            throw new ClusterwrightException("the folder " + folder + " cannot be made", e);
        }
        target.session(node).download(file.remotePath(), folder.resolve(file.name()));
    }

    private List<Problem> run(List<Copy> copies) {
        if (copies.isEmpty()) {
            return List.of();
        }
        ExecutorService pool = Threads.pool("staging", Math.min(AT_ONCE, copies.size()));
        try {
            Map<Copy, Future<?>> pending = new LinkedHashMap<>();
            copies.forEach(copy -> pending.put(copy, pool.submit(copy.work)));
            long deadline = System.nanoTime() + files.limit().toNanos();
            List<Problem> problems = new ArrayList<>();
            pending.forEach((copy, future) -> {
                String text = outcome(future, deadline, files.limit());
                if (!text.isEmpty()) {
                    problems.add(new Problem(copy.node, copy.what + ": " + text));
                }
            });
            return problems;
        } finally {
            pool.shutdownNow();
        }
    }

    private static String outcome(Future<?> future, long deadline, Duration limit) {
        if (Thread.currentThread().isInterrupted()) {
            return "the copy was interrupted";
        }
        try {
            future.get(Math.max(0, deadline - System.nanoTime()), TimeUnit.NANOSECONDS);
            return "";
        } catch (TimeoutException e) {
            return "not done within " + limit + "; raise stagingLimit";
        } catch (ExecutionException e) {
            return String.valueOf(e.getCause() == null ? e : e.getCause().getMessage());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return "the copy was interrupted";
        }
    }

    private static int mode(Path file) {
        try {
            Set<PosixFilePermission> permissions = Files.getPosixFilePermissions(file);
            int mode = 0;
            for (PosixFilePermission permission : permissions) {
                mode |= 0400 >> permission.ordinal();
            }
            return mode;
        } catch (UnsupportedOperationException e) {
            return DEFAULT_MODE;
        } catch (IOException e) {
            throw new ClusterwrightException(file + " cannot be read", e);
        }
    }

    private record Copy(NodeName node, String what, Runnable work) {}

    private record Problem(NodeName node, String text) {}
}
