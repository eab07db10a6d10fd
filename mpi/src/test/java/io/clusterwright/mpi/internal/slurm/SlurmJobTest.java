package io.clusterwright.mpi.internal.slurm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.clusterwright.core.Command;
import io.clusterwright.core.CommandException;
import io.clusterwright.core.CommandResult;
import io.clusterwright.core.NodeSession;
import io.clusterwright.core.type.Ipv4Address;
import io.clusterwright.core.type.NodeName;
import io.clusterwright.mpi.job.QueuedJob;
import io.clusterwright.mpi.job.QueuedJobStatus.State;
import io.clusterwright.mpi.spi.LaunchNode;
import io.clusterwright.mpi.spi.NodeTarget;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Jobs of a Slurm whose programs answer what a test lets them. */
class SlurmJobTest {
    private static final NodeName NODE = NodeName.of("node1");
    private static final String DENIED = "scancel: error: Kill job error on job id 7: Access/permission denied";

    private final Map<String, CommandResult> answers = new HashMap<>();
    private final List<String> asked = new ArrayList<>();

    @Test
    void aCancellationThatSlurmRefusesIsReported() {
        answer("scontrol", 0, job("RUNNING"), "");
        answer("scancel", 1, "", DENIED);

        assertThatThrownBy(() -> found().cancel())
                .isInstanceOf(CommandException.Failed.class)
                .hasMessageContaining(DENIED);
    }

    @Test
    void theCancellationOfAJobThatHasEndedIsHarmless() {
        answer("scontrol", 0, job("COMPLETED"), "");
        answer(
                "scancel",
                1,
                "",
                "scancel: error: Kill job error on job id 7: Job/step already completing or completed");

        assertThat(found().cancel()).isEmpty();
        assertThat(asked).contains("scancel");
    }

    @Test
    void aJobIsForgottenOnlyWhereTheAccountingAnswers() {
        answer("scontrol", 1, "", "slurm_load_jobs error: Invalid job id specified");
        answer("sacct", 1, "", "Slurm accounting storage is disabled");
        assertThat(found().status().state()).isEqualTo(State.UNKNOWN);

        answer("sacct", 1, "", "sacct: error: Problem talking to the database: Connection refused");
        assertThatThrownBy(() -> found().status()).hasMessageContaining("Connection refused");
    }

    private static String job(String state) {
        return "JobId=7 JobName=sh\n   JobState=" + state + " Reason=None Dependency=(null)\n"
                + "   Requeue=1 Restarts=0 BatchFlag=1 Reboot=0 ExitCode=0:0\n";
    }

    private void answer(String program, int status, String stdout, String stderr) {
        answers.put(program, new CommandResult(NODE, Command.of(program), status, stdout, stderr, Duration.ZERO));
    }

    private QueuedJob found() {
        return QueuedJob.find(SlurmNodes.of(new Node()), "7");
    }

    private final class Node implements NodeTarget {
        @Override
        public List<LaunchNode> nodes() {
            return List.of(new LaunchNode(NODE, Ipv4Address.of("10.0.0.1"), 1));
        }

        @Override
        public NodeTarget only(Collection<NodeName> names) {
            return this;
        }

        @Override
        public NodeSession session(NodeName node) {
            return (NodeSession) Proxy.newProxyInstance(
                    SlurmJobTest.class.getClassLoader(), new Class<?>[] {NodeSession.class}, (proxy, method, given) -> {
                        String program = ((Command) given[0]).arguments().get(0);
                        asked.add(program);
                        return answers.get(program);
                    });
        }
    }
}
