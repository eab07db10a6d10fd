package io.clusterwright.examples.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.Charset;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class TerminalOutputTest {
    private final ByteArrayOutputStream terminal = new ByteArrayOutputStream();
    private final TerminalOutput filter = new TerminalOutput(terminal, new TerminalOutput.Screen(), UTF_8);
    private final PrintStream printing = new PrintStream(filter, true, UTF_8);

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
                "grep: \u001b[01;31m\u001b[Kfound\u001b[m\u001b[K\n",
                "\uD83D\uDE80 \u05E9\u05DC\u05D5\u05DD\n",
                "\uD83D\uDC69\u200D\uD83D\uDCBB \u0645\u06CC\u200C\u062E\u0648\u0627\u0647\u0645 Schiff\u00ADfahrt\n"
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
                "user\u202Egnp.exe",
                "\u2066\u2067\u2068\u2069\u202A\u202B\u202C\u202D",
                "a\u200Eb\u200Fc\u061Cd",
                "\u007f\u0000",
                "\u001b\u001b]0;x",
                "\u001b[1K",
                "all good\u001b[2K",
                "\u001b[0;2K",
                "\u001b[0J",
                "\u001b[1A\u001b[3D\u001b[5G\u001b[s\u001b[u",
                "\u001b7\u001b8\u001bM\u001bc",
                "\u0007\u000e\u000f\u000b\f",
                "a\u0085b\u2028c\u2029d",
                "\u200b\u2060\ufeff",
                "\udb40\udc01\udb40\udc41\udb40\udd00",
                "\u001b[1111111111111111111111111111111111111111m"
            })
    void whatControlsTheTerminalDoesNot(String text) {
        assertThat(printed(text))
                .contains("?")
                .doesNotContain("\u001b", "\u009b", "\u0007", "\b", "\u007f", "\u0000")
                .doesNotContainPattern("[\\p{Cf}\\p{Zl}\\p{Zp}\\u0085\\u000b-\\u000f\\x{E0000}-\\x{E0FFF}]");
    }

    @ParameterizedTest
    @CsvSource(
            quoteCharacter = '"',
            value = {
                "10%\\r20%\\r30%\\n, 10%\\n^M20%\\n^M30%\\n",
                "[3] mine\\r[0] forged\\n, [3] mine\\n^M[0] forged\\n",
                "\\rfirst\\n\\rsecond\\n, ^Mfirst\\n^Msecond\\n",
                "dos\\r\\r\\n, dos\\r\\n",
                "the job failed\\r\u001b[Kall good\\n, the job failed\\n^M\u001b[Kall good\\n",
            })
    void aReturnOverwritesNoLine(String text, String shown) {
        assertThat(printed(text.translateEscapes())).isEqualTo(shown.translateEscapes());
    }

    @ParameterizedTest
    @CsvSource(
            quoteCharacter = '"',
            value = {
                "\"\u001b[2K10%\\r\u001b[2K20%\\n\", \"\u001b[K10%\\n^M\u001b[K20%\\n\"",
                "\"\u001b[2K\\r10%\u001b[2K\\r20%\\n\", \"\u001b[K^M10%?[2K\\n^M20%\\n\"",
            })
    void theErasureOfALineErasesNoText(String text, String shown) {
        assertThat(printed(text.translateEscapes())).isEqualTo(shown.translateEscapes());
    }

    @Test
    void theProgramErasesItsOwnLine() {
        printing.print("... nodes");
        filter.begin(true);

        assertThat(printed("+ nodes\r\n")).isEqualTo("... nodes\r\u001b[K+ nodes\r\n");
    }

    @ParameterizedTest
    @CsvSource(
            quoteCharacter = '"',
            value = {
                "output, output\\n",
                "output\\n, output\\n",
                "x\u001b[8m, x\u001b[8m\u001b[m\\n",
                "all good\u001b[, all good?\\n",
                "50%\\r, 50%?\\n"
            })
    void whatTheProgramSaysBeginsALine(String output, String shown) {
        printing.print(output.translateEscapes());
        filter.begin(false);

        assertThat(printed("the job failed\n")).isEqualTo(shown.translateEscapes() + "the job failed\n");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"\u001b[38;5;0m", "\u001b[0;8m", "\u001b[48;2;0;0;0m", "\u001b[8;00m", "\u001b[0m\u001b[8m"})
    void aColourWhoseLastNumberIsNoughtEndsWithItsLine(String colour) {
        assertThat(printed(colour + "hidden\n")).isEqualTo(colour + "hidden\u001b[m\n");
    }

    @Test
    void aColourEndsWithItsLine() {
        assertThat(printed("\u001b[8mhidden\nthe job failed\n")).isEqualTo("\u001b[8mhidden\u001b[m\nthe job failed\n");
    }

    @Test
    void bytesThatAreNoTextControlNothing() throws IOException {
        printing.write(new byte[] {
            (byte) 0x9b,
            '6',
            'n',
            (byte) 0xe0,
            (byte) 0x82,
            (byte) 0x9b,
            (byte) 0xe2,
            (byte) 0x80,
            'x',
            (byte) 0xff,
            '\n'
        });

        assertThat(terminal.toByteArray())
                .isEqualTo(new byte[] {'?', '6', 'n', '?', (byte) 0xe2, '?', 'x', (byte) 0xff, '\n'});
    }

    /** Bytes of a letter of UTF-8, of which the second begins a sequence. */
    @ParameterizedTest
    @ValueSource(strings = {"ISO-8859-1", "ISO-8859-15"})
    void aTerminalOfAnotherCharacterSetIsNotControlledByUtf8(String charset) throws IOException {
        byte[] text = {(byte) 0xe9, '\n', (byte) 0xe2, (byte) 0x9b, (byte) 0xb2, '6', 'n', (byte) 0xe9};
        new TerminalOutput(terminal, new TerminalOutput.Screen(), Charset.forName(charset)).write(text);

        text[3] = '?';
        assertThat(terminal.toByteArray()).isEqualTo(text);
    }

    @Test
    void lettersOfACodePageOfWindowsPass() throws IOException {
        byte[] text = "F\u00fc\u00dfe \u252c\u00f8 \u00d4\u00c7\u00ab\n".getBytes(Charset.forName("IBM850"));
        new TerminalOutput(terminal, new TerminalOutput.Screen(), Charset.forName("IBM850")).write(text);

        assertThat(terminal.toByteArray()).isEqualTo(text);
    }

    @Test
    void sequencesInPiecesAreRecognised() throws IOException {
        for (byte one : "\u001b[31mé\u001b]0;x\u0007".getBytes(UTF_8)) {
            printing.write(new byte[] {one});
        }
        assertThat(terminal.toString(UTF_8)).isEqualTo("\u001b[31mé?]0;x?");
    }
}
