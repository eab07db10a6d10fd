package io.clusterwright.windows.hpcpack;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.clusterwright.core.type.InvalidValueException;
import io.clusterwright.windows.internal.xml.Xml;
import io.clusterwright.windows.internal.xml.XmlWriter;
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
        assertThat(parsed(XmlWriter.write(Xml.parse(text))).isEqualNode(parsed(text)))
                .isTrue();
    }

    @Test
    void keepsUnknownElements() throws Exception {
        String text =
                "<!-- ours --><Job Version=\"3.000\" Name=\"a&amp;b&#10;c\" Odd=\"&quot;\"><EnvironmentVariables><Variable>"
                        + "<Name>A</Name><Value>1 &lt; 2</Value></Variable></EnvironmentVariables><?x y?><Dependencies/>"
                        + "<Tasks><Task CommandLine=\"a &gt; b\" Strange=\"1\"><Extra/></Task></Tasks></Job>";
        assertThat(parsed(XmlWriter.write(Xml.parse(text))).isEqualNode(parsed(text)))
                .isTrue();
    }

    @Test
    void writesTheTasksOfAJob() throws Exception {
        HpcPackJob job = HpcPackJob.named("a&b")
                .environment("A", "1 < 2")
                .addTask(HpcPackTask.of("echo *").name("first"))
                .addTask(HpcPackTask.of("mpiexec \"a b.exe\" \"100%\"").environment("B", "x"));
        assertThat(job).hasToString("job a&b of 2 tasks");
        assertThat(parsed(JobClient.jobFile(job))
                        .isEqualNode(parsed("<Job Name=\"a&amp;b\"><EnvironmentVariables><Variable><Name>A</Name>"
                                + "<Value>1 &lt; 2</Value></Variable></EnvironmentVariables><Tasks>"
                                + "<Task Name=\"first\" CommandLine=\"echo *\" IsRerunnable=\"false\" />"
                                + "<Task CommandLine=\"mpiexec &quot;a b.exe&quot; &quot;100%&quot;\" IsRerunnable=\"false\">"
                                + "<EnvironmentVariables><Variable><Name>B</Name><Value>x</Value></Variable>"
                                + "</EnvironmentVariables></Task></Tasks></Job>")))
                .isTrue();
    }

    @Test
    void refusesOtherTextWithItsPlace() {
        assertThatThrownBy(() -> Xml.parse("<Job>\n  <Tasks>\n</Job>"))
                .isInstanceOfSatisfying(
                        Xml.Malformed.class,
                        refusal -> assertThat(refusal.place().line()).isEqualTo(3));
        assertThatThrownBy(() -> Xml.parse("<!DOCTYPE Job [<!ENTITY x SYSTEM 'file:///etc/passwd'>]><Job>&x;</Job>"))
                .isInstanceOf(Xml.Malformed.class);
        assertThatThrownBy(() -> JobClient.jobFile(HpcPackJob.named("a").property("Project", "\u0001")))
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
