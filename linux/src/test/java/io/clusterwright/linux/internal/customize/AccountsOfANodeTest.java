package io.clusterwright.linux.internal.customize;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.clusterwright.core.Command;
import io.clusterwright.core.CommandResult;
import io.clusterwright.core.NodeSession;
import io.clusterwright.core.spi.Bootstrap;
import io.clusterwright.core.spi.Machine;
import io.clusterwright.core.spi.NodeBackend;
import io.clusterwright.core.spi.SshKeyPair;
import io.clusterwright.core.type.ClusterwrightException;
import io.clusterwright.core.type.UserName;
import java.io.IOException;
import java.util.List;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The account of jobs, of a spec that names none, and the login, on real nodes. */
@Tag("breadth")
class AccountsOfANodeTest {
    private static RealNodes nodes;
    private static UserName jobs;
    private static List<Machine> members;
    private static Machine single;

    @BeforeAll
    static void join() {
        nodes = new RealNodes("sb-accounts", "10.53.0.0/16", UnaryOperator.identity());
        jobs = nodes.spec.mpiUser();
        members = nodes.boot(RealNodes.THIS_SYSTEM, 11, 12);
        members.forEach(AccountsOfANodeTest::join);
        single = nodes.boot(RealNodes.THIS_SYSTEM, 13).get(0);
    }

    @AfterAll
    static void stop() throws IOException {
        nodes.close();
    }

    private static void join(Machine member) {
        nodes.backend.join(nodes.session(member), nodes.spec, members, nodes.trust);
    }

    private static CommandResult asJob(Machine member, String... words) {
        try (NodeSession session = nodes.connect(member, jobs, nodes.loginKey)) {
            return session.run(Command.of(List.of(words)));
        }
    }

    @Test
    void theJobAccountHasNoSudo() {
        for (Machine member : members) {
            assertThat(asJob(member, "sudo", "-n", "true").stderr())
                    .as(member.name().value())
                    .contains("sudo: ");
            assertThat(asJob(member, "id", "-u").stdout().strip()).isNotEqualTo("0");
        }
    }

    @Test
    void theJobAccountLogsInOnEveryNodeAsItselfOnly() {
        for (Machine from : members) {
            for (Machine to : members) {
                String name = to.name().value();
                assertThat(asJob(from, "ssh", name, "hostname").orThrow().stdout())
                        .isEqualTo(name + "\n");
                for (String above : List.of("azureuser", "root")) {
                    CommandResult refused = asJob(from, "ssh", "-o", "BatchMode=yes", above + "@" + name, "true");
                    assertThat(refused.exitStatus()).as(above).isEqualTo(255);
                    assertThat(refused.stderr()).contains("Permission denied");
                }
            }
        }
    }

    @Test
    void noAccountButThatOfJobsHoldsTheKeyOfTheCluster() {
        String key = nodes.trust.clusterKey().publicKey().base64();
        for (Machine member : members) {
            assertThat(nodes.outputAsRoot(
                            member,
                            "grep -lsF '" + key
                                    + "' /root/.ssh/* /home/*/.ssh/* || :; ls ~azureuser/.ssh/id_* 2>/dev/null || :"))
                    .isEqualTo("/home/" + jobs + "/.ssh/authorized_keys\n/home/" + jobs + "/.ssh/id_ed25519.pub");
        }
    }

    @Test
    void aKeyOfTheClusterThatTheLoginHadIsTakenBack() {
        Machine member = members.get(0);
        nodes.outputAsRoot(
                member,
                "echo '" + nodes.trust.clusterKey().publicKey() + "' >>~azureuser/.ssh/authorized_keys;"
                        + " cp ~" + jobs + "/.ssh/id_ed25519 ~" + jobs + "/.ssh/id_ed25519.pub ~azureuser/.ssh/;"
                        + " chown azureuser: ~azureuser/.ssh/id_*");

        join(member);

        noAccountButThatOfJobsHoldsTheKeyOfTheCluster();
    }

    @Test
    void anAnswerOfAnotherFormIsAnErrorThatNamesTheNode() {
        Machine member = members.get(0);
        nodes.outputAsRoot(
                member, "printf '#!/bin/sh\\necho many\\n' >/usr/local/bin/nproc; chmod 755 /usr/local/bin/nproc");
        try {
            assertThatThrownBy(() -> join(member))
                    .isInstanceOf(ClusterwrightException.class)
                    .hasMessageContaining("on " + member.name() + ", reading ")
                    .hasMessageContaining("nproc");
        } finally {
            nodes.outputAsRoot(member, "rm /usr/local/bin/nproc");
        }
    }

    @Nested
    class IdentityOfANode {
        private static final String KEYS = "~azureuser/.ssh/authorized_keys";
        private final SshKeyPair common = nodes.backend.newKeyPair("clusterwright-first-session");
        private final Bootstrap own = new Bootstrap(
                single.name(),
                RealNodes.LOGIN,
                List.of(nodes.loginKey.publicKey().toString()),
                nodes.backend.newKeyPair("identity"));

        private void identify() {
            nodes.backend.identify(nodes.session(single), own, common.publicKey());
        }

        @Test
        void theKeyOfTheFirstSessionIsTakenBackAndTheOthersStay() {
            nodes.outputAsRoot(
                    single,
                    "cp -a " + KEYS + " /root/kept; echo 'no-pty " + common.publicKey() + "' >>" + KEYS
                            + "; mkdir -p /root/.ssh; echo '" + common.publicKey() + "' >/root/.ssh/authorized_keys");

            identify();

            assertThat(
                            nodes.outputAsRoot(
                                    single,
                                    "cmp " + KEYS + " /root/kept; stat -c '%a %U' " + KEYS
                                            + "; wc -c </root/.ssh/authorized_keys; cat /etc/hostname /etc/ssh/ssh_host_ed25519_key.pub"))
                    .isEqualTo("600 azureuser\n0\n" + single.name() + "\n"
                            + own.hostKey().publicKey());
        }

        @Test
        void aLinkInTheHomeOfTheLoginIsRefused() {
            nodes.outputAsRoot(
                    single,
                    "echo '" + common.publicKey() + "' >/srv/elsewhere; mv " + KEYS + " ~azureuser/.ssh/kept; ln -s"
                            + " /srv/elsewhere " + KEYS);
            try {
                assertThatThrownBy(this::identify)
                        .isInstanceOf(ClusterwrightException.class)
                        .hasMessageContaining("/home/azureuser/.ssh/authorized_keys is a symbolic link")
                        .hasMessageContaining("remove it");
                assertThat(nodes.outputAsRoot(single, "cat /srv/elsewhere"))
                        .isEqualTo(common.publicKey().toString());
            } finally {
                nodes.outputAsRoot(single, "mv -T ~azureuser/.ssh/kept " + KEYS);
            }
        }

        @Test
        void aScriptOfRootRefusesALinkInTheHomeOfTheLogin() {
            String script = nodes.backend.identityScript(own).reveal();
            nodes.outputAsRoot(
                    single, "mkdir -p /srv/keys; mv ~azureuser/.ssh /srv/kept-ssh; ln -s /srv/keys ~azureuser/.ssh");
            try {
                assertThatThrownBy(() -> nodes.outputAsRoot(single, script))
                        .hasMessageContaining("/home/azureuser/.ssh is a symbolic link");
                assertThat(nodes.outputAsRoot(single, "ls -A /srv/keys; stat -c %U /srv/keys"))
                        .isEqualTo("root");
            } finally {
                nodes.outputAsRoot(single, "rm ~azureuser/.ssh; mv /srv/kept-ssh ~azureuser/.ssh");
            }
            assertThat(nodes.outputAsRoot(single, script)).startsWith(NodeBackend.IDENTITY_GIVEN);
            assertThat(nodes.outputAsRoot(single, "cat " + KEYS + "; stat -c '%a %U' " + KEYS + " ~azureuser/.ssh"))
                    .isEqualTo(nodes.loginKey.publicKey() + "\n600 azureuser\n700 azureuser");
        }
    }

    /** What a rank may plant in its home before a node joins anew, as it does when a cluster grows. */
    @Nested
    class LinksThatTheJobAccountPlanted {
        private final Machine member = members.get(1);

        private void refuses(String plant, String file, String undo) {
            nodes.outputAsRoot(
                    member,
                    "mkdir -p /srv/kept; echo secret >/srv/kept/file; chmod 600 /srv/kept/file; chmod 755 /srv/kept");
            String before = state();
            asJob(member, "sh", "-c", "cd && " + plant).orThrow();
            try {
                assertThatThrownBy(() -> join(member))
                        .isInstanceOf(ClusterwrightException.class)
                        .hasMessageContaining("/home/" + jobs + "/" + file + " is a symbolic link")
                        .hasMessageContaining("remove it");
                assertThat(state()).isEqualTo(before);
            } finally {
                // The account cannot log in while its keys are elsewhere.
                nodes.outputAsRoot(member, "su - " + jobs + " -c '" + undo + "'");
            }
            join(member);
        }

        private String state() {
            return nodes.outputAsRoot(
                    member,
                    "cd /srv; stat -c '%n %i %a %U %Y' kept kept/*; cat kept/file; ls -A kept; stat -c '%a %U' /etc/shadow");
        }

        @Test
        void aFolderOfKeysElsewhereIsNotTouched() {
            refuses("mv .ssh .kept && ln -s /srv/kept .ssh", ".ssh", "rm .ssh && mv .kept .ssh");
        }

        @Test
        void aHostfileOfAnotherIsNotReplaced() {
            refuses("mv hostfile .kept && ln -s /srv/kept/file hostfile", "hostfile", "mv -T .kept hostfile");
        }

        @Test
        void aConfigurationThatOnlyRootMayReadIsNotCopied() {
            refuses("mv .ssh/config .kept && ln -s /etc/shadow .ssh/config", ".ssh/config", "mv -T .kept .ssh/config");
        }

        @Test
        void keysOfAnotherAreNotReplaced() {
            refuses(
                    "mv .ssh/authorized_keys .kept && ln -s /srv/kept/file .ssh/authorized_keys",
                    ".ssh/authorized_keys",
                    "mv -T .kept .ssh/authorized_keys");
        }
    }
}
