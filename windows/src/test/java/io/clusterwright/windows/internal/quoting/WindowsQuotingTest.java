package io.clusterwright.windows.internal.quoting;

import static org.assertj.core.api.Assertions.assertThat;

import io.clusterwright.windows.Seeded;
import io.clusterwright.windows.wine.Recorder;
import io.clusterwright.windows.wine.Wine;
import io.clusterwright.windows.wine.WineExtension;
import java.io.IOException;
import java.util.List;
import java.util.function.Function;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.parallel.ResourceLock;

/** Sends arbitrary arguments through each layer to the parser that stands behind it. */
@Tag("breadth")
@ExtendWith(WineExtension.class)
@ResourceLock("wine")
class WindowsQuotingTest {
    private static final long SEED = Long.getLong("clusterwright.seed", 20261121L);
    /** A process takes some 40 ms. */
    private static final int STARTED = Boolean.getBoolean("clusterwright.soak") ? 1000 : 60;

    @Test
    void argumentsReachAProgramUnchanged(Wine wine) throws IOException {
        Recorder recorder = new Recorder(wine);
        List<List<String>> lists = Seeded.by(SEED).argumentLists(4000);
        List<String> lines = lines(lists, arguments -> WindowsArguments.commandLine(recorder.name(), arguments));

        same(lists, recorder.split(lines), lines);
        same(lists.subList(0, STARTED), recorder.start(lines.subList(0, STARTED)), lines);
    }

    @Test
    void argumentsPassABatchFileUnchanged(Wine wine) throws IOException {
        Recorder recorder = new Recorder(wine);
        List<List<String>> lists = Seeded.ascii(SEED + 1).argumentLists(STARTED);
        List<String> lines = lines(lists, arguments -> CmdShell.batchLine(recorder.name(), arguments));

        same(lists, recorder.batch(lines), lines);
    }

    @Test
    void argumentsPassThePromptUnchanged(Wine wine) throws IOException {
        Recorder recorder = new Recorder(wine);
        List<List<String>> lists = Seeded.by(SEED + 2).argumentLists(STARTED);
        List<String> lines = lines(lists, arguments -> CmdShell.promptLine(recorder.name(), arguments));

        same(
                lists,
                recorder.start(
                        lines.stream().map(line -> "cmd.exe /d /c " + line).toList()),
                lines);
    }

    private static List<String> lines(List<List<String>> lists, Function<List<String>, String> writer) {
        return lists.stream().map(writer).toList();
    }

    private static void same(List<List<String>> sent, List<List<String>> arrived, List<String> lines) {
        for (int i = 0; i < Math.min(sent.size(), arrived.size()); i++) {
            assertThat(arrived.get(i))
                    .as("line %d of seed %d: %s", i, SEED, lines.get(i))
                    .isEqualTo(sent.get(i));
        }
        assertThat(arrived).as("arrived with seed " + SEED).hasSameSizeAs(sent);
    }
}
