package io.clusterwright.mpi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.clusterwright.core.Cluster;
import io.clusterwright.core.Command;
import io.clusterwright.core.CommandResult;
import io.clusterwright.core.Node;
import io.clusterwright.core.NodeSession;
import io.clusterwright.core.NodeUnreachableException;
import io.clusterwright.core.internal.text.TextResource;
import io.clusterwright.core.type.NodeName;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.Collectors;

/** Slurm on the nodes of a local cluster: slurmctld on the first, slurmd and munged on each, all inside the nodes. */
final class SlurmOnNodes {
    private final Cluster cluster;

    private SlurmOnNodes(Cluster cluster) {
        this.cluster = cluster;
    }

    static SlurmOnNodes start(Cluster cluster) {
        byte[] key = new byte[64];
        new SecureRandom().nextBytes(key);
        NodeName controller = cluster.nodes().get(0).name();
        cluster.run(Command.shell(
                                TextResource.read(SlurmOnNodes.class.getResourceAsStream("slurm-up.sh"), "slurm-up.sh"))
                        .environment("KEY", HexFormat.of().formatHex(key))
                        .environment("CONF", configuration(cluster))
                        .environment("CONTROLLER", controller.value())
                        .elevate())
                .orThrow();
        SlurmOnNodes slurm = new SlurmOnNodes(cluster);
        slurm.awaitIdle();
        return slurm;
    }

    /** Nodes share two cores, so each claims two and nothing is bound; only what a local node lacks differs from a usual setup. */
    private static String configuration(Cluster cluster) {
        Node first = cluster.nodes().get(0);
        return """
                ClusterName=test
                SlurmctldHost=%s(%s)
                AuthType=auth/munge
                CredType=cred/munge
                MpiDefault=none
                ProctrackType=proctrack/linuxproc
                TaskPlugin=task/none
                SelectType=select/cons_tres
                SelectTypeParameters=CR_Core
                SchedulerParameters=sched_interval=1,batch_sched_delay=0
                ReturnToService=1
                SlurmUser=root
                SlurmdUser=root
                StateSaveLocation=/var/spool/slurmctld
                SlurmdSpoolDir=/var/spool/slurmd
                SlurmctldPidFile=/run/slurmctld.pid
                SlurmdPidFile=/run/slurmd.pid
                SlurmctldLogFile=/var/log/slurmctld.log
                SlurmdLogFile=/var/log/slurmd.log
                SlurmdTimeout=30
                MessageTimeout=5
                AccountingStorageType=accounting_storage/none
                JobAcctGatherType=jobacct_gather/none
                PropagateResourceLimits=NONE
                Prolog=/etc/slurm/prolog
                %s
                PartitionName=debug Nodes=ALL Default=YES MaxTime=INFINITE State=UP OverSubscribe=NO
                """.formatted(
                        first.name(),
                        first.address(),
                        cluster.nodes().stream()
                                .map(node -> "NodeName=" + node.name() + " NodeAddr=" + node.address()
                                        + " CPUs=2 State=UNKNOWN")
                                .collect(Collectors.joining("\n")));
    }

    /**
     * Until every node takes jobs and none runs. On busy cores a node's word that a job is over may be lost, which Slurm asks for again after
     * some minutes, and a step may outlive its signals by more than the minute after which Slurm drains the node until it is resumed.
     */
    void awaitIdle() {
        await().atMost(Duration.ofMinutes(4))
                .pollDelay(Duration.ZERO)
                .pollInterval(Duration.ofMillis(500))
                .untilAsserted(() -> {
                    String states = states();
                    if (states.contains("drained")) {
                        resumeAfterLateSteps();
                    }
                    assertThat(states.lines()).as(this::queue).allMatch("idle"::equals);
                });
    }

    /** Of the drained nodes only those that Slurm drained for this reason. */
    private void resumeAfterLateSteps() {
        root(
                0,
                "/bin/sh",
                "-c",
                "sinfo --noheader --Node --states=drained --format='%N %E' | while read node reason; do"
                        + " test \"$reason\" != 'Kill task failed' || scontrol update nodename=$node state=resume; done");
    }

    String states() {
        return root(0, "sinfo", "--noheader", "--Node", "--format=%T").stdout();
    }

    String queue() {
        return root(0, "squeue", "--noheader").stdout().strip();
    }

    /** How many jobs there have been so far, or a little more. */
    int jobsSoFar() {
        String shown = root(0, "scontrol", "show", "config").stdout();
        return Integer.parseInt(shown.replaceAll("(?s).*NEXT_JOB_ID\\s*=\\s*(\\d+).*", "$1"));
    }

    CommandResult root(int node, String... argv) {
        return cluster.session(cluster.nodes().get(node).name())
                .run(Command.of(List.of(argv)).elevate().timeout(Duration.ofSeconds(30)))
                .orThrow();
    }

    /** From now on a job starts on this node so many seconds later; 0 is at once. */
    void delayStarts(int node, int seconds) {
        root(node, "/bin/sh", "-c", "echo " + seconds + " > /run/slow-start");
    }

    /** Stops the controller, which answers nobody until this is called again with false. */
    void silence(boolean silent) {
        root(0, "/bin/sh", "-c", "kill -" + (silent ? "STOP" : "CONT") + " $(cat /run/slurmctld.pid)");
    }

    /** The controller answers again after so many seconds. */
    void silenceFor(int seconds) {
        root(
                0,
                "/bin/sh",
                "-c",
                "kill -STOP $(cat /run/slurmctld.pid); (sleep " + seconds
                        + "; kill -CONT $(cat /run/slurmctld.pid)) > /dev/null 2>&1 &");
    }

    /** Nodes tell a silent controller in vain that a job is over; it would ask them again after a minute or two. */
    void endJobsOfSilence() {
        root(
                0,
                "/bin/sh",
                "-c",
                "for state in down resume; do scontrol update nodename=ALL state=$state reason=silence; done");
    }

    void killSlurmd(int node) {
        root(node, "/bin/sh", "-c", "kill -KILL $(cat /run/slurmd.pid)");
    }

    void startSlurmd(int node) {
        root(node, "slurmd");
    }

    /** Kills the ssh server's processes for the sessions that stand to the first node, as when the program at the other end dies. */
    void breakConnections() {
        Command kill = Command.shell("kill -KILL $(pgrep -f '^sshd: .*@notty')").elevate();
        NodeName first = cluster.nodes().get(0).name();
        NodeSession ofJobs = cluster.session(first, cluster.mpiUser());
        assertThatThrownBy(() -> cluster.session(first).run(kill)).isInstanceOf(NodeUnreachableException.class);
        await("the end of the other session").atMost(Duration.ofSeconds(10)).until(() -> !ofJobs.isOpen());
    }

    /** Each look takes processes on every node, and what it waits for takes many seconds. */
    void awaitNothingRuns(Duration limit) {
        await().atMost(limit).pollInterval(Duration.ofSeconds(1)).untilAsserted(this::assertNothingRuns);
    }

    void assertNothingRuns() {
        cluster.run(Command.of("/bin/sh", "-c", "ps -eo args | grep -E '[c]wjob-|[s]leep 300|[s]run' || true"))
                .orThrow()
                .groupedByOutput()
                .keySet()
                .forEach(output -> assertThat(output).isEmpty());
    }

    /** Neither a process on a node, nor a job in the queue. */
    void assertNothingIsLeft() {
        assertNothingRuns();
        awaitIdle();
        assertThat(queue()).isEmpty();
    }
}
