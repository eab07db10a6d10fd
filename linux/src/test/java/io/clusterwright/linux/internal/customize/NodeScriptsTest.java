package io.clusterwright.linux.internal.customize;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.clusterwright.core.spec.Customization.MemlockRule;
import io.clusterwright.core.spec.Customization.UserAccount;
import io.clusterwright.core.spec.MpiFlavour;
import io.clusterwright.core.type.MemlockLimit;
import io.clusterwright.core.type.UserName;
import io.clusterwright.linux.UneditableFileException;
import io.clusterwright.linux.internal.customize.Memlock.NodeLimits;
import io.clusterwright.linux.internal.membership.NodeMembership;
import io.clusterwright.linux.internal.node.FileBatch;
import io.clusterwright.linux.internal.node.NodePath;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** The texts that steps send to a node, without a node. */
class NodeScriptsTest {

    @Nested
    class LimitsOfANode {
        private static final String WITHOUT = "000001fffeffffff\n8388608\n";
        private static final String WITH = "000001ffffffffff\n8388608\n";

        @Test
        void limitsAreTheHardLimitWhereItCannotBeRaised() {
            NodeLimits limits = NodeLimits.parse(WITHOUT);

            assertThat(limits).isEqualTo(new NodeLimits(false, MemlockLimit.of(8192)));
            assertThat(limits.possible(MemlockLimit.UNLIMITED)).isEqualTo(MemlockLimit.of(8192));
            assertThat(limits.possible(MemlockLimit.of(512))).isEqualTo(MemlockLimit.of(512));
        }

        @Test
        void limitsAreThoseOfTheSpecWherePossible() {
            assertThat(NodeLimits.parse(WITH).possible(MemlockLimit.UNLIMITED)).isEqualTo(MemlockLimit.UNLIMITED);
            assertThat(NodeLimits.parse("0\nunlimited\n").possible(MemlockLimit.UNLIMITED))
                    .isEqualTo(MemlockLimit.UNLIMITED);
        }

        @Test
        void limitsGiveRootTheHighestOfGroupsAndEveryone() {
            NodeLimits limits = NodeLimits.parse(WITH);

            assertThat(Memlock.conf(List.of(MemlockRule.of("@hpc", "unlimited")), limits)
                            .text())
                    .isEqualTo("@hpc hard    memlock unlimited\n@hpc soft    memlock unlimited\n"
                            + "root hard    memlock unlimited\nroot soft    memlock unlimited\n");
            assertThat(Memlock.conf(List.of(MemlockRule.of("*", "512"), MemlockRule.of("root", "64")), limits)
                            .text())
                    .contains("* hard    memlock 512\n", "root hard    memlock 64\n")
                    .doesNotContain("root hard    memlock 512");
            assertThat(Memlock.conf(List.of(MemlockRule.of("alice", "512")), limits)
                            .text())
                    .doesNotContain("root");
        }
    }

    @Nested
    class ABatchOfFiles {

        @Test
        void carriesContentOverStandardInput() {
            FileBatch batch = new FileBatch()
                    .folder(NodePath.home(new UserName("hpcuser"), ".ssh"), "700", "")
                    .put(NodePath.home(new UserName("hpcuser"), ".ssh/config"), "Host *\n", "600", "")
                    .put(NodePath.of("/opt/a b"), "");

            assertThat(batch.script())
                    .startsWith("umask 077\nset -C\n")
                    .contains("""
                            setpriv --reuid "$user" --regid "$group" --clear-groups --inh-caps=-all /bin/sh -eu -s <<'END_OF_ACCOUNT'
                            """, """
                            below_home .ssh
                            folder 700 ''
                            below_home .ssh/config
                            new=$path.clusterwright-$$
                            umask 177
                            printf %s 'Host *
                            ' >"$new"
                            umask 077
                            put 'created' ''
                            END_OF_ACCOUNT
                            """)
                    .endsWith("""
                            path='/opt/a b'
                            link_of_root
                            new=$path.clusterwright-$$
                            printf %s '' >"$new"
                            put '' ''
                            """);
            assertThat(batch.command().arguments()).containsExactly("/bin/sh", "-eu", "-s");
        }

        @Test
        void carriesWhatAShellCannotHoldAsBase64() {
            for (String content : List.of("a\0b", "caf\u00e9", "1\nEND_OF_ACCOUNT\n2")) {
                assertThat(new FileBatch()
                                .put(NodePath.of("/opt/a"), content, "755", "root:")
                                .script())
                        .contains("base64 -d >\"$new\" <<'END'\n", "\nput '755' 'root:'\n")
                        .doesNotContain("printf");
            }
        }

        @Test
        void refusesAFileThatNamesTheRdmaNetwork() {
            assertThatThrownBy(() -> new FileBatch().put(NodePath.of("/etc/netplan/50.yaml"), "eth1: {}\n"))
                    .isInstanceOf(UneditableFileException.class)
                    .hasMessageContaining("eth1");
        }
    }

    @Test
    void anInstallersQuestionsAreAnsweredInAdvance() {
        assertThat(MpiArchive.answers(MpiFlavour.INTEL_MPI, Map.of("PSET_INSTALL_DIR", "/opt/x", "MORE", "1")))
                .isEqualTo("""
                        ACCEPT_EULA=accept
                        CONTINUE_WITH_OPTIONAL_ERROR=yes
                        CONTINUE_WITH_INSTALLDIR_OVERWRITE=yes
                        PSET_INSTALL_DIR=/opt/x
                        PSET_MODE=install
                        ACTIVATION_TYPE=no_license
                        ARCH_SELECTED=ALL
                        COMPONENTS=ALL
                        MORE=1
                        """);
        assertThat(MpiArchive.answers(MpiFlavour.HPC_X, Map.of())).isEmpty();
    }

    @Test
    void anAccountIsMadeOnlyWhereItIsMissing() {
        assertThat(NodeMembership.jobAccountScript(UserAccount.of("alice", "hpc")))
                .isEqualTo("""
                        export PATH="$PATH:/usr/sbin:/sbin"
                        getent group hpc >/dev/null || groupadd hpc
                        if ! getent passwd alice >/dev/null; then
                            if getent group alice >/dev/null; then own="--gid alice"; else own=--user-group; fi
                            useradd --create-home --shell /bin/bash $own alice >&2
                        fi
                        case $(getent shadow alice | cut -d: -f2) in '!'|'!!') usermod --password '*' alice ;; esac
                        usermod --append --groups hpc alice
                        """);
    }
}
