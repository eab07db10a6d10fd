package io.clusterwright.linux.internal.local;

import static org.assertj.core.api.Assertions.assertThat;

import io.clusterwright.linux.local.LocalMachines;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("breadth")
class UserNamespaceTest {

    @Test
    void rootOfAUserNamespaceIsRefusedWithTheReason() throws Exception {
        Process process = new ProcessBuilder(List.of(
                        "unshare",
                        "--user",
                        "--map-root-user",
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:TieredStopAtLevel=1",
                        "-cp",
                        System.getProperty("java.class.path"),
                        Requirements.class.getName()))
                .redirectErrorStream(true)
                .start();
        process.getOutputStream().close();
        try {
            String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            assertThat(process.waitFor(1, TimeUnit.MINUTES)).as(output).isTrue();
            assertThat(output)
                    .contains("CW-LOCAL-002: local nodes need root, and this is root of a user namespace only"
                            + " -> run the command as root of the machine");
        } finally {
            process.destroy();
        }
    }

    /** Prints what this process lacks. */
    static final class Requirements {
        public static void main(String... arguments) {
            LocalMachines.requirements().stream()
                    .filter(requirement -> !requirement.met())
                    .forEach(requirement -> System.out.println(
                            requirement.code() + ": " + requirement.detail() + " -> " + requirement.remedy()));
        }
    }
}
