package io.clusterwright.examples.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A program that stands still, as under a closed lid, goes on where it was. */
@Tag("breadth")
class StoppedClientTest {
    private static final TestCluster CLUSTER = new TestCluster("e2e-lid", 86, 2);
    private static final TestCluster MADE = new TestCluster("e2e-made", 87, 2);

    /** More than three heartbeats of a session. */
    private static final Duration PAUSE = Duration.ofSeconds(Boolean.getBoolean("clusterwright.soak") ? 600 : 25);

    @RegisterExtension
    private final Machine machine = Machine.ofThisJvm(CLUSTER, MADE);

    @Test
    void losesNothing() throws InterruptedException {
        machine.succeeds("create %s --on local", machine.write("lid.yaml", CLUSTER.plainSpec()));
        String script = "echo begun; sleep 15; echo ended";
        Path slow = machine.write("slow.sh", "#!/bin/sh\nsleep 25\n");
        Path spec = machine.write("made.yaml", withScript(MADE, slow));
        Program create = machine.startClusterwright("create %s --on local", spec);
        create.awaitText("script own");
        List<Program> commands = List.of(
                machine.startClusterwright("run %s --nodes %s -- sh -c %s", CLUSTER.name(), CLUSTER.node(1), script),
                machine.startClusterwright("ssh %s %s -- sh -c %s", CLUSTER.name(), CLUSTER.node(2), script),
                machine.startClusterwright("mpi %s --ppn 1 -- sh -c %s", CLUSTER.name(), script));
        commands.get(2).awaitText("begun");
        List<Program> all = List.of(commands.get(0), commands.get(1), commands.get(2), create);

        all.forEach(program -> program.signal("STOP"));
        Thread.sleep(PAUSE.toMillis());
        all.forEach(program -> program.signal("CONT"));

        for (Program command : commands) {
            Program.Ended ended = command.end();
            assertThat(ended.status()).as("%s", ended).isZero();
            assertThat(ended.stdout()).contains("ended");
        }
        Program.Ended created = create.end();
        assertThat(created.status()).as("%s", created).isZero();
    }

    /** The connection to both nodes breaks while a script of the user runs on them. */
    @Test
    void aLinkThatComesBackEndsNoCreate() throws InterruptedException {
        Path script = machine.write("once.sh", "#!/bin/sh\necho run >>/var/tmp/runs\nsleep 15\necho over\n");
        Path spec = machine.write("linked.yaml", withScript(MADE, script));
        Program create = machine.startClusterwright("create %s --on local", spec);
        create.awaitText("script own");
        Thread.sleep(2000);

        links("down");
        Thread.sleep(PAUSE.toMillis());
        links("up");

        Program.Ended created = create.end();
        assertThat(created.status()).as("%s", created).isZero();
        assertThat(created.stderr()).contains("was lost, and is opened again", "over");
        assertThat(machine.succeeds("run %s -- cat /var/tmp/runs", MADE.name()).stdout())
                .as("the script ran once on each node")
                .containsOnlyOnce("run\n");
    }

    private void links(String state) {
        String shown = machine.run(List.of("ip", "-o", "link", "show", "master", MADE.bridge()))
                .stdout();
        List<String> ports = shown.lines().map(line -> line.split("[: @]+")[1]).toList();
        assertThat(ports).as(shown).hasSize(2);
        ports.forEach(port -> machine.run(List.of("ip", "link", "set", port, state)));
    }

    private static String withScript(TestCluster cluster, Path script) {
        String updates = "    updates: {install: none}\n";
        return cluster.plainSpec().replace(updates, updates + "    scripts: [{name: own, path: " + script + "}]\n");
    }
}
