package io.clusterwright.mpi.internal.engine;

import io.clusterwright.core.type.InvalidValueException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The files of a job that are copied to its nodes before it and back after it.
 *
 * @param in files that every node gets before the job starts
 * @param out files that are fetched after it
 * @param limit the time for the copies before the job, and again for those after it
 */
public record StagedFiles(List<In> in, List<Out> out, Duration limit) {
    /** No files. */
    public static final StagedFiles NONE = new StagedFiles(List.of(), List.of(), Duration.ofHours(1));

    /** Whether there is no file in either direction. */
    public boolean isEmpty() {
        return in.isEmpty() && out.isEmpty();
    }

    /** Adds a file for every node. */
    public StagedFiles withIn(Path local, String remotePath) {
        List<In> all = new ArrayList<>(in);
        all.add(new In(local, remoteFile(remotePath)));
        return new StagedFiles(List.copyOf(all), out, limit);
    }

    /** Adds a file to copy from every node or from the first node. */
    public StagedFiles withOut(String remotePath, Path localFolder, boolean fromAll) {
        List<Out> all = new ArrayList<>(out);
        all.add(new Out(remoteFile(remotePath), localFolder, fromAll));
        return new StagedFiles(in, List.copyOf(all), limit);
    }

    /** Sets the limit. */
    public StagedFiles withLimit(Duration time) {
        if (time.isZero() || time.isNegative()) {
            throw new InvalidValueException("time to copy files", time, "a positive duration", "PT30M");
        }
        return new StagedFiles(in, out, time);
    }

    private static String remoteFile(String path) {
        boolean relative = !path.startsWith("/");
        if (path.isBlank()
                || path.endsWith("/")
                || path.indexOf('\0') >= 0
                || relative && ("/" + path + "/").contains("/../")) {
            throw new InvalidValueException(
                    "file on a node",
                    path,
                    "the path of a file: absolute, below ~/, or below the folder in which the ranks start",
                    "results/case.xml");
        }
        return path;
    }

    /**
     * The local files by their paths on the nodes, for a scheduler to whose nodes there is no session.
     *
     * @throws InvalidValueException when a path is below the home folder, which is not known here
     */
    public Map<String, Path> byPath() {
        Map<String, Path> all = new LinkedHashMap<>();
        in.stream()
                .map(In::remotePath)
                .filter(path -> path.startsWith("~/"))
                .findFirst()
                .ifPresent(path -> {
                    throw InvalidValueException.of(
                            "this scheduler copies no file to " + path,
                            "write " + path.substring(2) + ", which is below the folder in which the ranks start");
                });
        in.forEach(file -> all.put(file.remotePath(), file.local()));
        return all;
    }

    /**
     * Checks the local files.
     *
     * @throws InvalidValueException when one is no regular file
     */
    public void requireRegular() {
        in.forEach(In::regular);
    }

    /**
     * A file that every node gets before a job starts.
     *
     * @param local a file of this machine; the copies have its permissions
     * @param remotePath the path of the copies: absolute, below {@code ~/}, or relative to the folder in which the ranks start
     */
    record In(Path local, String remotePath) {
        Path regular() {
            if (!Files.isRegularFile(local)) {
                throw new InvalidValueException(
                        "file to copy to the nodes", local, "a regular file; pack folders into an archive", "case.tar");
            }
            return local;
        }
    }

    /**
     * A file that is fetched after a job.
     *
     * @param remotePath its path on the nodes, as of {@link In}
     * @param localFolder the folder it goes to
     * @param fromAll whether every node has one; otherwise the first
     */
    record Out(String remotePath, Path localFolder, boolean fromAll) {
        String name() {
            return remotePath.substring(remotePath.lastIndexOf('/') + 1);
        }
    }
}
