package io.clusterwright.linux.local;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.locks.ReentrantLock;

/** A folder held against other processes and, as locks of files do not keep threads apart, against other threads. */
final class FolderLock implements AutoCloseable {
    private static final ConcurrentMap<Path, ReentrantLock> THREADS = new ConcurrentHashMap<>();

    private final Path folder;
    private final ReentrantLock threads;
    private final FileChannel channel;

    private FolderLock(Path folder, ReentrantLock threads, FileChannel channel) {
        this.folder = folder;
        this.threads = threads;
        this.channel = channel;
    }

    static FolderLock of(Path folder) throws IOException {
        ReentrantLock threads = THREADS.computeIfAbsent(folder, unused -> new ReentrantLock());
        threads.lock();
        boolean held = false;
        try {
            FileChannel channel =
                    FileChannel.open(folder.resolve(".lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
            try {
                channel.lock();
                held = true;
                return new FolderLock(folder, threads, channel);
            } finally {
                if (!held) {
                    channel.close();
                }
            }
        } finally {
            if (!held) {
                threads.unlock();
            }
        }
    }

    Path folder() {
        return folder;
    }

    @Override
    public void close() throws IOException {
        try {
            channel.close();
        } finally {
            threads.unlock();
        }
    }
}
