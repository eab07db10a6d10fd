package io.clusterwright.linux.internal.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.clusterwright.core.internal.text.TextResource;
import io.clusterwright.core.type.AddressRange;
import io.clusterwright.core.type.ClusterId;
import io.clusterwright.core.type.ClusterName;
import io.clusterwright.core.type.InvalidValueException;
import io.clusterwright.core.type.Ipv4Address;
import io.clusterwright.core.type.NodeName;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class NodeConfigFilesTest {
    private static final Ipv4Address ADDRESS = Ipv4Address.of("10.32.0.11");

    @Test
    void sshServerConfiguration() {
        assertThat(NodeConfigFiles.sshdConfig(ADDRESS, "/etc/ssh/ssh_host_ed25519_key"))
                .isEqualTo(TextResource.read(
                        getClass().getResourceAsStream("/local/sshd_config.golden"), "/local/sshd_config.golden"));
    }

    @Test
    @Tag("breadth")
    void sshServerConfigurationIsAcceptedBySshd(@TempDir Path folder) throws Exception {
        Path key = folder.resolve("key");
        Lab.keyPair(key);
        Path file =
                Files.writeString(folder.resolve("sshd_config"), NodeConfigFiles.sshdConfig(ADDRESS, key.toString()));
        Files.createDirectories(Path.of("/run/sshd"));
        assertThat(HostCommand.of("/usr/sbin/sshd", "-T", "-f", file.toString()).orThrow("read the configuration"))
                .contains("listenaddress 10.32.0.11:22")
                .contains("permitrootlogin without-password")
                .contains("passwordauthentication no")
                .contains("maxsessions 100")
                .doesNotContain("sntrup");
    }

    @Test
    void mountTable() {
        assertThat(NodeConfigFiles.mountTable(Path.of("/run/cw/n/root"), Set.of("sys", "bus", "kcore")::contains))
                .isEqualTo(TextResource.read(
                        getClass().getResourceAsStream("/local/fstab.golden"), "/local/fstab.golden"));
    }

    @Test
    void hosts() {
        assertThat(NodeConfigFiles.hosts(NodeName.of("cluster11"), ADDRESS))
                .isEqualTo("127.0.0.1 localhost\n::1 localhost ip6-localhost ip6-loopback\n10.32.0.11 cluster11\n");
    }

    @Test
    void namesOfLinksFitTheKernel() {
        LinkNames names = new LinkNames(
                new ClusterId(ClusterName.of("a-cluster-with-a-name-of-forty-letters-x"), "0123456789abcdef"));
        AddressRange widest = AddressRange.of("10.0.0.0/16");
        assertThat(names.bridge()).matches("cw[0-9a-f]{6}br");
        assertThat(names.link(widest, Ipv4Address.of("10.0.255.254")))
                .matches("cw[0-9a-f]{6}n65534")
                .hasSizeLessThanOrEqualTo(15);
        assertThat(names.guardMetric()).isBetween(1L << 28, 1L << 29);
    }

    @Test
    void passwordsAreLocked() {
        assertThat(BaseLayers.lock("root:$6$abc:19000:0:99999:7:::")).isEqualTo("root:*:19000:0:99999:7:::");
        assertThat(BaseLayers.lock("sudo:!::alice")).isEqualTo("sudo:*::alice");
        assertThat(BaseLayers.lock("")).isEmpty();
    }

    @Test
    void aFolderThatAMountTableCannotNameIsRefused() {
        assertThatThrownBy(() -> new Folders(Path.of("/run/a b"), Path.of("/var/lib/x")))
                .hasMessageContaining("/run/a b")
                .hasMessageContaining("(example: /run/clusterwright");
        assertThatThrownBy(() -> new Folders(Path.of("relative"), Path.of("/x")))
                .isInstanceOf(InvalidValueException.class);
    }

    @Test
    void aNodeKeepsOnlyWhatItNeeds() {
        assertThat(NodeConfigFiles.capabilities())
                .startsWith("-all,+chown")
                .doesNotContain(
                        "sys_admin", "mknod", "net_admin", "net_raw", "sys_ptrace", "sys_module", "dac_read", "audit");
    }
}
