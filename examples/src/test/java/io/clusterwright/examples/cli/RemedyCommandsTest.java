package io.clusterwright.examples.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatNoException;

import io.clusterwright.azure.AzureException;
import io.clusterwright.core.spi.FindingKind;
import io.clusterwright.core.spi.RuleSet;
import java.util.Arrays;
import java.util.List;
import java.util.ServiceLoader;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The commands in remedies can be pasted: they end at a bracket, a semicolon, a comma or the end of the text. */
class RemedyCommandsTest {
    private static final Pattern COMMAND = Pattern.compile("(?<![\\w-])(az|clusterwright) [^(;,)]+");
    private static final Set<String> FLAGS = Set.of("--wait", "--all", "--https-only");

    static Stream<String> ofClusterwright() {
        return commands("clusterwright");
    }

    static Stream<String> ofAzure() {
        return commands("az");
    }

    private static Stream<String> commands(String program) {
        Stream<FindingKind> kinds = ServiceLoader.load(RuleSet.class).stream()
                .map(ServiceLoader.Provider::get)
                .flatMap(
                        set -> Stream.concat(set.rules().stream().map(rule -> rule.kind()), set.otherKinds().stream()));
        Stream<String> reasons = Arrays.stream(AzureException.Reason.values()).map(AzureException.Reason::remedy);
        return Stream.concat(kinds.map(FindingKind::remedy), reasons)
                .flatMap(remedy -> COMMAND.matcher(remedy).results())
                .map(found -> found.group().strip())
                .filter(command -> command.startsWith(program + " "))
                .distinct();
    }

    @ParameterizedTest
    @MethodSource("ofClusterwright")
    void areParsedByTheProgram(String command) {
        assertThatNoException().isThrownBy(() -> CliPageTest.parse(command.replaceFirst("clusterwright ", "")));
    }

    @ParameterizedTest
    @MethodSource("ofAzure")
    void haveAValueForEachOptionOfAz(String command) {
        List<String> words = List.of(command.split(" "));
        Matcher prose = Pattern.compile(" (with|and|for|of|the|lists?|shows?) ").matcher(command);

        assertThat(prose.find()).as(command).isFalse();
        for (int i = 0; i < words.size(); i++) {
            if (words.get(i).startsWith("--") && !FLAGS.contains(words.get(i))) {
                assertThat(words).as(command).hasSizeGreaterThan(i + 1);
                assertThat(words.get(i + 1)).as(command).doesNotStartWith("-");
            }
        }
    }
}
