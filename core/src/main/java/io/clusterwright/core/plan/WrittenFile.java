package io.clusterwright.core.plan;

import java.nio.file.Path;

/**
 * The outcome of writing a file into a folder.
 *
 * @param path the file
 * @param outcome the change
 */
public record WrittenFile(Path path, Outcome outcome) {

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
