package io.clusterwright.linux.internal.customize;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.clusterwright.core.Command;
import io.clusterwright.core.NodeSession;
import io.clusterwright.core.NodeUnreachableException;
import io.clusterwright.core.spec.ClusterSpec;
import io.clusterwright.core.spec.ImageSpec.Deprovision;
import io.clusterwright.core.spec.MpiSettings;
import io.clusterwright.core.spec.SshTrust;
import io.clusterwright.core.spi.ImageSource;
import io.clusterwright.core.spi.Machine;
import io.clusterwright.core.spi.NodeBackend.Trust;
import io.clusterwright.core.type.ClusterwrightException;
import io.clusterwright.core.type.SshPublicKey;
import io.clusterwright.core.type.UserName;
import io.clusterwright.linux.internal.LinuxBackend;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** From a template over its image to nodes that trust each other, on real nodes. */
@Tag("breadth")
class MembershipTest {
    private static final UserName HPCUSER = new UserName("hpcuser");
    private static final String STATE = "cd /; stat -c '%i %Y %a %U %n' etc/hosts etc/ssh/ssh_known_hosts"
            + " home/hpcuser/hostfile home/hpcuser/.ssh/* home/azureuser/.ssh/*";

    private static final SshPublicKey PERSON =
            new LinuxBackend().newKeyPair("me").publicKey();

    private static RealNodes nodes;
    private static List<Machine> members;

    @BeforeAll
    static void fromATemplateToMembers() throws IOException {
        nodes = new RealNodes(
                "sb-trip",
                "10.51.0.0/16",
                spec -> spec.image(image -> image.customize(c -> c.user(HPCUSER.value(), "hpc")))
                        .login(login -> login.user(RealNodes.LOGIN).publicKeys(List.of(PERSON)))
                        .mpi(mpi -> mpi.ranksPerNode(2)));
        Machine template = nodes.boot(RealNodes.THIS_SYSTEM, 10).get(0);
        nodes.outputAsRoot(
                template,
                "mkdir -p /root/.ssh; echo 'command=\"echo no\" " + nodes.loginKey.publicKey()
                        + "' >/root/.ssh/authorized_keys; echo '" + PERSON + "' >>~azureuser/.ssh/authorized_keys");
        NodeSession session = nodes.session(template);
        nodes.backend.customize(session, nodes.spec, nodes.feed(template), nodes.progress::add);
        nodes.backend.deprovision(session, nodes.spec, nodes.progress::add);
        requireDeprovisioned(template);
        nodes.forget(template);
        ImageSource image = nodes.capture(template, "image-journey");
        requireNoKeys(nodes.folder().resolve("store/images"));
        nodes.delete(template);

        members = nodes.boot(image, 11, 12, 13);
        for (Machine member : members) {
            join(member, nodes.spec, nodes.trust);
        }
    }

    /** Another user of the image could otherwise log in to nodes of this cluster, or this one to the nodes of the other. */
    private static void requireNoKeys(Path images) throws IOException {
        String all = contents(images, ".");
        assertThat(all).doesNotContain("PRIVATE KEY-----\n");
        for (SshPublicKey key :
                List.of(nodes.loginKey.publicKey(), nodes.trust.clusterKey().publicKey(), PERSON)) {
            assertThat(all).doesNotContain(key.base64());
        }
        assertThat(contents(images, "./etc ./home"))
                .doesNotContain(nodes.spec.name().value())
                .doesNotContain("10.51.0.");
    }

    private static String contents(Path images, String folders) throws IOException {
        Process tar = new ProcessBuilder(
                        "sh", "-c", "for layer in *.tar*; do tar -xOf $layer " + folders + " 2>/dev/null || :; done")
                .directory(images.toFile())
                .redirectErrorStream(true)
                .start();
        return new String(tar.getInputStream().readAllBytes(), StandardCharsets.ISO_8859_1);
    }

    private static void requireDeprovisioned(Machine template) {
        assertThat(nodes.progress).last().asString().contains("the node's identity is removed; user azureuser");
        assertThat(nodes.output(template, "ls -a ~/.ssh; cat /etc/machine-id")).contains("authorized_keys");
        assertThatThrownBy(() -> nodes.connect(template, RealNodes.LOGIN, nodes.loginKey))
                .isInstanceOf(NodeUnreachableException.class)
                .hasMessageContaining("ended the connection before the login");
    }

    /** The agent is a stand-in that records its words, and then the real one. */
    @Test
    void theAgentDeprovisionsAndKeepsTheAccountWithItsKeys() {
        Machine template = nodes.boot(RealNodes.THIS_SYSTEM, 22).get(0);
        nodes.outputAsRoot(template, """
                real=$(command -v waagent)
                printf '#!/bin/sh\\necho "waagent $*" >>/var/tmp/agent\\nexec %s "$@"\\n' "$real" >/usr/local/sbin/waagent
                chmod 755 /usr/local/sbin/waagent
                """);
        NodeSession session = nodes.session(template);

        nodes.backend.deprovision(session, nodes.spec, nodes.progress::add);

        assertThat(session.run(Command.of("cat", "/var/tmp/agent")).stdout())
                .isEqualTo("waagent -force -deprovision\n");
        assertThat(session.run(Command.shell("getent passwd azureuser | cut -d: -f1; ls ~azureuser/.ssh"))
                        .stdout())
                .isEqualTo("azureuser\nauthorized_keys\n");
        nodes.delete(template);
    }

    @AfterAll
    static void stop() throws IOException {
        nodes.close();
    }

    private static void join(Machine member, ClusterSpec spec, Trust trust) {
        nodes.backend.join(nodes.session(member), spec, members, trust);
    }

    @Test
    void everyMemberReachesEveryOtherByNameAndByAddress() {
        for (Machine from : members) {
            try (NodeSession hpcuser = nodes.connect(from, HPCUSER, nodes.loginKey)) {
                for (Machine to : members) {
                    for (String target : List.of(to.name().value(), to.address().toString())) {
                        assertThat(hpcuser.run(Command.of("ssh", target, "hostname"))
                                        .orThrow()
                                        .stdout())
                                .isEqualTo(to.name() + "\n");
                    }
                }
            }
        }
    }

    @Test
    void aMemberThatShowsAnotherHostKeyIsRefusedByTheOthers() {
        Machine changed = members.get(2);
        String other = nodes.backend.newKeyPair("other").publicKey().base64();
        Machine from = members.get(1);
        nodes.outputAsRoot(
                from,
                "cp /etc/ssh/ssh_known_hosts /root/kept; sed -i 's|^\\(" + changed.name() + ",.*\\) .*|\\1 " + other
                        + "|' /etc/ssh/ssh_known_hosts");
        try (NodeSession hpcuser = nodes.connect(from, HPCUSER, nodes.loginKey)) {
            assertThat(hpcuser.run(Command.of("ssh", changed.name().value(), "true"))
                            .stderr())
                    .contains("REMOTE HOST IDENTIFICATION HAS CHANGED");
        } finally {
            join(from, nodes.spec, nodes.trust);
        }
        try (NodeSession hpcuser = nodes.connect(from, HPCUSER, nodes.loginKey)) {
            assertThat(hpcuser.run(Command.of("ssh", changed.name().value(), "true"))
                            .succeeded())
                    .isTrue();
        }
    }

    @Test
    void theHostfileHasPrivateAddressesAndRanks() {
        assertThat(nodes.outputAsRoot(members.get(0), "cat /home/hpcuser/hostfile"))
                .isEqualTo("10.51.0.11:2\n10.51.0.12:2\n10.51.0.13:2");
    }

    @Test
    void withoutANumberOfRanksTheHostfileHasTheCores() {
        Machine member = members.get(1);
        ClusterSpec spec =
                nodes.spec.toBuilder().mpi(MpiSettings.builder().build()).build();
        join(member, spec, nodes.trust);
        assertThat(nodes.outputAsRoot(member, "head -n 1 /home/hpcuser/hostfile"))
                .isEqualTo("10.51.0.11:" + nodes.output(member, "nproc"));
        join(member, nodes.spec, nodes.trust);
    }

    @Test
    void aFirewallOfAMemberTrustsTheNetworkOfTheCluster() {
        Machine member = members.get(2);
        nodes.outputAsRoot(member, """
                cat >/usr/local/sbin/firewall-cmd <<'END'
                #!/bin/sh
                echo "$*" >>/var/tmp/firewall
                case $* in *--query-source=*) exit 1 ;; esac
                END
                chmod 755 /usr/local/sbin/firewall-cmd
                """);

        join(member, nodes.spec, nodes.trust);

        String range = nodes.spec.network().subnet().range().toString();
        assertThat(nodes.outputAsRoot(
                        member, "cat /var/tmp/firewall; rm /usr/local/sbin/firewall-cmd /var/tmp/firewall"))
                .isEqualTo("--state\n--permanent --zone=trusted --query-source=" + range
                        + "\n--permanent --zone=trusted --add-source=" + range + "\n--reload");
    }

    @Test
    void joiningAgainTouchesNoFile() {
        Machine member = members.get(0);
        String before = nodes.outputAsRoot(member, STATE);

        join(member, nodes.spec, nodes.trust);

        assertThat(nodes.outputAsRoot(member, STATE)).isEqualTo(before);
        assertThat(before)
                .contains("600 hpcuser home/hpcuser/.ssh/id_ed25519\n")
                .contains("644 root etc/hosts\n");
    }

    @Test
    void foreignLinesStay() {
        Machine member = members.get(0);
        nodes.outputAsRoot(
                member,
                "echo '192.0.2.9 licence-server' >>/etc/hosts; echo '# mine' >>~azureuser/.ssh/authorized_keys");

        join(member, nodes.spec, nodes.trust);

        assertThat(nodes.outputAsRoot(member, "cat /etc/hosts ~azureuser/.ssh/authorized_keys"))
                .contains("192.0.2.9 licence-server", "# mine");
    }

    @Nested
    class AnImageOfAnotherCluster {

        @Test
        void takesTheKeysOfItsNewCluster() {
            Machine member = members.get(2);
            Trust other = new Trust(
                    nodes.backend.newKeyPair("clusterwright:another"),
                    nodes.backend.newKeyPair("clusterwright-login:another").publicKey(),
                    nodes.trust.schedulerKey());
            join(member, nodes.spec, other);
            assertThat(keysOf(member))
                    .contains("clusterwright:another", "clusterwright-login:another")
                    .doesNotContain("clusterwright:sb-trip");

            join(member, nodes.spec, nodes.trust);

            assertThat(keysOf(member)).doesNotContain("another").contains("clusterwright:sb-trip");
        }

        private String keysOf(Machine member) {
            return nodes.outputAsRoot(member, "cat ~hpcuser/.ssh/id_ed25519.pub ~hpcuser/.ssh/authorized_keys");
        }
    }

    @Nested
    class AKeyThatSomebodyElsePutThere {

        @Test
        void refusesToOverwriteAForeignKey() {
            Machine member = members.get(1);
            nodes.outputAsRoot(
                    member,
                    "cd ~hpcuser/.ssh; mkdir kept; mv id_ed25519 id_ed25519.pub kept; ssh-keygen -q -t ed25519 -N '' -C own"
                            + " -f id_ed25519; chown hpcuser: id_ed25519 id_ed25519.pub");
            try {
                assertThatThrownBy(() -> join(member, nodes.spec, nodes.trust))
                        .isInstanceOf(ClusterwrightException.class)
                        .hasMessageContaining("~hpcuser/.ssh/id_ed25519 exists, and this library did not create it");
            } finally {
                nodes.outputAsRoot(member, "cd ~hpcuser/.ssh; mv kept/* .; rmdir kept");
            }
        }
    }

    @Nested
    class AnotherPolicyOfHostKeys {

        @Test
        void writesKeysForTheRange() {
            Machine member = members.get(0);
            join(member, with(SshTrust.clusterKey().acceptingHostKeysIn("10.51.0.*")), nodes.trust);
            assertThat(config(member)).contains("host 10.51.0.*\n", "StrictHostKeyChecking no");

            join(
                    member,
                    with(SshTrust.builder()
                            .hostKeys(SshTrust.HostKeys.ACCEPT_PER_NODE)
                            .build()),
                    nodes.trust);
            assertThat(config(member))
                    .contains("host 10.51.0.11\n", "host 10.51.0.13\n")
                    .doesNotContain("10.51.0.*");

            join(member, nodes.spec, nodes.trust);
            assertThat(config(member)).contains("StrictHostKeyChecking yes").doesNotContain("Checking no");
        }

        @Test
        void refusesKeysPerNode() {
            assertThatThrownBy(() -> join(members.get(0), with(SshTrust.perNodeKeys()), nodes.trust))
                    .hasMessageContaining("per-node-keys is not implemented")
                    .hasMessageContaining("cluster-key");
        }

        private ClusterSpec with(SshTrust policy) {
            return nodes.spec.toBuilder()
                    .image(image -> image.customize(c -> c.ssh(policy)))
                    .build();
        }

        private String config(Machine member) {
            return nodes.outputAsRoot(member, "cat ~hpcuser/.ssh/config");
        }
    }

    @Test
    void deprovisioningMayRemoveTheUserAndRemovesHostKeysThatTheAgentLeavesToCloudInit() {
        Machine doomed = nodes.boot(RealNodes.THIS_SYSTEM, 20).get(0);
        nodes.outputAsRoot(
                doomed,
                "sed -i 's/^Provisioning.RegenerateSshHostKeyPair=.*/Provisioning.RegenerateSshHostKeyPair=n/' /etc/waagent.conf;"
                        + " mkdir -p /var/lib/cloud/instances/i; ls /etc/ssh/ssh_host_*_key");
        NodeSession session = nodes.session(doomed);
        ClusterSpec spec = nodes.spec.toBuilder()
                .image(image -> image.deprovision(Deprovision.REMOVE_USER))
                .build();

        nodes.backend.deprovision(session, spec, nodes.progress::add);

        assertThat(session.run(Command.of("getent", "passwd", "azureuser")).exitStatus())
                .isEqualTo(2);
        assertThat(session.run(Command.of("ls", "/home")).stdout()).doesNotContain("azureuser");
        assertThat(session.run(Command.of("ls", "/etc/ssh")).stdout()).doesNotContain("ssh_host_");
        assertThat(session.run(Command.of("ls", "-A", "/var/lib/cloud")).stdout())
                .doesNotContain("instances");
        nodes.delete(doomed);
    }

    @Test
    void anIncompleteDeprovisioningIsAnError() {
        Machine broken = nodes.boot(RealNodes.THIS_SYSTEM, 21).get(0);
        nodes.outputAsRoot(
                broken, "printf '#!/bin/sh\\nexit 3\\n' >/usr/local/sbin/waagent; chmod 755 /usr/local/sbin/waagent");

        assertThatThrownBy(() -> nodes.backend.deprovision(nodes.session(broken), nodes.spec, nodes.progress::add))
                .isInstanceOf(ClusterwrightException.class)
                .hasMessageContaining("must not be captured")
                .hasMessageContaining("waagent ended with status 3");
        nodes.delete(broken);
    }
}
