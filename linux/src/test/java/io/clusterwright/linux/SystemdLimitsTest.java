package io.clusterwright.linux;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.clusterwright.core.type.InvalidValueException;
import io.clusterwright.core.type.MemlockLimit;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SystemdLimitsTest {
    private final SystemdLimits unlimited = new SystemdLimits(MemlockLimit.UNLIMITED);
    private final SystemdLimits some = new SystemdLimits(MemlockLimit.of(65536));

    @Test
    void textsUseInfinityOrBytes() {
        Golden.check("systemd-manager-unlimited.conf", unlimited.managerDropIn());
        Golden.check("systemd-service-unlimited.conf", unlimited.serviceDropIn());
        Golden.check("systemd-service-65536.conf", some.serviceDropIn());
        assertThat(some.managerDropIn()).contains("=67108864\n");
    }

    @Test
    void pathsAreThoseSystemdReads() {
        assertThat(SystemdLimits.MANAGER_PATH).isEqualTo("/etc/systemd/system.conf.d/99-clusterwright-memlock.conf");
        assertThat(SystemdLimits.servicePath("slurmd.service"))
                .isEqualTo("/etc/systemd/system/slurmd.service.d/99-clusterwright-memlock.conf");
    }

    @ParameterizedTest
    @ValueSource(strings = {"slurmd", "../x.service", "a b.service", ".service/x"})
    void aPathNeedsTheNameOfAService(String unit) {
        assertThatThrownBy(() -> SystemdLimits.servicePath(unit))
                .isInstanceOf(InvalidValueException.class)
                .hasMessage("invalid service name \"" + unit + "\": use letters, digits, ':', '_',"
                        + " '.', '@' or '-', ending with .service (example: slurmd.service)");
    }

    @Nested
    class ThroughSystemd {
        @TempDir
        Path folder;

        @Test
        @Tag("breadth")
        void understandsTheDropInOfAService() throws IOException {
            assertThat(verify(some.serviceDropIn())).isEmpty();
            assertThat(verify(unlimited.serviceDropIn())).isEmpty();
            assertThat(verify("[Service]\nLimitMEMLOCK=64 kibi\n")).contains("Failed to parse resource value");
        }

        @Test
        @Tag("breadth")
        void takesTheDropInOfTheManagerAsTheDefaultOfServices() throws IOException {
            assertThat(manager(some.managerDropIn())).contains("\tLimitMEMLOCK: 67108864\n");
            assertThat(manager(unlimited.managerDropIn())).contains("\tLimitMEMLOCK: 18446744073709551615\n");
        }

        private String verify(String dropIn) throws IOException {
            unit(folder, dropIn);
            Tool result = Tool.run(
                    Map.of("SYSTEMD_UNIT_PATH", folder + ":"), List.of("systemd-analyze", "verify", "cwtest.service"));
            result.orThrow();
            return result.errors();
        }

        /** Only process 1 reads system.conf; any other reads user.conf, with the same parser. */
        private String manager(String dropIn) throws IOException {
            Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));
            Path conf = Files.createDirectories(folder.resolve("user.conf.d"));
            Files.writeString(conf.resolve("99-memlock.conf"), dropIn);
            Path units = Files.createDirectories(folder.resolve("system"));
            unit(units, "[Service]\n");
            Files.writeString(units.resolve("default.target"), "[Unit]\nWants=cwtest.service\n");
            return Tool.withMounts(
                            "mount --bind \"$1\" /etc/systemd; mount -t tmpfs tmpfs /run;"
                                    + " exec setpriv --reuid=65534 --regid=65534 --clear-groups"
                                    + " env HOME=/nonexistent /usr/lib/systemd/systemd --test --system",
                            folder.toString())
                    .output();
        }

        private void unit(Path units, String dropIn) throws IOException {
            Files.writeString(units.resolve("cwtest.service"), "[Service]\nExecStart=/bin/true\n");
            Path drops = Files.createDirectories(units.resolve("cwtest.service.d"));
            Files.writeString(drops.resolve("memlock.conf"), dropIn);
        }
    }
}
