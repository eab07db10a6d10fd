package io.clusterwright.core.plan;

import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * The files that were made of a description. Immutable.
 *
 * @param list the files, by name
 * @param notMade those that belong to such a description and that nothing here makes
 */
public record RenderedFiles(List<RenderedFile> list, List<NotMade> notMade) {

    /** Copies the lists. */
    public RenderedFiles {
        list = List.copyOf(list);
        notMade = List.copyOf(notMade);
    }

    /** The file of this name, if it was made. */
    public Optional<RenderedFile> find(String name) {
        return list.stream().filter(file -> file.name().equals(name)).findFirst();
    }

    /**
     * Writes the files into a folder, which is made with the folders above it when it is not there. A file of the same name is
     * replaced as a whole or not at all; every other file stays.
     *
     * @return what became of each file
     * @throws io.clusterwright.core.type.InvalidValueException when the folder is a file, or where one of the files belongs there is
     *     something else; nothing was written
     * @throws io.clusterwright.core.type.ClusterwrightException when a file cannot be written, saying which
     */
    public List<WrittenFile> writeTo(Path folder) {
        return new FolderWriter(folder).write(list);
    }

    /**
     * A file that belongs to such a spec and that no installed module renders.
     *
     * @param name the file's name
     * @param module the module that renders it, which is absent or cannot yet
     */
    public record NotMade(String name, String module) {
        /** Refuses null. */
        public NotMade {
            Objects.requireNonNull(name, "name");
            Objects.requireNonNull(module, "module");
        }

        @Override
        public String toString() {
            return name + " (" + module + " module)";
        }
    }

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
}
