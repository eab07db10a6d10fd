package io.clusterwright.mpi.internal.explain;

import io.clusterwright.core.RunningCommand.OutputListener;
import io.clusterwright.core.plan.Finding;
import io.clusterwright.core.type.ClusterwrightException;
import io.clusterwright.mpi.internal.finding.MpiFinding;
import io.clusterwright.mpi.job.OutputLine;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Writes each rank's output to separate files, to the byte. A link in place of a file is replaced, not followed. */
public final class RankFiles implements AutoCloseable {
    private static final int OPEN_FILES = 64;
    private static final int BUFFER = 32 * 1024;

    private final Path folder;
    /** By rank, or -1, and stream. */
    private final LinkedHashMap<Integer, OutputStream> open = new LinkedHashMap<>(16, 0.75f, true);

    private final Set<Integer> begun = new HashSet<>();
    private @Nullable IOException problem;

    public RankFiles(Path folder) {
        this.folder = folder;
        try {
            Files.createDirectories(folder);
        } catch (IOException e) {
            throw new ClusterwrightException("cannot create the folder " + folder + " for the output of ranks", e);
        }
    }

    synchronized void write(OutputLine line) {
        if (problem != null) {
            return;
        }
        try {
            line.writeTo(file(line));
        } catch (IOException e) {
            problem = e;
        }
    }

    private OutputStream file(OutputLine line) throws IOException {
        boolean stdout = line.stream() == OutputListener.Stream.STDOUT;
        Integer key = 2 * line.rank().orElse(-1) + (stdout ? 0 : 1);
        OutputStream known = open.get(key);
        if (known != null) {
            return known;
        }
        if (open.size() == OPEN_FILES) {
            Integer oldest = open.keySet().iterator().next();
            OutputStream closing = open.remove(oldest);
            if (closing != null) {
                closing.close();
            }
        }
        String name = line.rank().isPresent() ? "rank-" + line.rank().getAsInt() : "launcher";
        Path file = folder.resolve(name + (stdout ? ".out" : ".err"));
        boolean first = begun.add(key);
        if (first && Files.isSymbolicLink(file)) {
            Files.delete(file);
        }
        OutputStream stream = new BufferedOutputStream(
                Files.newOutputStream(
                        file,
                        StandardOpenOption.CREATE,
                        StandardOpenOption.WRITE,
                        LinkOption.NOFOLLOW_LINKS,
                        first ? StandardOpenOption.TRUNCATE_EXISTING : StandardOpenOption.APPEND),
                BUFFER);
        open.put(key, stream);
        return stream;
    }

    /** Closes the files; says what could not be written. */
    public synchronized List<Finding> finish() {
        close();
        return problem == null ? List.of() : List.of(MpiFinding.OUTPUT_NOT_WRITTEN.of(folder, problem));
    }

    @Override
    public synchronized void close() {
        for (OutputStream stream : open.values()) {
            try {
                stream.close();
            } catch (IOException e) {
                problem = e;
            }
        }
        open.clear();
    }
}
