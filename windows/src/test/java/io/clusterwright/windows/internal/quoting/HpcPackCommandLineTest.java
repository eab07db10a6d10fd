package io.clusterwright.windows.internal.quoting;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.clusterwright.core.type.InvalidValueException;
import io.clusterwright.windows.Seeded;
import io.clusterwright.windows.hpcpack.HpcPackJob;
import io.clusterwright.windows.hpcpack.HpcPackTask;
import io.clusterwright.windows.hpcpack.JobClient;
import io.clusterwright.windows.internal.jobs.JobSubmitWords;
import io.clusterwright.windows.wine.Recorder;
import io.clusterwright.windows.wine.Wine;
import io.clusterwright.windows.wine.WineExtension;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.w3c.dom.Element;

@ExtendWith(WineExtension.class)
@ResourceLock("wine")
class HpcPackCommandLineTest {
    private static final long SEED = Long.getLong("clusterwright.seed", 20261121L);
    private static final int STARTED = Boolean.getBoolean("clusterwright.soak") ? 500 : 50;

    @Test
    @Tag("breadth")
    void argumentsPassAJobFileAndTheShellOfTheNodeUnchanged(Wine wine) throws Exception {
        Recorder recorder = new Recorder(wine);
        List<List<String>> lists = Seeded.by(SEED + 4).argumentLists(STARTED);
        List<String> lines = new ArrayList<>();
        for (List<String> list : lists) {
            List<String> command = new ArrayList<>(List.of(recorder.name()));
            command.addAll(list);
            String text = JobClient.jobFile(HpcPackJob.of(HpcPackTask.of(HpcPackCommandLine.stored(command))));
            Element task = (Element) DocumentBuilderFactory.newInstance()
                    .newDocumentBuilder()
                    .parse(new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8)))
                    .getElementsByTagName("Task")
                    .item(0);
            lines.add("cmd.exe /d /c " + task.getAttribute("CommandLine"));
        }

        assertThat(recorder.start(lines)).as("seed " + SEED).isEqualTo(lists);
    }

    @Test
    @Tag("breadth")
    void wordsAfterJobSubmitReachTheTaskHoweverTheyAreJoined(Wine wine) throws Exception {
        Recorder recorder = new Recorder(wine);
        List<List<String>> lists = new ArrayList<>();
        List<String> lines = new ArrayList<>();
        for (List<String> list : Seeded.by(SEED + 5).argumentLists(STARTED * 20)) {
            List<String> command = new ArrayList<>(List.of(recorder.name()));
            list.stream().map(text -> text.replaceAll("[ \t\"%]", "x")).forEach(command::add);
            if (!command.contains("") && lists.size() < STARTED / 3) {
                lists.add(command.subList(1, command.size()));
                lines.add("recorder.exe "
                        + WindowsArguments.join(
                                JobSubmitWords.of(HpcPackJob.of(HpcPackTask.of(HpcPackCommandLine.stored(command)))
                                        .nodes(1, 1))));
            }
        }

        assertThat(lists).hasSize(STARTED / 3);
        assertThat(recorder.tails("joined", lines)).as("seed " + SEED).isEqualTo(lists);
        assertThat(recorder.tails("raw", lines)).as("seed " + SEED).isEqualTo(lists);
    }

    @Test
    void refusesQuotesAfterJobSubmitWithARemedy() {
        for (String argument : List.of("a b", "", "a\"b", "%PATH%", "\t")) {
            assertThatThrownBy(() -> HpcPackCommandLine.words(HpcPackCommandLine.stored(List.of("app.exe", argument))))
                    .isInstanceOf(InvalidValueException.class)
                    .hasMessageContaining("otherwise use a job file or REST");
            assertThat(HpcPackCommandLine.stored(List.of("app.exe", argument))).startsWith("app.exe ");
        }
    }

    @Test
    void aCommandThatHpcPackWouldCutIsRefused() {
        assertThatThrownBy(() -> HpcPackCommandLine.stored(List.of("app.exe", "x".repeat(1020))))
                .isInstanceOf(InvalidValueException.class)
                .hasMessageContaining("at most 1024 characters (480 before 2016 Update 3)");
    }

    @Test
    void refusesTextThatNoShellCanPass() {
        assertThatThrownBy(() -> CmdShell.batchLine("app.exe", List.of("a\nb")))
                .hasMessageContaining("without control characters other than a tab");
        assertThatThrownBy(() -> CmdShell.batchLine("app.exe", List.of("é")))
                .hasMessageContaining("use ASCII characters only");
        assertThatThrownBy(() -> CmdShell.promptLine("%app%.exe", List.of())).hasMessageContaining("without %");
        assertThatThrownBy(() -> WindowsArguments.commandLine("a\"b", List.of()))
                .hasMessageContaining("without quotes");
    }
}
