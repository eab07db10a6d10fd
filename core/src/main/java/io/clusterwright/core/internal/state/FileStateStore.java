package io.clusterwright.core.internal.state;

import io.clusterwright.core.ClusterException;
import io.clusterwright.core.StateStore;
import io.clusterwright.core.StateStore.SecretStore;
import io.clusterwright.core.internal.file.LockedFile;
import io.clusterwright.core.internal.file.PrivateFiles;
import io.clusterwright.core.internal.text.Reason;
import io.clusterwright.core.type.ClusterName;
import io.clusterwright.core.type.ClusterwrightException;
import io.clusterwright.core.type.InvalidValueException;
import io.clusterwright.core.type.Secret;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Records of clusters in a folder: {@code clusters/NAME/journal.jsonl}, and the secrets beside it with mode 0600. The
 * file {@code owner} has the id of the folder.
 *
 * <p>Safe for use by several threads and several processes: one process writes a cluster's record at a time.
 */
public final class FileStateStore implements StateStore {
    private static final Logger LOG = LoggerFactory.getLogger(FileStateStore.class);
    private static final String JOURNAL = "journal.jsonl";
    private static final String LOCK = "lock";
    /** Stands over the number of the process in the lock of a removed record: who waits for that lock must not write a new record by it. */
    private static final String REMOVED = "x";

    private static final int MOST_TRIES = 20;

    /** The start of the name of a forgotten record, which is no name of a cluster. */
    private static final String FORGOTTEN = ".forgotten-";

    private final Path clusters;
    private final OwnerFile owner;
    private final Runnable beforeLocking;

    /** A store in this folder, which is created by the first write. */
    public FileStateStore(Path folder) {
        this(folder, () -> {});
    }

    /** @param beforeLocking runs between the opening of a lock and its locking, where another process may remove the record */
    FileStateStore(Path folder, Runnable beforeLocking) {
        this.beforeLocking = beforeLocking;
        this.clusters = folder.resolve("clusters");
        this.owner = new OwnerFile(folder);
    }

    @Override
    public String toString() {
        return "state folder " + clusters.getParent();
    }

    /**
     * {@code CLUSTERWRIGHT_STATE} if it is set, {@code /var/lib/clusterwright} for root, {@code
     * ~/.local/state/clusterwright} for others.
     */
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
        requireOwn(clusters);
        removeForgotten();
        try (Stream<Path> folders = Files.list(clusters)) {
            // A folder that cannot be read hides no record.
            return folders.filter(Files::isDirectory)
                    .filter(folder ->
                            !Files.notExists(folder.resolve(JOURNAL)) || !Files.notExists(folder.resolve(LOCK)))
                    .flatMap(folder -> name(folder).stream())
                    .sorted((a, b) -> a.value().compareTo(b.value()))
                    .toList();
        } catch (NoSuchFileException e) {
            return List.of();
        } catch (IOException e) {
            throw failed("list the clusters in " + clusters, e);
        }
    }

    /** Deletes what processes left that died while they forgot a record; where that fails, the next one tries again. */
    private void removeForgotten() {
        try (DirectoryStream<Path> old = Files.newDirectoryStream(clusters, FORGOTTEN + "*")) {
            for (Path each : old) {
                PrivateFiles.removeTree(each);
            }
        } catch (IOException | DirectoryIteratorException e) {
            LOG.debug("forgotten records stay in {}", clusters, e);
        }
    }

    /** Empty for a folder that no cluster can have, such as a forgotten one. */
    private static Optional<ClusterName> name(Path folder) {
        try {
            return Optional.of(new ClusterName(folder.getFileName().toString()));
        } catch (InvalidValueException e) {
            return Optional.empty();
        }
    }

    @Override
    public List<String> read(ClusterName cluster) {
        Path journal = journal(cluster);
        requireOwn(folder(cluster), JOURNAL);
        try {
            // Bytes that are no text spoil one line and not the whole record.
            return Files.exists(journal)
                    ? completeLines(new String(Files.readAllBytes(journal), StandardCharsets.UTF_8))
                    : List.of();
        } catch (IOException e) {
            throw failed("read the journal " + journal, e);
        }
    }

    @Override
    public String place(ClusterName cluster) {
        return journal(cluster).toString();
    }

    @Override
    public Optional<String> owner() {
        requireOwn(clusters);
        requireOwnFile(owner.file());
        try {
            return owner.read();
        } catch (IOException e) {
            throw failed("read the id of the state folder in " + owner.file(), e);
        }
    }

    @Override
    public Optional<String> makeOwner() {
        requireOwn(clusters);
        requireOwnFile(owner.file());
        try {
            return Optional.of(owner.make());
        } catch (IOException e) {
            throw failed("write the id of the state folder in " + owner.file(), e);
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
                requireOwn(folder, name);
                try {
                    return Files.exists(file) ? Optional.of(Secret.of(Files.readString(file))) : Optional.empty();
                } catch (IOException e) {
                    throw failed("read the secret " + file, e);
                }
            }

            @Override
            public void put(String name, Secret secret) {
                requireOwn(folder);
                try {
                    PrivateFiles.createFolders(folder);
                    PrivateFiles.write(folder.resolve(name), secret.reveal().getBytes(StandardCharsets.UTF_8));
                } catch (IOException e) {
                    throw failed("write the secret " + folder.resolve(name), e);
                }
            }

            @Override
            public void remove(String name) {
                requireOwn(folder);
                try {
                    Files.deleteIfExists(folder.resolve(name));
                } catch (IOException e) {
                    throw failed("delete the secret " + folder.resolve(name), e);
                }
            }

            @Override
            public Optional<Path> file(String name) {
                requireOwn(folder, name);
                return Optional.of(folder.resolve(name)).filter(Files::exists);
            }
        };
    }

    @Override
    public Writer open(ClusterName cluster) {
        Path folder = folder(cluster);
        requireOwn(folder, JOURNAL, LOCK);
        try {
            return openOrCreate(folder);
        } catch (IOException e) {
            ClusterwrightException failure = failed("open the record of cluster " + cluster + " in " + folder, e);
            removeUnused(folder, failure);
            throw failure;
        }
    }

    private FileWriter openOrCreate(Path folder) throws IOException {
        for (int tries = 1; ; tries++) {
            try {
                PrivateFiles.createFolders(folder);
                return new FileWriter(folder);
            } catch (NoSuchFileException | FileAlreadyExistsException e) {
                // Another writer removed the record meanwhile.
                if (tries == MOST_TRIES) {
                    throw e;
                }
            }
        }
    }

    /** Removes the folder of a record that did not come to be. */
    private void removeUnused(Path folder, ClusterwrightException failure) {
        try {
            PrivateFiles.removeIfEmpty(folder);
            PrivateFiles.removeIfEmpty(clusters);
        } catch (IOException e) {
            failure.addSuppressed(e);
        }
    }

    /** Refuses a folder that another user could replace, or in which another user could replace records and keys, and such files in it. */
    private void requireOwn(Path folder, String... files) {
        try {
            PrivateFiles.requireOwn(clusters, this::refusal);
            PrivateFiles.requireOwn(folder, this::refusal);
        } catch (IOException e) {
            throw failed("examine the state folder " + clusters.getParent(), e);
        }
        for (String file : files) {
            requireOwnFile(folder.resolve(file));
        }
    }

    private void requireOwnFile(Path file) {
        try {
            PrivateFiles.requireOwnFile(file, this::refusal);
        } catch (IOException e) {
            throw failed("examine the file " + file, e);
        }
    }

    private ClusterwrightException refusal(String reason, String remedy) {
        return new ClusterwrightException("the state folder " + clusters.getParent() + " is not used: " + reason
                + ", with its records and keys; set CLUSTERWRIGHT_STATE to a folder of your own, or " + remedy);
    }

    private Path folder(ClusterName cluster) {
        return clusters.resolve(cluster.value());
    }

    private Path journal(ClusterName cluster) {
        return folder(cluster).resolve(JOURNAL);
    }

    private static ClusterwrightException failed(String what, IOException cause) {
        return new ClusterwrightException(
                "cannot " + what + ": " + Reason.of(cause)
                        + "; check that you may write the folder and that the disk has room, or set CLUSTERWRIGHT_STATE",
                cause);
    }

    private final class FileWriter implements Writer {
        private final Path folder;
        private final LockedFile lock;
        // Not a channel: an interrupt would close it, and the clean-up that follows must be journalled.
        private final RandomAccessFile journal;
        // The end of the last entry that is whole.
        private long end;

        FileWriter(Path folder) throws IOException {
            this.folder = folder;
            Path file = folder.resolve(JOURNAL);
            boolean fresh = !Files.exists(file);
            this.lock = lock(folder);
            try {
                PrivateFiles.create(file);
                this.journal = new RandomAccessFile(file.toFile(), "rw");
                this.end = endOfLastLine(journal);
                journal.setLength(end);
                if (fresh) {
                    PrivateFiles.syncFolder(folder);
                }
            } catch (IOException e) {
                if (fresh) {
                    Files.deleteIfExists(file);
                    Files.deleteIfExists(folder.resolve(LOCK));
                }
                lock.close();
                throw e;
            }
        }

        private LockedFile lock(Path folder) throws IOException {
            Path file = folder.resolve(LOCK);
            LockedFile attempt = LockedFile.attempt(file, beforeLocking);
            if (!attempt.isOurs()) {
                throw new ClusterException.InUse(
                        new ClusterName(folder.getFileName().toString()),
                        "cluster " + folder.getFileName() + " is being changed by process "
                                + (attempt.text().isEmpty() ? "(unknown)" : attempt.text())
                                + "; wait until it ends, or end it, and try again");
            }
            try {
                // A removal may have put the lock of another record in its place, before this process had it.
                if (attempt.text().startsWith(REMOVED) || !attempt.isInPlace()) {
                    throw new NoSuchFileException(file.toString());
                }
            } catch (IOException e) {
                attempt.close();
                throw e;
            }
            try {
                attempt.write(Long.toString(ProcessHandle.current().pid()));
            } catch (IOException e) {
                // The number only serves the message above; without room for it the lock holds all the same.
                if (!attempt.isOurs()) {
                    attempt.close();
                    throw e;
                }
                LOG.debug("the lock {} does not name its process", file, e);
            }
            return attempt;
        }

        private static long endOfLastLine(RandomAccessFile journal) throws IOException {
            long end = journal.length();
            while (end > 0) {
                journal.seek(end - 1);
                if (journal.read() == '\n') {
                    break;
                }
                end--;
            }
            return end;
        }

        @Override
        public synchronized void append(String entry) {
            byte[] line = (entry + "\n").getBytes(StandardCharsets.UTF_8);
            try {
                cutOff();
                journal.write(line);
                journal.getFD().sync();
                end += line.length;
            } catch (IOException e) {
                ClusterwrightException failure = failed("write the journal in " + folder, e);
                try {
                    cutOff();
                } catch (IOException again) {
                    failure.addSuppressed(again);
                }
                throw failure;
            }
        }

        /** Removes the part of an entry that could not be written whole, which would spoil the next one. */
        private void cutOff() throws IOException {
            if (journal.length() != end) {
                journal.setLength(end);
            }
            journal.seek(end);
        }

        /** Renames the folder, so that a crash leaves the whole record or none, and then deletes it. */
        @Override
        public synchronized void forget() {
            try {
                Path forgotten = forgotten();
                Files.move(folder, forgotten, StandardCopyOption.ATOMIC_MOVE);
                markRemoved();
                PrivateFiles.syncFolder(clusters);
                PrivateFiles.removeTree(forgotten);
                PrivateFiles.removeIfEmpty(clusters);
            } catch (IOException e) {
                throw failed("remove the record in " + folder, e);
            }
        }

        private void markRemoved() {
            try {
                lock.write(REMOVED);
            } catch (IOException e) {
                // On a full disk that had no room for the number of the process either; the record is removed all the
                // same.
                LOG.debug("the lock in {} has no mark", folder, e);
            }
        }

        private Path forgotten() {
            int number = 0;
            Path free;
            do {
                free = clusters.resolve(FORGOTTEN + folder.getFileName() + "-" + number++);
            } while (Files.exists(free));
            return free;
        }

        @Override
        public synchronized void close() {
            try {
                journal.close();
                lock.close();
            } catch (IOException e) {
                throw failed("close the record in " + folder, e);
            }
        }
    }
}
