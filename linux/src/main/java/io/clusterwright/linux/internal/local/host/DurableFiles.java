package io.clusterwright.linux.internal.local.host;

import com.fasterxml.jackson.databind.JsonNode;
import io.clusterwright.core.internal.file.PrivateFiles;
import io.clusterwright.core.internal.json.Json;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Objects;
import java.util.Optional;

/** Files and folders of local machines: written as a whole or not at all, also after a crash, and deleted without following links. */
public final class DurableFiles {
    private DurableFiles() {}

    /** Replaces a file, readable by its owner only. */
    public static void write(Path file, JsonNode content) throws IOException {
        PrivateFiles.write(file, (Json.indented(content) + "\n").getBytes(StandardCharsets.UTF_8));
    }

    /** Reads a file; empty when there is none. */
    public static Optional<JsonNode> read(Path file) throws IOException {
        try {
            return Optional.of(Json.MAPPER.readTree(Files.readString(file)));
        } catch (NoSuchFileException e) {
            return Optional.empty();
        }
    }

    /** Moves a complete file into its place. */
    public static void move(Path from, Path to) throws IOException {
        try (FileChannel channel = FileChannel.open(from, StandardOpenOption.WRITE)) {
            channel.force(true);
        }
        Files.move(from, to, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        PrivateFiles.syncFolder(Objects.requireNonNull(to.toAbsolutePath().getParent()));
    }

    /** Deletes a folder and what is in it; follows no link. */
    public static void deleteTree(Path folder) throws IOException {
        if (!Files.exists(folder, LinkOption.NOFOLLOW_LINKS)) {
            return;
        }
        Files.walkFileTree(folder, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
                Files.delete(file);
                return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult postVisitDirectory(Path visited, java.io.IOException failure) throws IOException {
                if (failure != null) {
                    throw failure;
                }
                Files.delete(visited);
                return FileVisitResult.CONTINUE;
            }
        });
    }
}
