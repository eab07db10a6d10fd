package io.clusterwright.linux;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class NetworkConfigGuardTest {

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "/etc/network/interfaces|auto eth1",
                "/etc/network/interfaces.d/rdma|iface eth1:0 inet static",
                "/etc/sysconfig/network-scripts/ifcfg-eth1|ONBOOT=yes",
                "/etc/sysconfig/network/ifcfg-eth1|BOOTPROTO=dhcp",
                "/etc/netplan/50-cloud-init.yaml|  eth1: {dhcp4: true}",
                "/etc/netplan/60.yaml|match: {name: 'eth*'}",
                "/etc/systemd/network/20.network|Name=eth[01]",
                "/etc/systemd/network/20.network|Name=eth?",
                "/etc/NetworkManager/system-connections/x.nmconnection|interface-name=eth1",
                "/etc/udev/rules.d/70-persistent-net.rules|NAME=\"eth1\"",
                "/etc/dhcp/dhclient.conf|interface \"eth1\" { }",
                "/var/lib/node/etc/network/interfaces|auto eth1.100"
            })
    void refusesFilesThatConfigureEth1(String path, String content) {
        assertThatThrownBy(() -> NetworkConfigGuard.check(path, content))
                .isInstanceOf(UneditableFileException.class)
                .hasMessage(path + " was not changed: it names eth1, and eth1 is reserved for the RDMA network; leave"
                        + " eth1 as it is, and configure eth0 in a separate file");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "/etc/network/interfaces|auto eth0",
                "/etc/netplan/60.yaml|eth10: {}",
                "/etc/netplan/60.yaml|veth1: {}",
                "/etc/hosts|10.0.0.1 eth1",
                "/etc/udev/rules.d/90-disks.rules|eth1",
                "/opt/app/etc-network.txt|eth1",
                "/etc/security/limits.conf|* - memlock 64"
            })
    void acceptsOtherFiles(String path, String content) {
        assertThatCode(() -> NetworkConfigGuard.check(path, content)).doesNotThrowAnyException();
    }
}
