package io.clusterwright.linux.internal.local;

import io.clusterwright.core.internal.concurrent.Deadline;
import io.clusterwright.core.internal.file.PrivateFiles;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.FileSystemException;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.locks.ReentrantLock;

/** Holds a folder against other processes and, as locks of files do not keep threads apart, against other threads. */
final class FolderLock {
    /** The locks of folders, by their paths without links: a process that opens a locked file twice loses the lock. */
    private static final ConcurrentMap<Path, ReentrantLock> THREADS = new ConcurrentHashMap<>();

    /** Longer than the longest work under a lock, which is a download of packages. */
    private static final Duration LIMIT = Duration.ofMinutes(20);

    private static final Duration POLL = Duration.ofMillis(10);

    private FolderLock() {}

    /** Does a step while the folder is locked. What cannot be read or written is a failure of the step. */
    static void holding(Path folder, String step, Work work) {
        try {
            holding(folder, work);
        } catch (IOException e) {
            throw LocalMachinesException.of(step, e);
        }
    }

    static void holding(Path folder, Work work) throws IOException {
        ReentrantLock threads = THREADS.computeIfAbsent(folder.toRealPath(), unused -> new ReentrantLock());
        threads.lock();
        try (FileChannel channel = open(folder.resolve(".lock"))) {
            lock(channel, folder);
            work.run();
        } finally {
            threads.unlock();
        }
    }

    private static FileChannel open(Path file) throws IOException {
        try {
            PrivateFiles.create(file);
            return FileChannel.open(file, StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS);
        } catch (FileSystemException e) {
            throw e;
        } catch (IOException e) {
            // A link is refused without its name.
            throw new FileSystemException(file.toString(), null, e.getMessage());
        }
    }

    private static void lock(FileChannel channel, Path folder) throws IOException {
        Deadline deadline = Deadline.in("wait for the lock", LIMIT);
        while (channel.tryLock() == null) {
            if (deadline.passed()) {
                throw LocalMachinesException.of(
                        "use the folder " + folder,
                        "another process has held " + folder.resolve(".lock") + " for " + LIMIT.toMinutes()
                                + " min; find that process, end it and try again: fuser -v " + folder.resolve(".lock"));
            }
            Mounts.pause(POLL);
        }
    }

    /** The work that runs while the folder is locked. */
    @FunctionalInterface
    interface Work {
        void run() throws IOException;
    }
}
