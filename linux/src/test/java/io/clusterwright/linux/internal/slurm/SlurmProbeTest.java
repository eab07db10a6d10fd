package io.clusterwright.linux.internal.slurm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.clusterwright.core.Command;
import io.clusterwright.core.CommandResult;
import io.clusterwright.core.Node;
import io.clusterwright.core.type.ClusterwrightException;
import io.clusterwright.core.type.Interconnect;
import io.clusterwright.core.type.Ipv4Address;
import io.clusterwright.core.type.NodeName;
import io.clusterwright.core.type.SshPublicKey;
import io.clusterwright.linux.Tool;
import io.clusterwright.linux.internal.LinuxBackend;
import io.clusterwright.linux.internal.node.FileBatch;
import io.clusterwright.linux.internal.node.NodePath;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SlurmProbeTest {
    private static final SshPublicKey KEY =
            new LinuxBackend().newKeyPair("cluster11").publicKey();
    private static final Node NODE =
            new Node(new NodeName("cluster11"), Ipv4Address.of("10.32.0.11"), KEY, Interconnect.NONE);

    private static SlurmProbe parse(String stdout) {
        return SlurmProbe.parse(
                NODE, new CommandResult(NODE.name(), Command.of("sh"), 0, stdout, "", Duration.ofMillis(1)));
    }

    @Test
    void readsTheResourcesOfANode() {
        SlurmProbe probe = parse("""
                NodeName=cluster11
                CPUs=240
                Boards=2
                SocketsPerBoard=1
                CoresPerSocket=60
                ThreadsPerCore=2
                RealMemory=450000
                version=23.11.4
                plugins=,mpi_pmi2,proctrack_cgroup,cgroup_v2,
                cgroups=yes
                """);

        assertThat(probe.node()).isEqualTo(new SlurmConf.Node(NODE.name(), NODE.address(), 240, 2, 60, 2, 441_000));
        assertThat(probe.version()).isEqualTo("23.11.4");
        assertThat(probe.cgroups()).isTrue();
        assertThat(probe.plugins()).contains("mpi_pmi2").doesNotContain("mpi_pmix");
    }

    @Test
    void namesEveryProgramThatIsMissing() {
        assertThatThrownBy(() -> parse("missing=munged\nmissing=slurmctld\nCPUs=2\n"))
                .isInstanceOf(ClusterwrightException.class)
                .hasMessageContaining("on cluster11, Slurm lacks munged, slurmctld: ");
    }

    @Test
    void reportsOutputThatItCannotRead() {
        assertThatThrownBy(() -> parse("slurmd: fatal: no\n"))
                .isInstanceOf(ClusterwrightException.class)
                .hasMessageContaining("did not print the node's CPUs and memory: slurmd: fatal: no");
    }

    @Test
    @Tag("breadth")
    void scriptsPassShellcheck(@TempDir Path folder) throws IOException {
        NodePath key = NodePath.of("/etc/munge/munge.key");
        String writing = new FileBatch().put(key, "key", "400", "munge:").script();
        for (String script : List.of(
                SlurmProbe.SCRIPT,
                SlurmSetup.unlessThere(key, "0123", writing),
                SlurmSetup.script(NODE.name(), false, writing),
                SlurmSetup.script(NODE.name(), true, writing),
                SlurmSetup.awaitNodes(2))) {
            Path file = Files.writeString(folder.resolve("script.sh"), script);
            assertThat(Tool.run("shellcheck", "--shell=sh", "--severity=warning", file.toString())
                            .orThrow())
                    .isEmpty();
        }
    }

    /** What Slurm itself prints here, through the script that runs on nodes. */
    @Test
    @Tag("breadth")
    void readsThisMachine() throws IOException, InterruptedException {
        Process process = new ProcessBuilder("/bin/sh", "-eu", "-c", SlurmProbe.SCRIPT).start();
        String printed = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).isZero();

        SlurmProbe probe = parse(printed);

        assertThat(probe.node().cpus()).isEqualTo(Runtime.getRuntime().availableProcessors());
        assertThat(probe.node().memoryMebibytes()).isGreaterThan(500);
        assertThat(probe.version()).matches("\\d+\\.\\d+.*");
        assertThat(probe.plugins()).contains("mpi_pmi2");
    }
}
