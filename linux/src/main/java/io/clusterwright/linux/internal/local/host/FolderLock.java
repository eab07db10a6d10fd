package io.clusterwright.linux.internal.local.host;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.locks.ReentrantLock;

/** Holds a folder against other processes and, as locks of files do not keep threads apart, against other threads. */
public final class FolderLock {
    private static final ConcurrentMap<Path, ReentrantLock> THREADS = new ConcurrentHashMap<>();

    private FolderLock() {}

    public static void holding(Path folder, Work work) throws IOException {
        ReentrantLock threads = THREADS.computeIfAbsent(folder, unused -> new ReentrantLock());
        threads.lock();
        try (FileChannel channel =
                FileChannel.open(folder.resolve(".lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
            channel.lock();
            work.run();
        } finally {
            threads.unlock();
        }
    }

    /** The work that runs while the folder is locked. */
    @FunctionalInterface
    public interface Work {
        void run() throws IOException;
    }
}
