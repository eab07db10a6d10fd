package io.clusterwright.linux.internal.local;

import java.io.IOException;
import java.io.InputStream;
import java.nio.channels.Channels;
import java.nio.channels.SeekableByteChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.SecureDirectoryStream;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributeView;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Set;

/**
 * A folder in a node, opened from outside one name at a time and never through a link: a node cannot plant one to make the host read or
 * write another file.
 */
final class ConfinedFolder implements AutoCloseable {
    private final SecureDirectoryStream<Path> folder;

    private ConfinedFolder(SecureDirectoryStream<Path> folder) {
        this.folder = folder;
    }

    /** Opens a folder below the root of the node whose first process is this one. */
    static ConfinedFolder open(long firstProcess, List<String> names) throws IOException {
        return open(Path.of("/proc", Long.toString(firstProcess), "root"), names);
    }

    /** Opens a folder below this one, which is trusted itself. */
    static ConfinedFolder open(Path root, List<String> names) throws IOException {
        SecureDirectoryStream<Path> folder = root(root);
        for (String name : names) {
            try (SecureDirectoryStream<Path> above = folder) {
                folder = above.newDirectoryStream(Path.of(name), LinkOption.NOFOLLOW_LINKS);
            }
        }
        return new ConfinedFolder(folder);
    }

    /** Copies a regular file of the folder out of it. */
    void copyOut(String name, Path to) throws IOException {
        try (InputStream stream = read(name)) {
            Files.copy(stream, to);
        }
    }

    /** The beginning of a regular file of the folder, as UTF-8. */
    String text(String name, int mostBytes) throws IOException {
        try (InputStream stream = read(name)) {
            return new String(stream.readNBytes(mostBytes), StandardCharsets.UTF_8);
        }
    }

    private InputStream read(String name) throws IOException {
        Path file = Path.of(name);
        boolean regular = folder.getFileAttributeView(file, BasicFileAttributeView.class, LinkOption.NOFOLLOW_LINKS)
                .readAttributes()
                .isRegularFile();
        if (!regular) {
            throw new IOException(name + " is not a regular file");
        }
        Set<OpenOption> options = Set.of(StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS);
        return Channels.newInputStream(folder.newByteChannel(file, options));
    }

    /** Copies a file into the folder, in place of one of that name. */
    void copyIn(Path from, String name) throws IOException {
        Path file = Path.of(name);
        try {
            folder.deleteFile(file);
        } catch (NoSuchFileException ignored) {
            // Nothing to replace.
        }
        Set<OpenOption> options =
                Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS);
        try (SeekableByteChannel to = folder.newByteChannel(
                file, options, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-r--r--")))) {
            Files.copy(from, Channels.newOutputStream(to));
        }
    }

    @Override
    public void close() throws IOException {
        folder.close();
    }

    @SuppressWarnings({"unchecked", "StreamResourceLeak"})
    private static SecureDirectoryStream<Path> root(Path path) throws IOException {
        DirectoryStream<Path> stream = Files.newDirectoryStream(path);
        if (stream instanceof SecureDirectoryStream<?> secure) {
            return (SecureDirectoryStream<Path>) secure;
        }
        stream.close();
        throw new IOException("this Java runtime cannot open folders securely");
    }
}
