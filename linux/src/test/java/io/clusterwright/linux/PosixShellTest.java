package io.clusterwright.linux;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.clusterwright.core.internal.text.PosixShell;
import io.clusterwright.core.type.InvalidValueException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class PosixShellTest {

    @Nested
    class Words {
        @ParameterizedTest
        @ValueSource(strings = {"mpirun", "-n", "/opt/app/solver", "10.32.0.11:16", "a,b", "50%", "--x-y_z"})
        void stayPlainWhereTheyMay(String word) {
            assertThat(PosixShell.quote(word)).isEqualTo(word);
        }

        @ParameterizedTest
        @CsvSource(quoteCharacter = '"', textBlock = """
            "",        ''
            a b,       'a b'
            $HOME,     '$HOME'
            it's,      'it'\\''s'
            A=1,       'A=1'
            ~,         '~'
            if,        'if'
            %1,        '%1'
            """)
        void areQuotedWhereTheyMust(String word, String quoted) {
            assertThat(PosixShell.quote(word)).isEqualTo(quoted);
        }

        @Test
        void cannotHoldANul() {
            assertThatThrownBy(() -> PosixShell.quote("a\0b"))
                    .isInstanceOf(InvalidValueException.class)
                    .hasMessage(
                            "an argument has a NUL character, which no shell can pass on: remove the NUL character");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"/bin/sh", "/bin/bash", "/bin/dash"})
    void everyWordReachesTheProgramUnchanged(String shell) {
        Seeded.times(20, random -> {
            List<String> words = new ArrayList<>(List.of("", " ", "'", "\\", "\n", "a\n", "-", "!", "~root", "a'\"b"));
            for (int i = 0; i < 150; i++) {
                words.add(word(random));
            }
            List<String> line = new ArrayList<>(List.of("printf", "%s\\0"));
            line.addAll(words);
            Tool result = Tool.run(shell, "-c", PosixShell.quote(line));
            assertThat(Arrays.asList(result.orThrow().split("\0", -1)).subList(0, words.size()))
                    .isEqualTo(words);
        });
    }

    @ParameterizedTest
    @ValueSource(strings = {"/bin/sh", "/bin/bash"})
    void everyReservedWordCanBeAProgram(String shell) {
        for (String word : List.of("if", "for", "case", "done", "then", "while", "time", "select", "function", "in")) {
            assertThat(Tool.run(shell, "-c", "PATH=/nonexistent\n" + PosixShell.quote(List.of(word)))
                            .exit())
                    .as(word)
                    .isEqualTo(127);
        }
    }

    private static String word(Random random) {
        StringBuilder word = new StringBuilder();
        for (int length = random.nextInt(12); length > 0; length--) {
            int kind = random.nextInt(4);
            if (kind == 0) {
                word.append(Seeded.text(random, "'\"\\$`!*?[]{}()<>|&;#~=%^ \t\n\r", 1));
            } else if (kind == 1) {
                int c = 1 + random.nextInt(0x10FFFF);
                word.appendCodePoint(c >= 0xD800 && c <= 0xDFFF ? 'x' : c);
            } else {
                word.append((char) (1 + random.nextInt(126)));
            }
        }
        return word.toString();
    }
}
