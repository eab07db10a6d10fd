package io.clusterwright.windows.internal.quoting;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.clusterwright.core.type.InvalidValueException;
import io.clusterwright.windows.Seeded;
import io.clusterwright.windows.powershell.ParsedScript;
import io.clusterwright.windows.powershell.PowerShellGrammar;
import io.clusterwright.windows.wine.Recorder;
import io.clusterwright.windows.wine.Wine;
import io.clusterwright.windows.wine.WineExtension;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(WineExtension.class)
class PowerShellQuotingTest {
    private static final long SEED = Long.getLong("clusterwright.seed", 20261121L);

    @Test
    void aLiteralIsOneTokenThatMeansTheText() {
        Seeded seeded = Seeded.by(SEED);
        List<String> texts = new ArrayList<>(List.of("", "'", "''", "it's", "a\r\nb", "\u2018x\u2019", "$(exit)", "`"));
        for (int i = 0; i < 2000; i++) {
            texts.add(seeded.text(20));
        }
        List<ParsedScript> parsed = PowerShellGrammar.read(texts.stream()
                .map(text -> "Write-Output -InputObject " + PowerShellQuoting.literal(text))
                .toList());

        for (int i = 0; i < texts.size(); i++) {
            ParsedScript script = parsed.get(i);
            assertThat(script.errors()).as("text %d of seed %d", i, SEED).isEmpty();
            assertThat(script.commands()).hasSize(1);
            assertThat(script.literals()).containsExactly(PowerShellQuoting.literal(texts.get(i)));
            assertThat(ParsedScript.value(script.literals().get(0))).isEqualTo(texts.get(i));
        }
    }

    @Test
    void argumentsReachAProgramThatAScriptStarts(Wine wine) throws IOException {
        List<List<String>> lists = Seeded.by(SEED + 3).argumentLists(1000);
        List<ParsedScript> scripts = PowerShellGrammar.read(lists.stream()
                .map(arguments -> PowerShellQuoting.startProcess("recorder.exe", arguments))
                .toList());

        List<String> lines = scripts.stream()
                .map(script -> ParsedScript.value(script.literals().get(0)) + " "
                        + ParsedScript.value(script.literals().get(1)))
                .toList();

        assertThat(new Recorder(wine).split(lines)).as("seed " + SEED).isEqualTo(lists);
    }

    @Test
    void quotesOfEveryShapeAreDoubled() {
        assertThat(PowerShellQuoting.literal("it's \u2018so\u2019")).isEqualTo("'it''s \u2018\u2018so\u2019\u2019'");
        assertThat(PowerShellQuoting.literals(List.of("A", "B,C"))).isEqualTo("@('A','B,C')");
        assertThat(PowerShellQuoting.literal(true)).isEqualTo("$true");
    }

    @Test
    void noArgumentsMeanNoList() {
        assertThat(PowerShellQuoting.startProcess("job", List.of()))
                .isEqualTo("Start-Process -FilePath 'job' -NoNewWindow -Wait -PassThru");
    }

    @Test
    void pastedDashesAndQuotesAreTypedAgain() {
        assertThat(
                        PowerShellQuoting.typed(
                                ".\\New-HPCIaaSCluster.ps1 \u2013ConfigFile\u00A0\u201Ca b.xml\u201D \u2014Force \u2018x\u2019"))
                .isEqualTo(".\\New-HPCIaaSCluster.ps1 -ConfigFile \"a b.xml\" -Force 'x'");
    }

    @Test
    void refusesTextThatNoScriptCanHold() {
        assertThatThrownBy(() -> PowerShellQuoting.literal("a\0b"))
                .isInstanceOf(InvalidValueException.class)
                .hasMessageContaining("a?b")
                .hasMessageContaining("without a NUL character");
        assertThatThrownBy(() -> PowerShellQuoting.literal("a\uD83D")).isInstanceOf(InvalidValueException.class);
    }
}
