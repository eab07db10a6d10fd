package io.clusterwright.windows.internal.quoting;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.clusterwright.core.type.InvalidValueException;
import io.clusterwright.windows.Seeded;
import io.clusterwright.windows.powershell.ParsedScript;
import io.clusterwright.windows.powershell.PowerShellGrammar;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class PowerShellQuotingTest {
    private static final long SEED = Long.getLong("clusterwright.seed", 20261121L);

    @Test
    @Tag("breadth")
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
    void quotesOfEveryShapeAreDoubled() {
        assertThat(PowerShellQuoting.literal("it's \u2018so\u2019")).isEqualTo("'it''s \u2018\u2018so\u2019\u2019'");
        assertThat(PowerShellQuoting.literals(List.of("A", "B,C"))).isEqualTo("@('A','B,C')");
        assertThat(PowerShellQuoting.literal(true)).isEqualTo("$true");
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
