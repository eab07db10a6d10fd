package io.clusterwright.mpi.internal.agent;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.clusterwright.core.spec.MpiFlavour;
import io.clusterwright.core.type.Ipv4Address;
import io.clusterwright.core.type.NodeName;
import io.clusterwright.mpi.internal.agent.HelperCommands.HelperCommand;
import io.clusterwright.mpi.job.MpiInstallation;
import io.clusterwright.mpi.spi.JobFolder;
import io.clusterwright.mpi.spi.LaunchNode;
import io.clusterwright.mpi.spi.LaunchRequest;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The commands are those of Open MPI 4.1.4 and 5.0.7. */
class OpenMpiDaemonsTest {
    private static final String TOKEN = "cwjob-0123456789abcdef";
    private static final String DAEMON = " -mca orte_leave_session_attached \"1\" -mca ess \"env\" -mca ess_base_vpid 2"
            + " -mca orte_node_regex \"fo[1:1],[2:10].66.0.5,[2:10].66.0.6@0(3)\""
            + " -mca orte_hnp_uri \"587595776.0;tcp://10.66.0.4:46897\" -mca pmix \"^s1,s2,cray,isolated\"";

    @Test
    void givesTheCommandOfEachNodeAsItComes() {
        OpenMpiDaemons daemons = daemons(3);

        assertThat(feed(daemons, line("10.66.0.6", DAEMON) + "a note\n")).isEqualTo("a note\n");
        assertThat(daemons.complete()).isFalse();
        HelperCommand first = daemons.next().get(0);
        assertThat(first.node()).isEqualTo(2);
        assertThat(first.words())
                .startsWith("/usr/bin/orted", "-mca", "orte_leave_session_attached", "1")
                .contains("fo[1:1],[2:10].66.0.5,[2:10].66.0.6@0(3)", "587595776.0;tcp://10.66.0.4:46897");

        assertThat(feed(daemons, line("10.66.0.5", DAEMON) + "output")).isEqualTo("output");
        assertThat(daemons.complete()).isTrue();
        assertThat(daemons.next()).extracting(HelperCommand::node).containsExactly(1);
        assertThat(daemons.problem()).isEmpty();
    }

    @Test
    void keepsTheVariableBeforeTheDaemon() {
        OpenMpiDaemons daemons = daemons(2);

        String command = "env HWLOC_COMPONENTS=-pci,-gl orted";
        String arguments = " -mca orte_launch_agent \"" + command + "\"" + DAEMON;
        feed(daemons, "clusterwright-helper " + TOKEN + " 10.66.0.5  " + command + arguments + "\n");

        assertThat(daemons.problem()).isEmpty();
        assertThat(daemons.next().get(0).words())
                .startsWith("env", "HWLOC_COMPONENTS=-pci,-gl", "/usr/bin/orted", "-mca")
                .doesNotContain("orte_launch_agent");
    }

    /** As mpirun writes it where the user's login shell is sh, dash, ksh or fish. */
    @Test
    void takesTheDaemonOutOfItsSubshell() {
        OpenMpiDaemons daemons = daemons(2);

        String command = "( test ! -r ./.profile || . ./.profile; env HWLOC_COMPONENTS=-pci,-gl orted" + DAEMON + " )";
        feed(daemons, "clusterwright-helper " + TOKEN + " 10.66.0.5  " + command + "\n");

        assertThat(daemons.problem()).isEmpty();
        assertThat(daemons.next().get(0).words())
                .startsWith("env", "HWLOC_COMPONENTS=-pci,-gl", "/usr/bin/orted", "-mca")
                .endsWith("^s1,s2,cray,isolated");
    }

    @Test
    void refusesACommandThatIsNotUnderstood() {
        OpenMpiDaemons daemons = daemons(2);
        String line = "clusterwright-helper " + TOKEN + " 10.66.0.5  begin; orted" + DAEMON + "; end\n";

        assertThat(feed(daemons, line)).isEmpty();
        assertThat(daemons.problem()).contains(line.strip());
    }

    @Test
    void leavesOutThePathsThatOpenMpi5SetsBeforeTheDaemon() {
        OpenMpiDaemons daemons = daemons(2, "5.0.7");
        String paths =
                "PRTE_PREFIX=/usr;export PRTE_PREFIX;LD_LIBRARY_PATH=/usr/lib:$LD_LIBRARY_PATH;export LD_LIBRARY_PATH;";
        feed(
                daemons,
                "clusterwright-helper " + TOKEN + " 10.66.0.5 " + paths
                        + "/usr/bin/prted --leave-session-attached --prtemca ess \"env\" --prtemca prte_hnp_uri"
                        + " \"prterun-fo1-1694@0.0;tcp://10.66.0.4:56069:24\"\n");

        assertThat(daemons.problem()).isEmpty();
        assertThat(daemons.next().get(0).words())
                .containsExactly(
                        "/usr/bin/prted",
                        "--leave-session-attached",
                        "--prtemca",
                        "ess",
                        "env",
                        "--prtemca",
                        "prte_hnp_uri",
                        "prterun-fo1-1694@0.0;tcp://10.66.0.4:56069:24");
    }

    @Test
    void expectsNoneOnTheLaunchNode() {
        assertThat(daemons(1).complete()).isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                " -mca ess \"env\"; rm -rf /",
                " -mca ess $(hostname)",
                " -mca ess `hostname`",
                " -mca ess \"two words\"",
                " -mca ess 'env'",
                " -mca ess \"\"",
            })
    void refusesWordsThatAShellWouldChange(String arguments) {
        OpenMpiDaemons daemons = daemons(2);
        String line = line("10.66.0.5", arguments);
        feed(daemons, line);

        assertThat(daemons.problem()).contains(line.strip());
        assertThat(daemons.next()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"10.66.0.4", "10.66.0.99", "node1"})
    void refusesAnotherNode(String host) {
        OpenMpiDaemons daemons = daemons(2);
        feed(daemons, line(host, DAEMON));

        assertThat(daemons.problem()).isPresent();
    }

    @Test
    void refusesASecondDaemonOnANode() {
        OpenMpiDaemons daemons = daemons(3);
        feed(daemons, line("10.66.0.5", DAEMON) + line("10.66.0.5", DAEMON));

        assertThat(daemons.problem()).isPresent();
        assertThat(daemons.next()).isEmpty();
    }

    @Test
    void leavesTheLinesOfAnotherJob() {
        OpenMpiDaemons daemons = daemons(2);
        String other = "clusterwright-helper cwjob-ffffffffffffffff 10.66.0.5  orted" + DAEMON + "\n";

        assertThat(feed(daemons, other)).isEqualTo(other);
        assertThat(daemons.complete()).isFalse();
    }

    private static OpenMpiDaemons daemons(int nodes) {
        return daemons(nodes, "4.1.4");
    }

    private static OpenMpiDaemons daemons(int nodes, String version) {
        List<LaunchNode> all = IntStream.range(0, nodes)
                .mapToObj(i -> new LaunchNode(NodeName.of("fo" + (i + 1)), Ipv4Address.of("10.66.0." + (4 + i)), 1))
                .toList();
        return new OpenMpiDaemons(LaunchRequest.of(
                new MpiInstallation(MpiFlavour.OPEN_MPI, version, "/usr/bin/mpirun.openmpi"),
                all,
                new JobFolder(TOKEN),
                List.of("solver")));
    }

    private static String line(String host, String arguments) {
        return "clusterwright-helper " + TOKEN + " " + host + "  orted" + arguments + "\n";
    }

    private static String feed(OpenMpiDaemons daemons, String text) {
        byte[] bytes = text.getBytes(UTF_8);
        return new String(daemons.feed(bytes, bytes.length), UTF_8);
    }
}
