package io.clusterwright.azure.emulator.internal.arm;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Properties;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class RefusalsTest {
    private static final String KEY = "\"([A-Z][A-Za-z0-9]+(?:\\.[a-z][A-Za-z]+)?)\"";
    private static final Pattern QUOTED = Pattern.compile(KEY);
    private static final Pattern USED = Pattern.compile("(?:ArmException\\s*\\.|return )of\\(\\s*" + KEY);

    private static final Pattern INVALID_VALUE =
            Pattern.compile("(?<![.])refuse\\([^;]*?,\\s+\"([a-z][A-Za-z]+)\",\\s");

    private static Set<String> keys(String file) throws IOException {
        Properties table = new Properties();
        try (InputStream text = ArmException.class.getResourceAsStream(file)) {
            table.load(text);
        }
        return table.stringPropertyNames();
    }

    private static Set<String> found(Pattern pattern, String folder) throws IOException {
        Set<String> found = new TreeSet<>();
        try (Stream<Path> files = Files.walk(Path.of("src/main/java/io/clusterwright/azure/emulator", folder))) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                pattern.matcher(Files.readString(file)).results().forEach(each -> found.add(each.group(1)));
            }
        }
        return found;
    }

    @Test
    void codeUsesEveryRefusalOfTheTableAndNoOther() throws IOException {
        assertThat(found(QUOTED, "")).containsAll(keys("refusals.properties"));
        assertThat(keys("refusals.properties")).containsAll(found(USED, ""));
    }

    @Test
    void codeUsesEveryInvalidValueOfTheTableAndNoOther() throws IOException {
        assertThat(found(INVALID_VALUE, "internal/batch"))
                .isEqualTo(new TreeSet<>(keys("../batch/invalid-values.properties")));
    }

    @Test
    void codeUsesEveryInvalidTemplateOfTheTableAndNoOther() throws IOException {
        Set<String> known = keys("../deployments/invalid-templates.properties");
        assertThat(found(Pattern.compile("\"([a-z][A-Za-z]+)\""), "internal/deployments"))
                .containsAll(known);
        assertThat(known)
                .containsAll(
                        found(Pattern.compile("TemplateException\\s*\\.of\\(\\s*\"([^\"]+)"), "internal/deployments"));
    }

    @Test
    void fillsThePlacesOfATextInOrder() {
        ArmException refusal = ArmException.of("NicInUse.attach", "nic", "machine");
        assertThat(refusal.status()).isEqualTo(400);
        assertThat(refusal.code()).isEqualTo("NicInUse");
        assertThat(refusal.text())
                .isEqualTo("Network Interface nic is used by existing resource machine. In order to attach the network"
                        + " interface to another resource, it must be detached first.");
    }
}
