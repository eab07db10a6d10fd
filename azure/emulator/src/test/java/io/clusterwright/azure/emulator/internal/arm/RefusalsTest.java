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

    private static Properties table() throws IOException {
        Properties table = new Properties();
        try (InputStream file = ArmException.class.getResourceAsStream("refusals.properties")) {
            table.load(file);
        }
        return table;
    }

    @Test
    void codeUsesEveryRefusalOfTheTableAndNoOther() throws IOException {
        Set<String> quoted = new TreeSet<>();
        Set<String> used = new TreeSet<>();
        try (Stream<Path> files = Files.walk(Path.of("src/main/java"))) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                String text = Files.readString(file);
                QUOTED.matcher(text).results().map(found -> found.group(1)).forEach(quoted::add);
                USED.matcher(text).results().map(found -> found.group(1)).forEach(used::add);
            }
        }
        Set<String> known = table().stringPropertyNames();
        assertThat(quoted).containsAll(known);
        assertThat(known).containsAll(used);
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
