package io.clusterwright.linux.internal.customize;

import static org.assertj.core.api.Assertions.assertThat;

import io.clusterwright.core.Planner;
import io.clusterwright.core.plan.Finding;
import io.clusterwright.core.spec.SpecReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Files and scripts that configure eth1 are refused by the check of a spec, before any machine exists. */
class RdmaNetworkRuleTest {
    @TempDir
    private Path folder = Path.of("");

    private List<Finding> check(String customize) throws IOException {
        Path spec = Files.writeString(
                folder.resolve("demo.yaml"),
                "name: demo\nregion: westus\nnodes: {count: 2, size: Standard_A9}\nimage:\n  customize:\n" + customize);
        return Planner.check(SpecReader.read(spec)).stream()
                .filter(finding -> finding.code().equals("CW-NET-006"))
                .toList();
    }

    @Test
    void aFileIsRefusedWithItsLine() throws IOException {
        Files.writeString(folder.resolve("ifcfg"), "BOOTPROTO=static\n");

        assertThat(check("    files:\n      - {from: ifcfg, to: /etc/sysconfig/network/ifcfg-eth1}\n"))
                .singleElement()
                .satisfies(finding -> {
                    assertThat(finding.path()).isEqualTo("image.customize.files[0]");
                    assertThat(finding.message()).contains("/etc/sysconfig/network/ifcfg-eth1", "RDMA network");
                    assertThat(finding.line()).hasValue(7);
                });
    }

    @Test
    void aScriptIsRefusedWithTheLineOfTheScript() throws IOException {
        Files.writeString(
                folder.resolve("net.sh"), "#!/bin/sh\n# eth1 is for RDMA\nip addr add 10.0.0.1/24 dev eth1\n");

        assertThat(check("    scripts: [{name: net, path: net.sh}]\n"))
                .singleElement()
                .extracting(Finding::message)
                .asString()
                .contains("line 3 of net.sh", "ip addr add 10.0.0.1/24 dev eth1");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "ip addr add 10.0.0.1/24 dev eth1",
                "ip link set eth1 down",
                "sudo ifconfig eth1 10.0.0.1 netmask 255.255.0.0",
                "ifup eth1",
                "nmcli con add ifname eth1",
                "echo BOOTPROTO=dhcp > /etc/sysconfig/network/ifcfg-eth1",
                "[ -e /sys/class/net/eth1 ] && ip link set eth1 mtu 2044",
                "iface eth1 inet static",
                "eth1:"
            })
    void changesAreSeen(String line) {
        assertThat(RdmaNetworkRule.configures(line)).isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "# leave eth1 alone",
                "ip addr show dev eth1",
                "ip -4 addr show eth1 | grep inet",
                "if [ -e /sys/class/net/eth1 ]; then",
                "cat /sys/class/net/eth1/address",
                "ifconfig eth1",
                "ip link set veth1 up",
                "ip link set eth10 up",
                "echo \"no eth1\""
            })
    void queriesAndCommentsAreAccepted(String line) {
        assertThat(RdmaNetworkRule.configures(line)).isFalse();
    }
}
