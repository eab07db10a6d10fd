package io.clusterwright.linux.internal.local;

import com.fasterxml.jackson.databind.JsonNode;
import io.clusterwright.core.internal.file.PrivateFiles;
import io.clusterwright.core.internal.json.Json;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;

/** Files and folders of local machines: written as a whole or not at all, also after a crash, and deleted without following links. */
final class DurableFiles {
    private static final Duration DELETION_LIMIT = Duration.ofMinutes(10);

    private DurableFiles() {}

    /**
     * Makes a folder for its owner only, and those above it, where no other user could have put another one or could replace it.
     */
    static Path createFolders(Path folder) throws IOException {
        requireOwn(folder);
        if (!Files.isDirectory(folder)) {
            PrivateFiles.createFolders(folder);
            HostCommand.changed("create folder " + folder);
        }
        return folder;
    }

    /** Throws when another user could replace a folder, or what is in it, by something else, such as a link. */
    static void requireOwn(Path folder) throws IOException {
        PrivateFiles.requireOwn(
                folder,
                (reason, remedy) -> LocalMachinesException.of(
                        "use the folder " + folder, reason + "; use another folder, or " + remedy));
    }

    /** Replaces a file, readable by its owner only. */
    static void write(Path file, JsonNode content) throws IOException {
        try {
            PrivateFiles.write(file, (Json.indented(content) + "\n").getBytes(StandardCharsets.UTF_8));
        } catch (FileSystemException e) {
            throw e;
        } catch (IOException e) {
            // A full file system is reported without the name of the file.
            throw new FileSystemException(file.toString(), null, e.getMessage());
        }
        HostCommand.changed("write " + file);
    }

    /** Reads a file; empty when there is none. */
    static Optional<JsonNode> read(Path file) throws IOException {
        try {
            return Optional.of(Json.MAPPER.readTree(Files.readString(file)));
        } catch (NoSuchFileException e) {
            return Optional.empty();
        }
    }

    /** Moves a complete file into its place. */
    static void move(Path from, Path to) throws IOException {
        try (FileChannel channel = FileChannel.open(from, StandardOpenOption.WRITE)) {
            channel.force(true);
        }
        Files.move(from, to, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        PrivateFiles.syncFolder(Objects.requireNonNull(to.toAbsolutePath().getParent()));
        HostCommand.changed("move " + from + " to " + to);
    }

    /** Deletes a folder and what is in it; follows no link. */
    static void deleteTree(Path folder) throws IOException {
        if (!Files.exists(folder, LinkOption.NOFOLLOW_LINKS)) {
            return;
        }
        if (UserNamespace.isNeeded()) {
            // Nodes have left files of other users of the namespace.
            HostCommand.of("rm", "-rf", "--one-file-system", "--", folder.toString())
                    .changesNothing()
                    .timeout(DELETION_LIMIT)
                    .orThrow("delete " + folder);
        } else {
            PrivateFiles.removeTree(folder);
        }
        HostCommand.changed("delete " + folder);
    }
}
