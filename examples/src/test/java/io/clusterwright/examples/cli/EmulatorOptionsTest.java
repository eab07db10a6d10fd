package io.clusterwright.examples.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class EmulatorOptionsTest {
    private final Console console = new Console();

    @TempDir
    private Path folder;

    @ParameterizedTest
    @ValueSource(strings = {"70000", "-1"})
    void refusesAPortOutsideOfTheRange(String port) {
        assertThat(console.run("emulator", "--port=" + port)).isEqualTo(2);
        assertThat(console.errors())
                .contains("invalid port \"" + port + "\": use 1 to 65535, or 0 for a free port (example: 8080)");
    }

    @Test
    void namesTheReasonWhyFaultsCannotBeRead() throws IOException {
        Path missing = folder.resolve("faults.yaml");
        assertThat(console.run("emulator", "--faults", missing.toString())).isEqualTo(2);
        assertThat(console.errors())
                .contains("cannot read the fault script: " + missing
                        + ": no such file or folder; name a file that can be read");

        console.clear();
        Files.write(missing, new byte[] {(byte) 0xff, 'a'});
        assertThat(console.run("emulator", "--faults", missing.toString())).isEqualTo(2);
        assertThat(console.errors()).contains("it is not text in UTF-8");
    }
}
