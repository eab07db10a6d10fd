package io.clusterwright.core.internal.state;

import io.clusterwright.core.internal.file.PrivateFiles;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Optional;
import java.util.random.RandomGenerator;
import java.util.regex.Pattern;

/** The random id of a state folder, in its file {@code owner}, made once. Safe for use by several threads and processes. */
final class OwnerFile {
    private static final Pattern ID = Pattern.compile("[0-9a-f]{16}\\n");

    /**
     * Held while the file is open: the threads of a process cannot wait for each other by a lock of the file, and closing it elsewhere would
     * end the lock.
     */
    private static final Object OPENING = new Object();

    private final Path folder;
    private final Path file;

    OwnerFile(Path folder) {
        this.folder = folder;
        this.file = folder.resolve("owner");
    }

    Path file() {
        return file;
    }

    /** The id; empty where there is none, or its first writer died before anything could use it. */
    Optional<String> read() throws IOException {
        synchronized (OPENING) {
            try {
                return id(Files.readAllBytes(file));
            } catch (NoSuchFileException e) {
                return Optional.empty();
            }
        }
    }

    /** The id, on disk when the call returns. */
    String make() throws IOException {
        Optional<String> there = read();
        if (there.isPresent()) {
            return there.get();
        }
        PrivateFiles.createFolders(folder);
        synchronized (OPENING) {
            PrivateFiles.create(file);
            try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
                channel.lock();
                Optional<String> others = id(Channels.newInputStream(channel).readAllBytes());
                if (others.isPresent()) {
                    return others.get();
                }
                String made = String.format(
                        "%016x", RandomGenerator.of("SecureRandom").nextLong());
                channel.truncate(0);
                channel.write(ByteBuffer.wrap((made + "\n").getBytes(StandardCharsets.UTF_8)), 0);
                channel.force(true);
                PrivateFiles.syncFolder(folder);
                return made;
            }
        }
    }

    private static Optional<String> id(byte[] content) {
        String text = new String(content, StandardCharsets.UTF_8);
        return ID.matcher(text).matches() ? Optional.of(text.strip()) : Optional.empty();
    }
}
