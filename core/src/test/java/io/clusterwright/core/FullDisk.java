package io.clusterwright.core;

import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

/** A file system of 64 KiB in memory, mounted for a test; it needs root. */
public final class FullDisk implements AutoCloseable {
    private static final int PAGE = 4096;

    private final Path folder;
    private final Path ballast;

    /** Mounts it on a new folder. */
    public FullDisk(Path folder) throws IOException {
        this.folder = Files.createDirectories(folder);
        this.ballast = folder.resolve("ballast");
        program("mount", "-t", "tmpfs", "-o", "size=64k", "clusterwright-test", folder.toString());
    }

    /** The folder that it is mounted on. */
    public Path folder() {
        return folder;
    }

    /** Fills it to the last page. */
    public void fill() throws IOException {
        leave(0);
    }

    /** Fills all but this number of pages of 4 KiB. */
    public void leave(int pages) throws IOException {
        empty();
        long free = Files.getFileStore(folder).getUsableSpace() / PAGE - pages;
        try (OutputStream out = new FileOutputStream(ballast.toFile())) {
            for (long page = 0; page < free; page++) {
                out.write(new byte[PAGE]);
            }
        }
    }

    /** Makes room again. */
    public void empty() throws IOException {
        Files.deleteIfExists(ballast);
    }

    @Override
    public void close() throws IOException {
        program("umount", "-l", folder.toString());
        Files.delete(folder);
    }

    private static void program(String... command) throws IOException {
        Process process = new ProcessBuilder(command).inheritIO().start();
        try {
            if (!process.waitFor(20, TimeUnit.SECONDS) || process.exitValue() != 0) {
                throw new IOException(String.join(" ", command) + " failed; this test needs root");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException(e);
        }
    }
}
