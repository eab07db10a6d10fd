package io.clusterwright.examples.e2e;

import java.nio.file.Path;
import java.util.spi.ToolProvider;

/** Packs a folder of classes into a jar: a JVM keeps no class of a folder in an archive. */
public final class FolderJar {
    private FolderJar() {}

    /** Packs all that is in the folder, and returns the jar. */
    public static Path pack(Path folder, Path jar) {
        int status = ToolProvider.findFirst("jar")
                .orElseThrow()
                .run(System.out, System.err, "--create", "--file", jar.toString(), "-C", folder.toString(), ".");
        if (status != 0) {
            throw new AssertionError("jar --create of " + folder + " ended with " + status);
        }
        return jar;
    }
}
