package io.clusterwright.windows;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.clusterwright.core.type.InvalidValueException;
import io.clusterwright.windows.powershell.PowerShellCheck;
import io.clusterwright.windows.wine.Recorder;
import io.clusterwright.windows.wine.Wine;
import io.clusterwright.windows.wine.WineExtension;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.parallel.ResourceLock;

@ExtendWith(WineExtension.class)
@ResourceLock("wine")
class WindowsImageScriptTest {
    private static final String HASH = "ab".repeat(32);
    private static final URI INSTALLER = URI.create("https://download.example/msmpisetup.exe");
    private static final Pattern PACKED = Pattern.compile("FromBase64String\\('([^']*)'\\)");

    private static final Pattern CARRIED = Pattern.compile("-Content '([^']*)'");

    private final WindowsImageScript script = WindowsImageScript.create()
            .msMpi(INSTALLER, HASH)
            .firewall("solver's", "C:\\app\\it's here\\solver.exe")
            .file("C:\\app\\settings.txt", "a=1\r\n'\u00fc'\r\n".getBytes(StandardCharsets.UTF_8))
            .script("install \"app\"", "Write-Output 'it''s me'\r\nexit 0\r\n")
            .requireNetworkDirect();

    @Test
    @Tag("breadth")
    void scriptsArePowerShellAndCallWhatExists() {
        PowerShellCheck.check(Map.of(
                "image", script.text(),
                "with sysprep", script.textWithSysprep(),
                "empty", WindowsImageScript.create().text()));
    }

    @Test
    void stepsStandInTheirOrderAndSysprepIsLast() {
        String text = script.textWithSysprep();
        assertThat(text)
                .containsSubsequence(
                        "Set-StrictMode",
                        "msmpisetup.exe",
                        "WSCEnumProtocols",
                        "Install-MsMpi -Digest '" + HASH.toUpperCase(Locale.ROOT) + "' -Uri '" + INSTALLER + "'",
                        "Open-Firewall -Name 'solver''s' -Program 'C:\\app\\it''s here\\solver.exe'",
                        "Write-CarriedFile -Content '",
                        "' -Path 'C:\\app\\settings.txt'",
                        "Invoke-CarriedScript -Content '",
                        "' -Name 'install ?app?'",
                        "Assert-NetworkDirect",
                        WindowsImageScript.MARKER,
                        "/generalize /oobe /shutdown /quiet");
        assertThat(script.text()).contains(WindowsImageScript.MARKER).doesNotContain("sysprep");
    }

    @Test
    void filesAndScriptsTravelUnchanged() {
        List<String> carried = CARRIED.matcher(script.text())
                .results()
                .map(found -> found.group(1))
                .toList();
        assertThat(carried).hasSize(2);
        assertThat(new String(Base64.getDecoder().decode(carried.get(0)), StandardCharsets.UTF_8))
                .isEqualTo("a=1\r\n'\u00fc'\r\n");
        assertThat(new String(Base64.getDecoder().decode(carried.get(1)), StandardCharsets.UTF_16LE))
                .isEqualTo("Write-Output 'it''s me'\r\nexit 0\r\n");
    }

    @Test
    void refusesInvalidPathsAndHashes() {
        assertThatThrownBy(() -> script.file("relative.txt", new byte[0]))
                .isInstanceOf(InvalidValueException.class)
                .hasMessageContaining("C:\\app\\solver.exe");
        assertThatThrownBy(() -> script.msMpi(URI.create("http://plain.example/a.exe"), HASH))
                .isInstanceOf(InvalidValueException.class);
        assertThatThrownBy(() -> script.msMpi(INSTALLER, "abc")).isInstanceOf(InvalidValueException.class);
    }

    @Test
    @Tag("breadth")
    void theExtensionsCommandIsReadByWindowsAndHoldsTheScript(Wine wine) throws IOException {
        CustomScriptExtension extension = CustomScriptExtension.inline(script.text(), 7);
        assertThat(new ObjectMapper().readTree(extension.settings())).hasToString("{\"timestamp\":7}");
        assertThat(extension.toString()).doesNotContain("powershell");
        JsonNode hidden =
                new ObjectMapper().readTree(extension.protectedSettings().reveal());

        List<String> words = new Recorder(wine)
                .split(List.of(hidden.path("commandToExecute").textValue()))
                .get(0);

        assertThat(words.subList(0, words.size() - 1))
                .containsExactly("-NoProfile", "-NonInteractive", "-ExecutionPolicy", "Bypass", "-Command");
        String command = words.get(words.size() - 1);
        assertThat(PowerShellCheck.problems(Map.of("command", command)))
                .as("what is called is a script, and no cmdlet")
                .hasSize(1)
                .allMatch(problem -> problem.contains("there is no ([ScriptBlock]::Create("));
        Matcher packed = PACKED.matcher(command);
        assertThat(packed.find()).isTrue();
        byte[] bytes = Base64.getDecoder().decode(packed.group(1));
        assertThat(new GZIPInputStream(new ByteArrayInputStream(bytes)).readAllBytes())
                .isEqualTo(script.text().getBytes(StandardCharsets.UTF_8));
    }

    @Test
    void aShortScriptIsNotPacked() throws IOException {
        String text = WindowsImageScript.create()
                .firewall("solver", "C:\\app 100%\\sölver.exe")
                .text();

        JsonNode hidden = new ObjectMapper()
                .readTree(CustomScriptExtension.inline(text, 1)
                        .protectedSettings()
                        .reveal());

        String start = "powershell.exe -NoProfile -NonInteractive -ExecutionPolicy Bypass -EncodedCommand ";
        String command = hidden.path("commandToExecute").textValue();
        assertThat(command).startsWith(start).hasSizeLessThan(CustomScriptExtension.LONGEST_COMMAND);
        byte[] script = Base64.getDecoder().decode(command.substring(start.length()));
        assertThat(new String(script, StandardCharsets.UTF_16LE)).isEqualTo(text);
    }

    @Test
    void aScriptTooLongForACommandIsDownloaded() throws IOException {
        byte[] noise = new byte[9000];
        new Random(1).nextBytes(noise);
        WindowsImageScript large = script.file("C:\\app\\noise.bin", noise);
        assertThatThrownBy(() -> CustomScriptExtension.inline(large.text(), 1))
                .isInstanceOf(InvalidValueException.class)
                .hasMessageContaining("CustomScriptExtension.download");

        CustomScriptExtension extension = CustomScriptExtension.download(
                URI.create("https://account.blob.core.windows.net/scripts/image.ps1?sig=secret"), 1);

        JsonNode hidden =
                new ObjectMapper().readTree(extension.protectedSettings().reveal());
        assertThat(hidden.path("commandToExecute").textValue())
                .isEqualTo("powershell.exe -NoProfile -NonInteractive -ExecutionPolicy Bypass -File image.ps1");
        assertThat(hidden.at("/fileUris/0").textValue()).endsWith("image.ps1?sig=secret");
        assertThat(extension.settings()).doesNotContain("secret");
        assertThatThrownBy(() -> CustomScriptExtension.download(URI.create("https://a.example/a%20b.ps1"), 1))
                .isInstanceOf(InvalidValueException.class);
    }
}
