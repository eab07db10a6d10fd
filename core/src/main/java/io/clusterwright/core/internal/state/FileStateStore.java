package io.clusterwright.core.internal.state;

import io.clusterwright.core.StateStore;
import io.clusterwright.core.StateStore.SecretStore;
import io.clusterwright.core.internal.file.PrivateFiles;
import io.clusterwright.core.type.ClusterName;
import io.clusterwright.core.type.ClusterwrightException;
import io.clusterwright.core.type.Secret;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Records of clusters in a folder: {@code clusters/NAME/journal.jsonl}, and the secrets beside it with mode 0600.
 *
 * <p>Safe for use by several threads and several processes: one process writes a cluster's record at a time.
 */
public final class FileStateStore implements StateStore {
    private static final String JOURNAL = "journal.jsonl";

    private final Path clusters;

    /** A store in this folder, which is created by the first write. */
    public FileStateStore(Path folder) {
        this.clusters = folder.resolve("clusters");
    }

    /** {@code CLUSTERWRIGHT_STATE} if it is set, {@code /var/lib/clusterwright} for root, {@code ~/.local/state/clusterwright} for others. */
    public static Path standardFolder() {
        String configured = System.getenv("CLUSTERWRIGHT_STATE");
        if (configured != null && !configured.isBlank()) {
            return Path.of(configured);
        }
        boolean root = "root".equals(System.getProperty("user.name"));
        return root
                ? Path.of("/var/lib/clusterwright")
                : Path.of(System.getProperty("user.home")).resolve(".local/state/clusterwright");
    }

    @Override
    public List<ClusterName> clusters() {
        if (!Files.isDirectory(clusters)) {
            return List.of();
        }
        try (Stream<Path> folders = Files.list(clusters)) {
            return folders.filter(folder -> Files.exists(folder.resolve(JOURNAL)))
                    .map(folder -> new ClusterName(folder.getFileName().toString()))
                    .sorted((a, b) -> a.value().compareTo(b.value()))
                    .toList();
        } catch (IOException e) {
            throw failed("list the clusters in " + clusters, e);
        }
    }

    @Override
    public List<String> read(ClusterName cluster) {
        Path journal = folder(cluster).resolve(JOURNAL);
        try {
            return Files.exists(journal) ? completeLines(Files.readString(journal)) : List.of();
        } catch (IOException e) {
            throw failed("read the journal " + journal, e);
        }
    }

    /** A line without its line end was being written when the process died; what it announces did not begin. */
    private static List<String> completeLines(String text) {
        int end = text.lastIndexOf('\n');
        return end < 0 ? List.of() : text.substring(0, end).lines().toList();
    }

    @Override
    public SecretStore secrets(ClusterName cluster) {
        Path folder = folder(cluster).resolve("secrets");
        return new SecretStore() {
            @Override
            public Optional<Secret> get(String name) {
                Path file = folder.resolve(name);
                try {
                    return Files.exists(file) ? Optional.of(Secret.of(Files.readString(file))) : Optional.empty();
                } catch (IOException e) {
                    throw failed("read the secret " + file, e);
                }
            }

            @Override
            public void put(String name, Secret secret) {
                try {
                    PrivateFiles.createFolders(folder);
                    PrivateFiles.write(folder.resolve(name), secret.reveal().getBytes(StandardCharsets.UTF_8));
                } catch (IOException e) {
                    throw failed("write the secret " + folder.resolve(name), e);
                }
            }
        };
    }

    @Override
    public Writer open(ClusterName cluster) {
        Path folder = folder(cluster);
        try {
            PrivateFiles.createFolders(folder);
            return new FileWriter(folder);
        } catch (IOException e) {
            throw failed("open the record of cluster " + cluster + " in " + folder, e);
        }
    }

    private Path folder(ClusterName cluster) {
        return clusters.resolve(cluster.value());
    }

    private static ClusterwrightException failed(String what, IOException cause) {
        return new ClusterwrightException(
                "cannot " + what + ": " + cause
                        + "; check that the folder is yours to write, or set CLUSTERWRIGHT_STATE",
                cause);
    }

    private final class FileWriter implements Writer {
        private final Path folder;
        private final FileChannel lockChannel;
        // Not a channel: an interrupt would close it, and the clean-up that follows must be journalled.
        private final RandomAccessFile journal;

        FileWriter(Path folder) throws IOException {
            this.folder = folder;
            this.lockChannel = lock(folder);
            Path file = folder.resolve(JOURNAL);
            boolean fresh = !Files.exists(file);
            this.journal = new RandomAccessFile(file.toFile(), "rw");
            dropIncompleteLine(journal);
            if (fresh) {
                PrivateFiles.syncFolder(folder);
            }
        }

        private static FileChannel lock(Path folder) throws IOException {
            Path file = folder.resolve("lock");
            FileChannel channel = FileChannel.open(
                    file, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE);
            FileLock lock;
            try {
                lock = channel.tryLock();
            } catch (OverlappingFileLockException e) {
                lock = null;
            }
            if (lock == null) {
                ByteBuffer holder = ByteBuffer.allocate(32);
                int length = channel.read(holder, 0);
                channel.close();
                String pid = new String(holder.array(), 0, Math.max(0, length), StandardCharsets.UTF_8).strip();
                throw new ClusterwrightException("cluster " + folder.getFileName() + " is being changed by process "
                        + pid + "; wait for it to end, or end it, and try again");
            }
            channel.truncate(0);
            channel.write(
                    ByteBuffer.wrap(Long.toString(ProcessHandle.current().pid()).getBytes(StandardCharsets.UTF_8)));
            return channel;
        }

        private static void dropIncompleteLine(RandomAccessFile journal) throws IOException {
            long end = journal.length();
            while (end > 0) {
                journal.seek(end - 1);
                if (journal.read() == '\n') {
                    break;
                }
                end--;
            }
            journal.setLength(end);
            journal.seek(end);
        }

        @Override
        public synchronized void append(String entry) {
            try {
                journal.write((entry + "\n").getBytes(StandardCharsets.UTF_8));
                journal.getFD().sync();
            } catch (IOException e) {
                throw failed("write the journal in " + folder, e);
            }
        }

        @Override
        public synchronized void forget() {
            try (Stream<Path> files = Files.walk(folder)) {
                List<Path> all = new ArrayList<>(files.toList());
                Collections.reverse(all);
                for (Path path : all) {
                    Files.deleteIfExists(path);
                }
                PrivateFiles.removeIfEmpty(clusters);
            } catch (IOException e) {
                throw failed("remove the record in " + folder, e);
            }
        }

        @Override
        public synchronized void close() {
            try {
                journal.close();
                lockChannel.close();
            } catch (IOException e) {
                throw failed("close the record in " + folder, e);
            }
        }
    }
}
