package io.clusterwright.examples.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** The connection to nodes breaks, for longer than sessions wait for an answer, and comes back. */
@Tag("breadth")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class LostLinkTest {
    private static final TestCluster CLUSTER = new TestCluster("e2e-link", 88, 2);
    /** More than three heartbeats of a session. */
    private static final Duration BREAK = Duration.ofSeconds(Integer.getInteger("clusterwright.break", 25));

    private final Machine machine = Machine.ofThisJvm(CLUSTER);

    @BeforeAll
    void create() {
        machine.open();
        machine.succeeds("create %s --on local", machine.write("link.yaml", CLUSTER.plainSpec()));
    }

    @AfterAll
    void destroy() {
        machine.close();
    }

    @Test
    void jobsAndCommandsAreWatchedAgain() throws InterruptedException {
        int seconds = (int) BREAK.toSeconds() + 12;
        String ticks = "for i in $(seq " + seconds + "); do echo tick $i; echo tock $i >&2; sleep 1; done";
        List<Program> started = List.of(
                machine.startClusterwright("mpi %s --ppn 1 -- sh -c %s", CLUSTER.name(), ticks),
                machine.startClusterwright(
                        "mpi %s --ppn 1 --launch-over ssh -- sh -c %s", CLUSTER.name(), ticks + "; exit 7"),
                machine.startClusterwright("run %s --nodes head -- sh -c %s", CLUSTER.name(), ticks + "; exit 7"),
                machine.startClusterwright("ssh %s -- %s", CLUSTER.name(), ticks));
        Program ofAll = machine.startClusterwright("run %s -- sh -c %s", CLUSTER.name(), ticks);
        Program early = machine.startClusterwright(
                "run %s --nodes head -- sh -c %s", CLUSTER.name(), "sleep 9; echo end; exit 4");
        List<Integer> statuses = List.of(0, 1, 1, 0);
        started.forEach(program -> program.awaitText("tick 2"));

        breakLinks();

        for (int at = 0; at < started.size(); at++) {
            Program.Ended end = started.get(at).end();
            assertThat(end.status()).as("%s", end).isEqualTo(statuses.get(at));
            int nodes = at < 2 ? 2 : 1;
            IntStream.rangeClosed(1, seconds).forEach(second -> {
                assertThat(count(end.stdout(), "tick " + second))
                        .as("%s of %s", second, end)
                        .isEqualTo(nodes);
                assertThat(count(end.stderr(), "tock " + second))
                        .as("%s of %s", second, end)
                        .isEqualTo(nodes);
            });
        }
        assertThat(started.get(2).end().stderr())
                .contains("the connection to " + CLUSTER.node(1) + " was lost", " is open again", "exit status 7");
        Program.Ended all = ofAll.end();
        assertThat(all.status()).as("%s", all).isZero();
        assertThat(all.stdout()).contains("tick " + seconds + "\n");
        assertThat(all.stdout().lines().filter(line -> line.startsWith("--- "))).hasSize(1);
        Program.Ended duringTheBreak = early.end();
        assertThat(duringTheBreak.status()).as("%s", duringTheBreak).isEqualTo(1);
        assertThat(duringTheBreak.stdout()).isEqualTo("end\n");
        assertThat(duringTheBreak.stderr()).contains("exit status 4").doesNotContain("cannot run");
        await().atMost(Duration.ofSeconds(30))
                .untilAsserted(() -> assertThat(machine.succeeds(
                                        "run %s --nodes head -- grep -c %s /proc/net/unix",
                                        CLUSTER.name(), " 00010000 .*@clusterwright-held")
                                .stdout())
                        .as(
                                "holders, of which one is that of this command: %s",
                                machine.succeeds(
                                        "run %s --nodes head -- ps -eo pid,ppid,etimes,args --forest", CLUSTER.name()))
                        .isEqualTo("1\n"));
    }

    @Test
    void copiesGoOn() throws Exception {
        Path data = Files.createDirectory(machine.folder().resolve("data"));
        Files.writeString(data.resolve("a"), "small");
        String make = "seq 20000000 > big; sha256sum < big";
        String sum =
                machine.run(List.of("sh", "-c", "cd " + data + "; " + make)).stdout();
        machine.succeeds("run %s --nodes %s -- sh -c %s", CLUSTER.name(), CLUSTER.node(2), "mkdir t; cd t; " + make);
        Path target = machine.folder().resolve("copy");
        Program up = machine.startClusterwright("cp %s %s %s", CLUSTER.name(), data, CLUSTER.node(1) + ":t");
        Program down = machine.startClusterwright("cp %s %s %s", CLUSTER.name(), CLUSTER.node(2) + ":t", target);
        await().atMost(Duration.ofMinutes(1))
                .pollInterval(Duration.ofMillis(20))
                .until(() -> Files.exists(target));
        await().atMost(Duration.ofMinutes(1))
                .until(() -> machine.clusterwright("run %s --nodes head -- test -e t", CLUSTER.name())
                                .status()
                        == 0);

        bridge("down");
        try {
            Thread.sleep(BREAK.toMillis());
        } finally {
            bridge("up");
        }

        for (Program copy : List.of(up, down)) {
            Program.Ended ended = copy.end();
            assertThat(ended.status()).as("%s", ended).isZero();
        }
        assertThat(machine.succeeds(
                                "run %s --nodes %s -- sh -c %s",
                                CLUSTER.name(), CLUSTER.node(1), "cd t; ls; sha256sum < big")
                        .stdout())
                .isEqualTo("a\nbig\n" + sum);
        assertThat(machine.run(List.of("sh", "-c", "cd " + target + "; ls; sha256sum < big"))
                        .stdout())
                .isEqualTo("big\n" + sum);
    }

    @Test
    void jobsOfAClientThatIsGoneEnd() {
        Program job =
                machine.startClusterwright("mpi %s --ppn 1 -- sh -c %s", CLUSTER.name(), "echo up; exec sleep 333");
        job.awaitText("up");

        await().untilAsserted(() -> assertThat(ranks()).hasLineCount(2));

        job.signal("KILL");

        await().atMost(Duration.ofSeconds(20))
                .untilAsserted(() -> assertThat(ranks()).isEmpty());
    }

    private String ranks() {
        return machine.run(List.of("pgrep", "-fx", "sleep 333")).stdout();
    }

    /** What this machine sends to the nodes goes to no one; the nodes reach each other. */
    private void breakLinks() throws InterruptedException {
        neighbours("replace", "lladdr", "02:00:00:00:00:01", "nud", "permanent");
        try {
            Thread.sleep(BREAK.toMillis());
        } finally {
            neighbours("del");
        }
    }

    private void bridge(String state) {
        assertThat(machine.run(List.of("ip", "link", "set", CLUSTER.bridge(), state))
                        .status())
                .isZero();
    }

    private void neighbours(String verb, String... values) {
        IntStream.rangeClosed(1, CLUSTER.nodes()).forEach(node -> {
            List<String> command = new ArrayList<>(List.of("ip", "neigh", verb, CLUSTER.address(node)));
            command.addAll(List.of("dev", CLUSTER.bridge()));
            command.addAll(List.of(values));
            assertThat(machine.run(command).status()).isZero();
        });
    }

    private static long count(String output, String line) {
        return output.lines().filter(text -> text.endsWith(line)).count();
    }
}
