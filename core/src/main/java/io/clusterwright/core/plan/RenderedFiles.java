package io.clusterwright.core.plan;

import java.nio.file.Path;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The files that were made of a spec. Use it to review the files of a cluster, or to deploy it with other tools.
 * Immutable.
 *
 * <pre>{@code
 * RenderedFiles files = Planner.offline().provider("azure").render(spec);
 * for (RenderedFile file : files.list()) {
 *     System.out.println(file.name() + ", " + file.content().length + " bytes");
 * }
 * files.writeTo(folder);
 * }</pre>
 *
 * @param list the files, by name
 * @param notMade the names of the files that belong to such a spec and were not made, with the module that makes each, which is
 *     absent or cannot yet
 */
public record RenderedFiles(List<RenderedFile> list, Map<String, String> notMade) {

    /** Copies list and map, in their order. */
    public RenderedFiles {
        list = List.copyOf(list);
        notMade = Collections.unmodifiableMap(new LinkedHashMap<>(notMade));
    }

    /** The file of this name, if it was made. */
    public Optional<RenderedFile> find(String name) {
        return list.stream().filter(file -> file.name().equals(name)).findFirst();
    }

    /**
     * Writes the files into a folder, which is made with the folders above it when it is not there. A file of the same name is
     * replaced as a whole or not at all; every other file stays.
     *
     * @return the change of each file, in their order
     * @throws io.clusterwright.core.type.InvalidValueException when the folder is a file, or where one of the files belongs there is
     *     something else; nothing was written
     * @throws io.clusterwright.core.type.ClusterwrightException when a file cannot be written, saying which
     */
    public Map<Path, Change> writeTo(Path folder) {
        return new FolderWriter(folder).write(list);
    }

    /** The change of a file in a folder. */
    public enum Change {
        /** It was not there before. */
        CREATED,
        /** It was there with another content, which is gone. */
        REPLACED,
        /** It was there with the same content. */
        UNCHANGED
    }
}
