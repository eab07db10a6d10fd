package io.clusterwright.core.internal.file;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;

/** The permissions of local files, as the number that a node gives its copies. */
public final class FileMode {
    private static final int PLAIN = 0644;
    private static final int OWNER_READ = 0400;

    private FileMode() {}

    /**
     * The permissions of a file or folder, such as {@code 0755}; {@code 0644} where its file system has none.
     *
     * @throws IOException when it cannot be read
     */
    public static int of(Path file) throws IOException {
        if (!Files.getFileStore(file).supportsFileAttributeView("posix")) {
            return PLAIN;
        }
        int mode = 0;
        for (PosixFilePermission permission : Files.getPosixFilePermissions(file)) {
            mode |= OWNER_READ >> permission.ordinal();
        }
        return mode;
    }
}
