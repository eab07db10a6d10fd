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
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Writes each rank's output to separate files, to the byte. */
public final class RankFiles implements AutoCloseable {
    private static final int OPEN_FILES = 64;

    private final Path folder;
    private final LinkedHashMap<Path, OutputStream> open = new LinkedHashMap<>(16, 0.75f, true);
    private final Set<Path> begun = new HashSet<>();
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
        String name = line.rank().isPresent() ? "rank-" + line.rank().getAsInt() : "launcher";
        String end = line.stream() == OutputListener.Stream.STDOUT ? ".out" : ".err";
        try {
            line.writeTo(stream(folder.resolve(name + end)));
        } catch (IOException e) {
            problem = e;
        }
    }

    private OutputStream stream(Path file) throws IOException {
        OutputStream known = open.get(file);
        if (known != null) {
            return known;
        }
        if (open.size() == OPEN_FILES) {
            Path oldest = open.keySet().iterator().next();
            OutputStream closing = open.remove(oldest);
            if (closing != null) {
                closing.close();
            }
        }
        OutputStream stream = new BufferedOutputStream(Files.newOutputStream(
                file,
                StandardOpenOption.CREATE,
                StandardOpenOption.WRITE,
                begun.add(file) ? StandardOpenOption.TRUNCATE_EXISTING : StandardOpenOption.APPEND));
        open.put(file, stream);
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
