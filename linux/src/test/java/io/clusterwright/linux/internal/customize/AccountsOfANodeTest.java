package io.clusterwright.linux.internal.customize;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.clusterwright.core.Command;
import io.clusterwright.core.CommandResult;
import io.clusterwright.core.NodeSession;
import io.clusterwright.core.spi.Machine;
import io.clusterwright.core.type.ClusterwrightException;
import io.clusterwright.core.type.UserName;
import java.io.IOException;
import java.util.List;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** The account of jobs, of a spec that names none, and the login, on real nodes. */
class AccountsOfANodeTest {
    private static RealNodes nodes;
    private static UserName jobs;
    private static List<Machine> members;

    @BeforeAll
    static void join() {
        nodes = new RealNodes("sb-accounts", "10.53.0.0/16", UnaryOperator.identity());
        jobs = nodes.spec.mpiUser();
        members = nodes.boot(RealNodes.THIS_SYSTEM, 11, 12);
        members.forEach(AccountsOfANodeTest::join);
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
