package io.clusterwright.linux.probe;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.clusterwright.core.type.Bandwidth;
import io.clusterwright.linux.Tool;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class KernelFactsTest {

    @Nested
    class OfCapabilities {
        @Test
        void readsTheMasks() {
            Capabilities all = Capabilities.parse("Name:\tx\nCapEff:\t000001ffffffffff\nCapBnd:\t000001fffeffffff\n")
                    .orThrow();
            assertThat(all.hasSysResource()).isTrue();
            assertThat(all.canHaveSysResource()).isFalse();
            assertThat(all.hasIpcLock()).isTrue();
            assertThat(all.hasSysAdmin()).isTrue();
            assertThat(all.hasNetAdmin()).isTrue();
            assertThat(new Capabilities(0, 0).hasIpcLock()).isFalse();
        }

        @Test
        void agreesWithSetprivAboutThisProcess() {
            Capabilities capabilities = Capabilities.ofThisProcess().orThrow();
            assertThat(Tool.run("setpriv", "--dump").orThrow().contains("sys_resource"))
                    .isEqualTo(capabilities.canHaveSysResource());
        }

        @Test
        void reportsAKernelWithoutCapabilities() {
            assertThatThrownBy(() -> Capabilities.parse("Name:\tx\n").orThrow())
                    .hasMessage("cannot read the capabilities of this process: /proc/self/status has no lines CapEff"
                            + " and CapBnd");
        }
    }

    @Nested
    class OfRdmaDevices {
        @TempDir
        Path sys;

        private void write(String path, String content) throws IOException {
            Path file = sys.resolve("class/infiniband").resolve(path);
            Files.createDirectories(file.getParent());
            Files.writeString(file, content);
        }

        @Test
        void readsPortsAndTheirState() throws IOException {
            write("mlx5_0/ports/1/state", "4: ACTIVE\n");
            write("mlx5_0/ports/1/link_layer", "InfiniBand\n");
            write("mlx5_0/ports/1/rate", "100 Gb/sec (4X EDR)\n");
            write("mlx5_0/ports/1/pkeys/0", "0x8016\n");
            write("mlx5_0/ports/1/pkeys/1", "0x7fff\n");
            write("mlx5_0/ports/1/pkeys/2", "0x0000\n");
            write("mlx5_0/ports/1/pkeys/10", "0xffff\n");
            write("mlx4_1/ports/2/state", "1: DOWN\n");
            write("mlx4_1/ports/10/rate", "2.5 Gb/sec (1X SDR)\n");
            List<RdmaDevice> devices = RdmaDevice.list(sys).orThrow();
            assertThat(devices)
                    .containsExactly(
                            new RdmaDevice(
                                    "mlx4_1",
                                    List.of(
                                            new RdmaDevice.Port(2, "DOWN", "", "", List.of()),
                                            new RdmaDevice.Port(10, "", "", "2.5 Gb/sec (1X SDR)", List.of()))),
                            new RdmaDevice(
                                    "mlx5_0",
                                    List.of(new RdmaDevice.Port(
                                            1,
                                            "ACTIVE",
                                            "InfiniBand",
                                            "100 Gb/sec (4X EDR)",
                                            List.of("0x8016", "0x7fff", "0xffff")))));
            assertThat(devices).extracting(RdmaDevice::isActive).containsExactly(false, true);
            assertThat(devices.get(1).ports().get(0).bandwidth()).contains(Bandwidth.ofGigabitsPerSecond(100));
            assertThat(devices.get(0).ports().get(0).bandwidth()).isEmpty();
        }

        @Test
        void findsNoDeviceWithoutHardware() throws IOException {
            Files.createDirectories(sys.resolve("class/infiniband"));
            assertThat(RdmaDevice.list(sys).orThrow()).isEmpty();
        }

        @Test
        void reportsAMissingDriver() {
            assertThatThrownBy(() -> RdmaDevice.list(sys).orThrow())
                    .hasMessage(
                            "no RDMA device: " + sys.resolve("class/infiniband") + " is not there, so no RDMA driver"
                                    + " is loaded; install the driver of the image's InfiniBand stack, or choose a size that"
                                    + " has RDMA");
        }

        @Test
        void answersOnThisMachine() {
            assertThat(RdmaDevice.list().value().isPresent())
                    .isEqualTo(Files.isDirectory(Path.of("/sys/class/infiniband")));
        }
    }
}
