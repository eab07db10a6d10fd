package io.clusterwright.azure.emulator.internal.shared;

import io.clusterwright.core.type.ClusterwrightException;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.FileLockInterruptionException;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/** Locks between processes and threads: one at a time decides about the emulator, any number use it. */
public final class FileLocks {
    private static final ConcurrentMap<Path, ReentrantLock> DECIDING = new ConcurrentHashMap<>();
    private static final Map<Path, Users> USERS = new HashMap<>();

    private final Path decide;
    private final Path use;

    public FileLocks(Path folder) {
        this.decide = folder.resolve("decide.lock");
        this.use = folder.resolve("use.lock");
    }

    /** Does work while no one else decides; an interrupt does not cut the wait short. */
    public <T> T deciding(Supplier<T> work) {
        ReentrantLock threads = threads();
        threads.lock();
        boolean interrupted = false;
        try {
            while (true) {
                interrupted |= Thread.interrupted();
                try (FileChannel channel = open(decide)) {
                    Object opened = identity();
                    // Closing the channel gives the lock back.
                    channel.lock();
                    if (opened.equals(identity())) {
                        return work.get();
                    }
                } catch (FileLockInterruptionException e) {
                    interrupted = true;
                }
            }
        } catch (IOException e) {
            throw new ClusterwrightException("Cannot lock " + decide, e);
        } finally {
            threads.unlock();
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /** Decides at once, without waiting; false when another process or thread is deciding now. */
    public boolean decidedAtOnce(BooleanSupplier work) {
        ReentrantLock threads = threads();
        if (!threads.tryLock()) {
            return false;
        }
        try (FileChannel channel = open(decide);
                FileLock lock = channel.tryLock()) {
            return lock != null && work.getAsBoolean();
        } catch (IOException e) {
            throw new ClusterwrightException("Cannot lock " + decide, e);
        } finally {
            threads.unlock();
        }
    }

    /** Deletes the files of the locks; only while deciding, when no process uses the emulator. */
    public void delete() {
        try {
            Files.deleteIfExists(use);
            Files.deleteIfExists(decide);
        } catch (IOException e) {
            throw new ClusterwrightException("Cannot delete the locks of the emulator", e);
        }
    }

    /** Identity of the lock file: after a wait it may be a deleted one, while another process holds the lock of a new one. */
    private Object identity() throws IOException {
        try {
            return Files.getAttribute(decide, "unix:ino");
        } catch (NoSuchFileException e) {
            return "none";
        }
    }

    private ReentrantLock threads() {
        return DECIDING.computeIfAbsent(decide, path -> new ReentrantLock());
    }

    /** Marks this process as a user until the result is closed. */
    public AutoCloseable using() {
        synchronized (USERS) {
            Users users = USERS.get(use);
            if (users == null) {
                try {
                    FileChannel channel = open(use);
                    channel.lock(0, Long.MAX_VALUE, true);
                    users = new Users(channel);
                } catch (IOException e) {
                    throw new ClusterwrightException("Cannot lock " + use, e);
                }
                USERS.put(use, users);
            }
            users.count++;
        }
        return () -> {
            synchronized (USERS) {
                Users users = USERS.get(use);
                if (users != null && --users.count == 0) {
                    USERS.remove(use);
                    users.channel.close();
                }
            }
        };
    }

    /** Releases a mark of {@link #using}. */
    public static void release(AutoCloseable mark) {
        try {
            mark.close();
        } catch (Exception e) {
            throw new IllegalStateException("Cannot release the lock of the emulator", e);
        }
    }

    /** Whether no process uses the emulator now. */
    public boolean isUnused() {
        synchronized (USERS) {
            if (USERS.containsKey(use)) {
                return false;
            }
            try (FileChannel channel = open(use);
                    FileLock lock = channel.tryLock()) {
                return lock != null;
            } catch (OverlappingFileLockException e) {
                return false;
            } catch (IOException e) {
                throw new ClusterwrightException("Cannot lock " + use, e);
            }
        }
    }

    private static FileChannel open(Path file) throws IOException {
        Path parent = file.getParent();
        if (parent != null) {
            PrivateFolder.create(parent);
        }
        return FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE);
    }

    private static final class Users {
        private final FileChannel channel;
        private int count;

        Users(FileChannel channel) {
            this.channel = channel;
        }
    }
}
