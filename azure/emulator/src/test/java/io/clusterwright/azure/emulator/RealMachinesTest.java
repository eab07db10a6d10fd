package io.clusterwright.azure.emulator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.clusterwright.azure.emulator.ArmClient.Reply;
import io.clusterwright.core.spi.Bootstrap;
import io.clusterwright.core.spi.MachineHost;
import io.clusterwright.core.spi.SshKeyPair;
import io.clusterwright.core.type.NodeName;
import io.clusterwright.core.type.UserName;
import io.clusterwright.linux.internal.LinuxBackend;
import io.clusterwright.linux.local.LocalMachines;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Needs root. */
@Tag("breadth")
class RealMachinesTest {
    private static final String FILE = "/etc/emulated-file";

    @TempDir
    private Path folder;

    @Test
    void runsCustomDataScriptsAndCaptureOnARealNode() {
        Path run = folder.resolve("run");
        LocalMachines local = LocalMachines.builder()
                .runFolder(run)
                .storeFolder(folder.resolve("store"))
                .build();
        try (ArmEmulator emulator =
                ArmEmulator.builder().machinesBackedBy(local.host()).start()) {
            ArmClient arm = new ArmClient(emulator);
            arm.prepare();
            succeed(
                    arm,
                    machine(
                            arm,
                            "cluster11",
                            ArmClient.UBUNTU,
                            "write_files: [{path: " + FILE + ", content: written}]\n"));
            assertThat(run(arm, "cluster11", "hostname; cat " + FILE + "; id -u"))
                    .contains("[stdout]\ncluster11\nwritten0\n");
            Reply windows = machine(
                    arm,
                    "windows",
                    "{'publisher':'MicrosoftWindowsServer','offer':'WindowsServer','sku':'2019-datacenter-gensecond',"
                            + "'version':'latest'}",
                    "");
            assertThat(windows.status()).isEqualTo(501);
            assertThat(windows.message()).startsWith("Machines that are backed by real ones boot Linux only");

            succeed(
                    arm,
                    arm.put(
                            arm.compute("virtualMachines/cluster11/extensions/script"),
                            "{'location':'westeurope','properties':{'publisher':'Microsoft.Azure.Extensions','type':'CustomScript',"
                                    + "'typeHandlerVersion':'2.1','settings':{'commandToExecute':'echo extended >> "
                                    + FILE + "'}}}"));
            JsonNode failed = over(
                    arm,
                    arm.put(
                            arm.compute("virtualMachines/cluster11/extensions/script"),
                            "{'location':'westeurope','properties':{'publisher':'Microsoft.Azure.Extensions','type':'CustomScript',"
                                    + "'typeHandlerVersion':'2.1','settings':{'commandToExecute':'echo broken >&2; exit 7'}}}"));
            assertThat(failed.at("/error/code").asText()).isEqualTo("VMExtensionProvisioningError");
            assertThat(failed.at("/error/message").asText()).contains("exit status=7", "broken");

            succeed(arm, arm.post(arm.compute("virtualMachines/cluster11/deallocate"), ""));
            assertThat(arm.post(arm.compute("virtualMachines/cluster11/generalize"), "")
                            .status())
                    .isEqualTo(200);
            succeed(
                    arm,
                    arm.put(
                            arm.compute("images/golden"),
                            "{'location':'westeurope','properties':{'sourceVirtualMachine':{'id':'"
                                    + arm.compute("virtualMachines/cluster11") + "'}}}"));
            succeed(arm, machine(arm, "cluster12", "{'id':'" + arm.compute("images/golden") + "'}", ""));
            assertThat(run(arm, "cluster12", "hostname; cat " + FILE)).contains("cluster12\nwrittenextended\n");
            succeed(arm, arm.delete(arm.compute("virtualMachines/cluster12")));
        }
        assertThat(run).as("what is left of the nodes").doesNotExist();
    }

    @Test
    void bootsHpcImagesAsTheMarketplaceHasThem() {
        LocalMachines local = LocalMachines.builder()
                .runFolder(folder.resolve("run"))
                .storeFolder(folder.resolve("store"))
                .build();
        try (ArmEmulator emulator =
                ArmEmulator.builder().machinesBackedBy(local.host()).start()) {
            ArmClient arm = new ArmClient(emulator);
            arm.prepare();
            succeed(arm, machine(arm, "cluster11", ArmClient.UBUNTU, ""));
            succeed(arm, machine(arm, "cluster12", ArmClient.UBUNTU, ""));

            assertThat(run(arm, "cluster11", "grep -h ^Provisioning.Reg /etc/waagent.conf"))
                    .contains("[stdout]\nProvisioning.RegenerateSshHostKeyPair=n\n");
            assertThat(run(arm, "cluster11", "grep -c HPCX /opt/azurehpc/component_versions.txt; ls -d /opt/*/"))
                    .contains("1\n/opt/azurehpc/\n/opt/hpcx-v2.24.1-", "\n/opt/intel/\n/opt/mvapich-4.0/\n");
            assertThat(run(arm, "cluster11", "command -v mpirun mpiexec mpicc orted hydra_pmi_proxy || echo none"))
                    .contains("[stdout]\nnone\n");
            assertThat(run(arm, "cluster11", "ldd /usr/bin/NPopenmpi; dpkg -s openmpi-bin libopenmpi3 mpich"))
                    .contains(
                            "libmpi.so.40 => not found",
                            "package 'openmpi-bin' is not installed",
                            "package 'mpich' is not");
            String devices = "cd /sys/class/infiniband; grep -H . */ports/1/link_layer; ls /sys/class/net";
            assertThat(run(arm, "cluster11", devices) + run(arm, "cluster12", devices))
                    .contains("mlx5_0/ports/1/link_layer:InfiniBand", "mlx5_ib0/ports/1/link_layer:InfiniBand")
                    .contains("mlx5_an0/ports/1/link_layer:Ethernet\neth0\nlo\n");
            proveMpis(arm);
        }
    }

    /** HPC-X runs in its environment only, and the other MPIs run in theirs. */
    private static void proveMpis(ArmClient arm) {
        String program = "-n 2 --allow-run-as-root --oversubscribe NPopenmpi -p 0 -u 8 -n 1 -o /dev/null";
        assertThat(run(arm, "cluster11", "/opt/hpcx*/ompi/bin/mpirun --version"))
                .contains("mpirun (Open MPI)");
        assertThat(run(arm, "cluster11", "/opt/hpcx*/ompi/bin/mpirun " + program + " || echo failed"))
                .contains("[stdout]\nfailed\n");
        assertThat(run(arm, "cluster11", "NPopenmpi || LD_LIBRARY_PATH=$(echo /opt/hpcx*/ompi/lib) NPopenmpi || true"))
                .contains("cannot open shared object file", "opal_init");
        for (String way :
                List.of(". /opt/hpcx*/hpcx-init.sh; hpcx_load", ". /etc/profile.d/modules.sh; module load mpi/hpcx")) {
            assertThat(run(
                            arm,
                            "cluster11",
                            "cat > /tmp/job <<END\\n" + way + "; mpirun " + program + "\\nEND\\nbash /tmp/job"))
                    .contains("8 bytes", "Mbps");
        }
        for (String way : List.of(
                ". /opt/intel/oneapi/mpi/latest/env/vars.sh",
                ". /etc/profile.d/modules.sh; module load mpi/impi-2021",
                ". /etc/profile.d/modules.sh; module load mpi/mvapich")) {
            assertThat(run(
                            arm,
                            "cluster11",
                            "cat > /tmp/job <<END\\n" + way
                                    + "; mpirun -n 2 NPmpich2 -p 0 -u 8 -n 1 -o /dev/null\\nEND\\nbash /tmp/job"))
                    .as(way)
                    .contains("8 bytes", "Mbps");
        }
    }

    @Test
    void twoEmulatorsWithTheSameIdsOnOneHostTouchNothingOfEachOther() {
        LocalMachines local = LocalMachines.builder()
                .runFolder(folder.resolve("run"))
                .storeFolder(folder.resolve("store"))
                .build();
        try (MachineHost host = local.host();
                ArmEmulator first = ArmEmulator.builder().machinesBackedBy(host).start()) {
            ArmClient arm = new ArmClient(first);
            arm.prepare();
            succeed(arm, machine(arm, "cluster11", ArmClient.UBUNTU, ""));
            try (ArmEmulator second =
                    ArmEmulator.builder().machinesBackedBy(host).start()) {
                ArmClient other = new ArmClient(second);
                assertThat(other.network("")).isEqualTo(arm.network(""));
                other.prepare();

                JsonNode refused = over(other, machine(other, "cluster12", ArmClient.UBUNTU, ""));

                assertThat(refused.path("status").asText()).isEqualTo("Failed");
                assertThat(refused.at("/error/message").asText())
                        .contains("10.45.0.0/16")
                        .contains("arm-");
            }
            assertThat(run(arm, "cluster11", "hostname")).contains("cluster11\n");
        }
        assertThat(folder.resolve("run")).as("remains of the nodes").doesNotExist();
    }

    /** Azure gives the interface to images with the driver alone. */
    @Test
    void aSizeWithAClassicRdmaNetworkHasEth1WhereItsImageHasTheDriver() {
        LocalMachines local = LocalMachines.builder()
                .runFolder(folder.resolve("run"))
                .storeFolder(folder.resolve("store"))
                .build();
        try (ArmEmulator emulator = ArmEmulator.builder()
                .retiredSizes(true)
                .machinesBackedBy(local.host())
                .start()) {
            ArmClient arm = new ArmClient(emulator);
            arm.prepare();
            String sles = "{'publisher':'SUSE','offer':'SLES-HPC','sku':'12','version':'latest'}";
            String plain = "{'publisher':'SUSE','offer':'sles-12-sp5','sku':'gen1','version':'latest'}";
            succeed(arm, machine(arm, "cluster11", "Standard_A9", sles, ""));
            succeed(arm, machine(arm, "cluster12", "Standard_A9", sles, ""));
            succeed(arm, machine(arm, "cluster13", "Standard_A9", plain, ""));
            succeed(arm, machine(arm, "cluster14", "Standard_A4", sles, ""));

            String address = "ip -br -4 addr show dev eth1";
            String first = output(run(arm, "cluster11", address));
            String second = output(run(arm, "cluster12", address));
            assertThat(List.of(first, second))
                    .allMatch(text -> text.matches("eth1@\\S+ +UP +172\\.16\\.\\d+\\.\\d+/16"))
                    .doesNotHaveDuplicates();
            String other = second.replaceAll(".* |/16", "");
            assertThat(output(run(arm, "cluster11", "ip -o route get " + other)))
                    .startsWith(other + " dev eth1 src 172.16.");
            String answers =
                    "ssh-keyscan -T 5 " + other + " || true; ip neigh show " + other + " dev eth1 | grep -c lladdr";
            assertThat(output(run(arm, "cluster11", answers))).isEqualTo("1");
            for (String without : List.of("cluster13", "cluster14")) {
                assertThat(output(run(arm, without, "ls /sys/class/net"))).isEqualTo("eth0\nlo");
            }

            succeed(arm, arm.post(arm.compute("virtualMachines/cluster11/deallocate"), ""));
            succeed(arm, arm.post(arm.compute("virtualMachines/cluster11/start"), ""));
            assertThat(output(run(arm, "cluster11", address))).isEqualTo(first);
        }
    }

    /** The standard output of a script. */
    private static String output(String message) {
        return message.replaceFirst("(?s).*\\[stdout]\n", "")
                .replaceFirst("(?s)\\[stderr].*", "")
                .strip();
    }

    private static Reply machine(ArmClient arm, String name, String image, String more) {
        return machine(arm, name, "Standard_HB120rs_v3", image, more);
    }

    private static Reply machine(ArmClient arm, String name, String size, String image, String more) {
        LinuxBackend backend = new LinuxBackend();
        SshKeyPair key = backend.newKeyPair("login");
        SshKeyPair hostKey = backend.newKeyPair(name);
        String data = backend.bootstrapData(new Bootstrap(
                                NodeName.of(name),
                                UserName.of("hpc"),
                                List.of(key.publicKey().toString()),
                                hostKey))
                        .reveal()
                + more;
        arm.finish(arm.networkInterface(name, ""));
        String encoded = Base64.getEncoder().encodeToString(data.getBytes(StandardCharsets.UTF_8));
        return arm.put(
                arm.compute("virtualMachines/" + name),
                arm.machineBody(name, size, image, "")
                        .replace(
                                "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8g",
                                key.publicKey().toString())
                        .replace("'adminUsername'", "'customData':'" + encoded + "','adminUsername'"));
    }

    private static String run(ArmClient arm, String machine, String script) {
        Reply reply = arm.post(
                arm.compute("virtualMachines/" + machine + "/runCommand"),
                "{'commandId':'RunShellScript','script':['" + script + "']}");
        return over(arm, reply).at("/properties/output/value/0/message").asText();
    }

    private static void succeed(ArmClient arm, Reply reply) {
        JsonNode status = over(arm, reply);
        assertThat(status.path("status").asText()).as(status.toString()).isEqualTo("Succeeded");
    }

    private static JsonNode over(ArmClient arm, Reply reply) {
        assertThat(reply.status()).as(reply.body().toString()).isBetween(200, 202);
        return await().atMost(Duration.ofMinutes(2))
                .pollInterval(Duration.ofMillis(50))
                .until(
                        () -> arm.get(reply.header("Azure-AsyncOperation")).body(),
                        status -> !status.path("status").asText().equals("InProgress"));
    }
}
