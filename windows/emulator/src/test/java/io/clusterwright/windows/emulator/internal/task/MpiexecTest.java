package io.clusterwright.windows.emulator.internal.task;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class MpiexecTest {

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            quoteCharacter = '`',
            value = {
                "a b\tc; a|b|c",
                "`\"a b\" c`; a b|c",
                "`\"\" x`; |x",
                "`a\\\\b`; a\\\\b",
                "`a\\\\\"b c\"`; a\\b c",
                "`a\\\"b`; a\"b",
                "`\"a\\\\\" b`; a\\|b",
            })
    void splitsWordsAsWindowsDoes(String line, String words) {
        assertThat(CommandLine.split(line)).containsExactly(words.split("\\|"));
    }

    @Test
    void expandsVariablesAndCaretsLikeTheShell() {
        Map<String, String> variables = Map.of("CCP_JOBID", "19");
        assertThat(CommandLine.words("echo %ccp_jobid% %unknown% ^& \"^&\" 100%", variables))
                .containsExactly("echo", "19", "%unknown%", "&", "^&", "100%");
    }

    @ParameterizedTest
    @ValueSource(strings = {"a & b", "a | b", "a > b", "a < b"})
    void refusesCommandsThatNeedAShell(String line) {
        assertThatThrownBy(() -> CommandLine.words(line, Map.of()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("no shell");
    }

    @Test
    void readsMpiexecWithPingPong() {
        Mpiexec run = Mpiexec.read(CommandLine.split(
                        "mpiexec.exe -c 1 -affinity -env MSMPI_DISABLE_SOCK 1 mpipingpong -p 4000000:1000 -op -s nul"))
                .orElseThrow();
        assertThat(run.ranksPerNode()).isEqualTo(1);
        assertThat(run.affinity()).isTrue();
        assertThat(run.environment()).containsExactly(Map.entry("MSMPI_DISABLE_SOCK", "1"));
        assertThat(Mpiexec.PingPong.isPingPong(run.program())).isTrue();
        assertThat(Mpiexec.PingPong.read(run.program())).isEqualTo(new Mpiexec.PingPong(4_000_000, 1000));
    }

    @Test
    void refusesUnknownOptionsOfMpiexec() {
        assertThat(Mpiexec.read(List.of("hostname"))).isEmpty();
        assertThatThrownBy(() -> Mpiexec.read(List.of("mpiexec", "-hosts", "2", "A", "B", "app.exe")))
                .hasMessageContaining("-hosts")
                .hasMessageContaining("-wdir");
        assertThatThrownBy(() -> Mpiexec.read(List.of("mpiexec", "-n", "2"))).hasMessageContaining("no program");
    }
}
