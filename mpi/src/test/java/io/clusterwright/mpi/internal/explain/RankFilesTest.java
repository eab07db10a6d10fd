package io.clusterwright.mpi.internal.explain;

import static org.assertj.core.api.Assertions.assertThat;

import io.clusterwright.core.RunningCommand.OutputListener.Stream;
import io.clusterwright.mpi.job.OutputLine;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RankFilesTest {
    @TempDir
    private Path folder;

    @Test
    void aLinkIsReplacedAndNotFollowed() throws IOException {
        Path other = Files.writeString(folder.resolve("other"), "kept");
        Path output = Files.createDirectory(folder.resolve("output"));
        Files.createSymbolicLink(output.resolve("rank-0.out"), other);
        RankFiles files = new RankFiles(output);

        files.write(new OutputLine(Stream.STDOUT, OptionalInt.of(0), "text"));

        assertThat(files.finish()).isEmpty();
        assertThat(other).hasContent("kept");
        assertThat(Files.isSymbolicLink(output.resolve("rank-0.out"))).isFalse();
        assertThat(output.resolve("rank-0.out")).hasContent("text");
    }

    /** More ranks than files that are open at once: each file is closed and opened again. */
    @Test
    void aLinkThatComesLaterIsNotFollowed() throws IOException {
        Path other = Files.writeString(folder.resolve("other"), "kept");
        RankFiles files = new RankFiles(folder);
        for (int rank = 0; rank < 70; rank++) {
            files.write(new OutputLine(Stream.STDOUT, OptionalInt.of(rank), "text"));
        }
        Files.delete(folder.resolve("rank-0.out"));
        Files.createSymbolicLink(folder.resolve("rank-0.out"), other);

        files.write(new OutputLine(Stream.STDOUT, OptionalInt.of(0), "text"));

        assertThat(files.finish()).singleElement().asString().contains("is not complete");
        assertThat(other).hasContent("kept");
    }
}
