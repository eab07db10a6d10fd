package io.clusterwright.core.plan;

import java.nio.file.Path;
import java.util.Objects;

/**
 * The outcome of writing a file into a folder.
 *
 * @param path the file
 * @param outcome the change
 */
public record WrittenFile(Path path, Outcome outcome) {
    /** Refuses null. */
    public WrittenFile {
        Objects.requireNonNull(path, "path");
        Objects.requireNonNull(outcome, "outcome");
    }

    /** The change of a file. */
    public enum Outcome {
        /** It was not there before. */
        CREATED,
        /** It was there with another content, which is gone. */
        REPLACED,
        /** It was there with the same content. */
        UNCHANGED
    }
}
