package io.clusterwright.core.internal.file;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * An attempt to lock a file, against other processes and against other users in this process; the file names its holder. A process loses its
 * lock when it closes any descriptor of the file, so this process opens no file that it has locked. Safe for use by several threads.
 */
public final class LockedFile implements Closeable {
    private static final int LONGEST_TEXT = 4096;

    /** The locked files of this process, by their identity. */
    private static final Map<Object, LockedFile> HELD = new HashMap<>();

    private final Path file;
    private final Object identity;
    private final @Nullable FileChannel channel;
    private String text;

    private LockedFile(Path file, Object identity, @Nullable FileChannel channel, String text) {
        this.file = file;
        this.identity = identity;
        this.channel = channel;
        this.text = text;
    }

    /** Tries to lock a file, which is made with mode 0600 where it is missing; a link is not followed. */
    public static LockedFile attempt(Path file) throws IOException {
        return attempt(file, () -> {});
    }

    /** @param beforeLocking runs between the opening of the file and its locking, where another process may replace the file */
    public static LockedFile attempt(Path file, Runnable beforeLocking) throws IOException {
        PrivateFiles.create(file);
        synchronized (HELD) {
            Object identity = identity(file);
            LockedFile other = HELD.get(identity);
            if (other != null) {
                return new LockedFile(file, identity, null, other.text);
            }
            FileChannel channel = FileChannel.open(
                    file, StandardOpenOption.READ, StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS);
            LockedFile attempt = new LockedFile(file, identity, channel, "");
            try {
                beforeLocking.run();
                boolean locked = lock(channel);
                attempt.text = read(channel);
                if (locked) {
                    HELD.put(identity, attempt);
                }
                return attempt;
            } finally {
                if (!attempt.isOurs()) {
                    channel.close();
                }
            }
        }
    }

    private static boolean lock(FileChannel channel) throws IOException {
        try {
            return channel.tryLock() != null;
        } catch (OverlappingFileLockException e) {
            return false; // Another copy of this class in the process has it.
        }
    }

    private static String read(FileChannel channel) throws IOException {
        ByteBuffer content = ByteBuffer.allocate(LONGEST_TEXT);
        int length = channel.read(content, 0);
        return new String(content.array(), 0, Math.max(0, length), StandardCharsets.UTF_8).strip();
    }

    /** What tells a file from another one of its name; its path where the system has nothing of the kind. */
    private static Object identity(Path file) throws IOException {
        Object key = Files.readAttributes(file, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS)
                .fileKey();
        return key == null ? file.toRealPath() : key;
    }

    /** Whether this attempt got the lock, and has not been closed since. */
    public boolean isOurs() {
        synchronized (HELD) {
            return HELD.get(identity) == this && channel != null && channel.isOpen();
        }
    }

    /** The text of the file when the attempt was made, or what this user wrote since. */
    public String text() {
        synchronized (HELD) {
            return text;
        }
    }

    /** Whether the file is still the one of its name, which another process may have removed before the lock was there. */
    public boolean isInPlace() throws IOException {
        try {
            return identity(file).equals(identity);
        } catch (NoSuchFileException e) {
            return false;
        }
    }

    /** Replaces the text of a file that this user has locked. Needs no more room on the disk for a text that is no longer. */
    public void write(String replacement) throws IOException {
        byte[] bytes = replacement.getBytes(StandardCharsets.UTF_8);
        boolean interrupted = Thread.interrupted(); // which would close the channel, and so end the lock
        try {
            synchronized (HELD) {
                FileChannel locked = Objects.requireNonNull(channel);
                text = replacement;
                locked.write(ByteBuffer.wrap(bytes), 0);
                locked.truncate(bytes.length);
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /** Ends the lock, if this attempt got it. */
    @Override
    public void close() throws IOException {
        synchronized (HELD) {
            if (channel != null && HELD.remove(identity, this)) {
                channel.close();
            }
        }
    }
}
