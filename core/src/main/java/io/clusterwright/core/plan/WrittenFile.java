package io.clusterwright.core.plan;

import java.nio.file.Path;
import java.util.Objects;

/**
 * What became of a file of a folder.
 *
 * @param path the file
 * @param outcome what was done
 */
public record WrittenFile(Path path, Outcome outcome) {
    /** Refuses null. */
    public WrittenFile {
        Objects.requireNonNull(path, "path");
        Objects.requireNonNull(outcome, "outcome");
    }

    /** What was done with a file. */
    public enum Outcome {
        /** It was not there before. */
        CREATED,
        /** It was there with another content, which is gone. */
        REPLACED,
        /** It was there with the same content. */
        UNCHANGED
    }
}
