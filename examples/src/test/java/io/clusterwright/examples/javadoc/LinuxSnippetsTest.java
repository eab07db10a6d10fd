package io.clusterwright.examples.javadoc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.clusterwright.core.type.ClusterName;
import io.clusterwright.core.type.ClusterwrightException;
import io.clusterwright.core.type.Ipv4Address;
import io.clusterwright.core.type.MemlockLimit;
import io.clusterwright.core.type.MemlockSubject;
import io.clusterwright.core.type.NodeName;
import io.clusterwright.core.type.SshPublicKey;
import io.clusterwright.core.type.UserName;
import io.clusterwright.linux.AuthorizedKeys;
import io.clusterwright.linux.FileEditor;
import io.clusterwright.linux.HostsFile;
import io.clusterwright.linux.KnownHost;
import io.clusterwright.linux.KnownHosts;
import io.clusterwright.linux.LimitsConf;
import io.clusterwright.linux.NetworkConfigGuard;
import io.clusterwright.linux.SshClientConfig;
import io.clusterwright.linux.SshHost;
import io.clusterwright.linux.SystemdLimits;
import io.clusterwright.linux.local.LocalMachines;
import io.clusterwright.linux.local.Requirement;
import io.clusterwright.linux.probe.Capabilities;
import io.clusterwright.linux.probe.MemlockProbe;
import io.clusterwright.linux.probe.NativeAnswer;
import io.clusterwright.linux.probe.RdmaDevice;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The examples in the Javadoc of the Linux module that need no nodes, run. */
class LinuxSnippetsTest extends Snippets {
    @TempDir
    private Path folder;

    @Test
    void writesAConfigurationForHosts() {
        // Javadoc of SshHost
        SshClientConfig config = SshClientConfig.builder()
                .addHost(SshHost.of(NodeName.of("demo1"), "10.32.0.4"))
                .user(UserName.of("mpiuser"))
                .knownHostsFile("~/.ssh/known_hosts.demo")
                .build();

        assertThat(config.text()).contains("Host demo1", "HostName 10.32.0.4");
    }

    @Test
    void editsFilesOfNames() {
        String hosts = "127.0.0.1 localhost\n";
        SshPublicKey key = SshPublicKey.of(
                "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIOMqqnkVzrm0SdG6UOoqKLsabgH5C9okWi0dh2l9GKJl demo");
        // Javadoc of HostsFile
        HostsFile nodes = HostsFile.of(Map.of(NodeName.of("demo1"), Ipv4Address.of("10.32.0.4")));
        String edited = nodes.edit(hosts, ClusterName.of("demo")); // editing it again changes nothing

        // Javadoc of KnownHosts
        KnownHosts known =
                new KnownHosts(List.of(KnownHost.of(NodeName.of("demo1"), Ipv4Address.of("10.32.0.4"), key)));
        String lines = known.text(); // demo1,10.32.0.4 ssh-ed25519 AAAA…

        // Javadoc of AuthorizedKeys
        String keys = new AuthorizedKeys(List.of(key)).addTo(""); // a key that is there stays as it is

        assertThat(edited)
                .startsWith(hosts)
                .contains("10.32.0.4")
                .isEqualTo(nodes.edit(edited, ClusterName.of("demo")));
        assertThat(lines).startsWith("demo1,10.32.0.4 ssh-ed25519 AAAA");
        assertThat(keys).contains("ssh-ed25519");
    }

    @Test
    void writesLimits() throws Exception {
        Path file = Files.writeString(folder.resolve("limits.conf"), "# limits\n");
        // Javadoc of LimitsConf
        LimitsConf limits = LimitsConf.none()
                .memlock(MemlockSubject.of("@mpi"), MemlockLimit.of("unlimited"))
                .root(MemlockLimit.of("unlimited"));
        FileEditor.edit(file, limits::edit);

        // Javadoc of SystemdLimits
        SystemdLimits daemons = new SystemdLimits(MemlockLimit.of("unlimited"));
        String path = SystemdLimits.servicePath("slurmd.service"); // where the drop-in belongs
        String text = daemons.serviceDropIn();

        assertThat(file).content().startsWith("# limits\n").contains("@mpi");
        assertThat(path).startsWith("/etc/systemd/system/");
        assertThat(text).contains("LimitMEMLOCK=infinity");
    }

    @Test
    void keepsTheFileOfTheRdmaDriver() {
        // Javadoc of NetworkConfigGuard
        NetworkConfigGuard.check("/etc/netplan/60-data.yaml", "network: {ethernets: {eth2: {dhcp4: true}}}");

        assertThatThrownBy(() -> NetworkConfigGuard.check("/etc/netplan/60.yaml", "network: {ethernets: {eth1: {}}}"))
                .isInstanceOf(ClusterwrightException.class);
    }

    @Test
    void reportsWhatAMachineLacks() {
        // Javadoc of Requirement
        for (Requirement requirement : LocalMachines.requirements()) {
            if (!requirement.met()) {
                show(requirement.check() + ": " + requirement.detail() + "; " + requirement.remedy());
            }
        }

        assertThat(LocalMachines.requirements()).isNotEmpty();
    }

    @Test
    void readsThisMachine() {
        // Javadoc of RdmaDevice
        NativeAnswer<List<RdmaDevice>> devices = RdmaDevice.list();
        devices.value()
                .ifPresent(list -> list.forEach(device -> show(device.name() + " active: " + device.isActive())));
        devices.reason().ifPresent(this::show); // why there is no answer, such as: not Linux

        // Javadoc of MemlockProbe
        MemlockProbe.limits().value().ifPresent(limits -> show(limits.soft() + " of " + limits.hard()));
        MemlockProbe.tryLock(64 << 20).value().ifPresent(result -> show("64 MiB locked: " + result.succeeded()));

        // Javadoc of Capabilities
        boolean raises = Capabilities.ofThisProcess()
                .value()
                .filter(Capabilities::hasSysResource) // may raise its own limits
                .isPresent();

        assertThat(raises)
                .isEqualTo((Capabilities.ofThisProcess().orThrow().effective() >> 24 & 1) == 1); // CAP_SYS_RESOURCE
        assertThat(devices.value().isPresent()).isNotEqualTo(devices.reason().isPresent());
    }
}
