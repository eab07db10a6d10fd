package io.clusterwright.core.plan;

import io.clusterwright.core.internal.text.Reason;
import io.clusterwright.core.plan.RenderedFiles.Change;
import io.clusterwright.core.type.ClusterwrightException;
import io.clusterwright.core.type.InvalidValueException;
import java.io.FileOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Puts files into a folder: all of them are looked at before the first is written. */
final class FolderWriter {
    private static final Set<PosixFilePermission> TEXT = PosixFilePermissions.fromString("rw-r--r--");
    private static final Set<PosixFilePermission> PROGRAM = PosixFilePermissions.fromString("rwxr-xr-x");

    private final Path folder;

    /** A writer into this folder. */
    FolderWriter(Path folder) {
        this.folder = folder;
    }

    /** Writes the files; returns the change of each. */
    Map<Path, Change> write(List<RenderedFile> files) {
        if (Files.exists(folder) && !Files.isDirectory(folder)) {
            throw new InvalidValueException(
                    "output folder", folder, "the path of a folder; a missing folder is created", "out");
        }
        requireFolders(folder.toAbsolutePath().getParent());
        files.forEach(file -> requireFree(folder.resolve(file.name())));
        Map<Path, Change> written = new LinkedHashMap<>();
        try {
            Files.createDirectories(folder);
        } catch (IOException e) {
            throw failed("create the folder " + folder, e);
        }
        for (RenderedFile file : files) {
            Path path = folder.resolve(file.name());
            try {
                written.put(path, put(path, file));
            } catch (IOException e) {
                throw failed("write " + path, e);
            }
        }
        return Collections.unmodifiableMap(written);
    }

    private void requireFolders(@Nullable Path parent) {
        Path above = parent;
        while (above != null && !Files.exists(above)) {
            above = above.getParent();
        }
        if (above != null && !Files.isDirectory(above)) {
            throw InvalidValueException.of(
                    above + " is a file, so the output folder " + folder + " cannot be created", "name another folder");
        }
    }

    private static void requireFree(Path path) {
        boolean there = Files.exists(path, LinkOption.NOFOLLOW_LINKS);
        if (there && !Files.isRegularFile(path, LinkOption.NOFOLLOW_LINKS)) {
            String what = Files.isSymbolicLink(path)
                    ? "a symbolic link"
                    : Files.isDirectory(path) ? "a folder" : "not a regular file";
            throw InvalidValueException.of(
                    path + " is " + what + ", so it cannot be replaced by a file",
                    "move it away, or name another output folder");
        }
    }

    private static Change put(Path path, RenderedFile file) throws IOException {
        boolean there = Files.exists(path);
        if (there && Arrays.equals(Files.readAllBytes(path), file.content())) {
            permit(path, file);
            return Change.UNCHANGED;
        }
        Path parent = Objects.requireNonNull(path.toAbsolutePath().getParent());
        Path temporary = Files.createTempFile(parent, "." + file.name() + "-", ".new");
        try {
            try (FileOutputStream stream = new FileOutputStream(temporary.toFile())) {
                stream.write(file.content());
                stream.getFD().sync();
            }
            permit(temporary, file);
            Files.move(temporary, path, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        } finally {
            Files.deleteIfExists(temporary);
        }
        return there ? Change.REPLACED : Change.CREATED;
    }

    private static void permit(Path path, RenderedFile file) throws IOException {
        if (path.getFileSystem().supportedFileAttributeViews().contains("posix")) {
            Files.setPosixFilePermissions(path, file.executable() ? PROGRAM : TEXT);
        }
    }

    private static ClusterwrightException failed(String what, IOException cause) {
        return new ClusterwrightException(
                "cannot " + what + ": " + Reason.of(cause) + "; name a folder that you may write, on a disk with room",
                cause);
    }
}
