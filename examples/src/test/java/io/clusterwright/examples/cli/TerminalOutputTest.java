package io.clusterwright.examples.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TerminalOutputTest {
    private final ByteArrayOutputStream terminal = new ByteArrayOutputStream();
    private final PrintStream printing = new PrintStream(new TerminalOutput(terminal), true, UTF_8);

    private String printed(String text) {
        printing.print(text);
        return terminal.toString(UTF_8);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "plain text\n",
                "a\tb\r\n",
                "äöü → 日本 ¡£",
                "\u001b[32mgreen\u001b[0m",
                "\u001b[1;31mred\u001b[m",
                "\r\u001b[K"
            })
    void textAndColoursPass(String text) {
        assertThat(printed(text)).isEqualTo(text);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "\u001b]0;title\u0007",
                "\u001b]52;c;cm0gLXJmIH4=\u0007",
                "\u001b[6n",
                "\u001b[2J\u001b[H",
                "\u001bP$q\"p\u001b\\",
                "\u009b6n",
                "\u001b[?1049h",
                "\b\b\bok",
                "\u007f\u0000",
                "\u001b\u001b]0;x",
                "\u001b[1111111111111111111111111111111111111111m"
            })
    void whatControlsTheTerminalDoesNot(String text) {
        assertThat(printed(text)).contains("?").doesNotContain("\u001b", "\u009b", "\u0007", "\b", "\u007f", "\u0000");
    }

    @Test
    void sequencesInPiecesAreRecognised() throws IOException {
        for (byte one : "\u001b[31mé\u001b]0;x\u0007".getBytes(UTF_8)) {
            printing.write(new byte[] {one});
        }
        assertThat(terminal.toString(UTF_8)).isEqualTo("\u001b[31mé?]0;x?");
    }
}
