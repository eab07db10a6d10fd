package io.clusterwright.windows.internal.relay;

import static java.nio.charset.StandardCharsets.UTF_16LE;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.clusterwright.core.Command;
import io.clusterwright.core.internal.relay.RelayShell.End;
import io.clusterwright.core.internal.relay.RelayShell.Input;
import io.clusterwright.core.internal.relay.RelayShell.Launch;
import io.clusterwright.core.internal.relay.RelayShell.Look;
import io.clusterwright.core.internal.relay.RelayShell.Request;
import io.clusterwright.core.internal.relay.RelayShell.Stage;
import io.clusterwright.core.internal.relay.RelayShell.Window;
import io.clusterwright.core.spi.ScriptChannel;
import io.clusterwright.core.type.UserName;
import io.clusterwright.windows.internal.quoting.WindowsArguments;
import io.clusterwright.windows.powershell.PowerShellCheck;
import java.io.IOException;
import java.time.Duration;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** There is no PowerShell here: scripts are read with its grammar, and held against the cmdlets that exist. */
class WindowsRelayShellTest {
    private static final Window WINDOW = new Window(Duration.ofSeconds(5), 7, 8_000_000_000L, 3_900);
    private static final List<String> WORDS =
            List.of("C:\\it's here\\solver.exe", "", "a \"b\" \\", "Gr\u00fc\u00dfe \u4e16");

    private final WindowsRelayShell shell = new WindowsRelayShell();

    private static Launch launch() {
        Command command = Command.of(WORDS).environment("NAME", "v\u00e4lue");
        return new Launch("0a1b", command, UserName.of("hpcadmin"), new Input(6, new byte[] {1, 2, 3}), WINDOW);
    }

    @Test
    @Tag("breadth")
    void scriptsAreValidPowerShellInAscii() {
        Map<String, String> scripts = new LinkedHashMap<>();
        List<Request> requests = List.of(
                new Stage("0a1b", new Input(5, new byte[] {1})),
                launch(),
                new Look("0a1b", WINDOW),
                new End("0a1b", Duration.ofSeconds(2), WINDOW));
        for (Request request : requests) {
            String script = shell.script(request);
            assertThat(new ScriptChannel.Script(shell.language(), script).text())
                    .isEqualTo(script);
            scripts.put(request.getClass().getSimpleName(), script);
        }
        scripts.put("run", new String(Base64.getDecoder().decode(value(shell.script(launch()), "Runner")), UTF_8));
        scripts.put("read", encoded(shell.reading("C:\\a b\\'x'.txt", 1000)));
        scripts.put("write", encoded(shell.writing("C:\\a b\\'x'.txt", 0644)));
        PowerShellCheck.check(scripts);
    }

    @Test
    void aCommandIsCarriedWithWhatWindowsSplitsIntoItsArguments() throws IOException {
        String script = shell.script(launch());
        JsonNode order = new ObjectMapper().readTree(Base64.getDecoder().decode(value(script, "Order")));
        assertThat(order.path("program").asText()).isEqualTo(WORDS.get(0));
        assertThat(order.path("arguments").asText()).isEqualTo(WindowsArguments.join(WORDS.subList(1, 4)));
        assertThat(order.at("/environment/0/name").asText()).isEqualTo("NAME");
        assertThat(order.at("/environment/0/value").asText()).isEqualTo("v\u00e4lue");
        assertThat(Base64.getDecoder().decode(value(script, "Input"))).containsExactly(1, 2, 3);
        assertThat(script)
                .contains(
                        "$cwJob = '0a1b'\r\n",
                        "$cwFrom = [long]6\r\n",
                        "$cwErr = [long]8000000000\r\n",
                        "$cwCharacters = 3900\r\n")
                .doesNotContain("solver");
    }

    @Test
    void aPathIsNoPartOfAScript() {
        String path = "C:\\a'); Remove-Item C:\\ #\u2019.txt";
        assertThat(encoded(shell.reading(path, 5))).doesNotContain("Remove-Item");
        assertThat(shell.writing(path, 0).arguments().get(0)).isEqualTo("powershell.exe");
    }

    private static String value(String script, String name) {
        Matcher found = Pattern.compile("\\$cw" + name + " = '([^']*)'").matcher(script);
        assertThat(found.find()).as(name).isTrue();
        return found.group(1);
    }

    private static String encoded(Command command) {
        List<String> words = command.arguments();
        return new String(Base64.getDecoder().decode(words.get(words.size() - 1)), UTF_16LE);
    }
}
