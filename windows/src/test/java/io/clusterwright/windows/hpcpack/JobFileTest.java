package io.clusterwright.windows.hpcpack;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.clusterwright.core.type.InvalidValueException;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import javax.xml.parsers.DocumentBuilder;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.w3c.dom.Document;

class JobFileTest {

    @ParameterizedTest
    @ValueSource(strings = {"hpcpack-jobfile-basic.xml", "hpcpack-jobfile-sweep.xml"})
    void writesPublishedFilesBackWithoutLoss(String name) throws Exception {
        String text = resource(name);
        assertThat(parsed(JobFile.read(text).text()).isEqualNode(parsed(text))).isTrue();
    }

    @Test
    void keepsUnknownElements() throws Exception {
        String text =
                "<!-- ours --><Job Version=\"3.000\" Name=\"a&amp;b&#10;c\" Odd=\"&quot;\"><EnvironmentVariables><Variable>"
                        + "<Name>A</Name><Value>1 &lt; 2</Value></Variable></EnvironmentVariables><?x y?><Dependencies/>"
                        + "<Tasks><Task CommandLine=\"a &gt; b\" Strange=\"1\"><Extra/></Task></Tasks></Job>";
        assertThat(parsed(JobFile.read(text).text()).isEqualNode(parsed(text))).isTrue();
    }

    @Test
    void readsAndAddsTasks() throws IOException {
        JobFile file = JobFile.read(resource("hpcpack-jobfile-sweep.xml"));
        assertThat(file).hasToString("job ParametricSweepJob of 2 tasks");
        assertThat(file.tasks().get(0).properties())
                .containsEntry("Type", "ParametricSweep")
                .containsEntry("CommandLine", "echo *");

        JobFile more = file.add(JobFile.task("third", java.util.List.of("mpiexec", "a b.exe", "100%")));
        assertThat(more.tasks()).hasSize(3);
        assertThat(more.tasks().get(2).properties().get("CommandLine")).isEqualTo("mpiexec \"a b.exe\" \"100%\"");
        assertThat(JobFile.read(more.text()).tasks())
                .extracting(HpcPackTask::properties)
                .isEqualTo(more.tasks().stream().map(HpcPackTask::properties).toList());
    }

    @Test
    void refusesOtherFilesWithTheirPlace() {
        assertThatThrownBy(() -> JobFile.read("<Job>\n  <Tasks>\n</Job>"))
                .isInstanceOf(InvalidValueException.class)
                .hasMessageContaining("line 3");
        assertThatThrownBy(() -> JobFile.read("<Task/>")).hasMessageContaining("whose root is Job");
        assertThatThrownBy(() -> JobFile.read("<!DOCTYPE Job [<!ENTITY x SYSTEM 'file:///etc/passwd'>]><Job>&x;</Job>"))
                .isInstanceOf(InvalidValueException.class);
        assertThatThrownBy(() -> JobFile.of("a").attribute("Project", "\u0001").text())
                .isInstanceOf(InvalidValueException.class);
    }

    private static String resource(String name) throws IOException {
        try (InputStream in = JobFileTest.class.getResourceAsStream(name)) {
            return new String(Objects.requireNonNull(in, name).readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    /** Without the blanks between elements, which mean nothing. */
    private static Document parsed(String text) throws Exception {
        DocumentBuilder builder = DocumentBuilderFactory.newInstance().newDocumentBuilder();
        String tight = text.replaceAll(">\\s+<", "><");
        return builder.parse(new ByteArrayInputStream(tight.getBytes(StandardCharsets.UTF_8)));
    }
}
