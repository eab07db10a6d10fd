package io.clusterwright.examples.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** The program as users who are not root, on the page "Create a cluster on this machine". */
@Tag("breadth")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class WithoutRootTest {
    private static final String ANN = "ann";
    private static final String BOB = "bob";
    private static final String NO_RANGE = "norange";
    private static final String LINKS = "ip -o link";

    private final OrdinaryUsers users = new OrdinaryUsers(ANN, BOB, NO_RANGE);
    private final Path demo = users.write("demo.yaml", "name: demo\nnodes: {count: 2}\n");
    private final Path small = users.write("small.yaml", "name: small\nnodes: {count: 1}\nimage: {capture: false}\n");

    @AfterEach
    void destroy() {
        for (String user : List.of(ANN, BOB)) {
            if (!users.left(user).isEmpty()) {
                users.clusterwright(user, "destroy demo");
                users.clusterwright(user, "destroy small");
            }
        }
    }

    @AfterAll
    void end() {
        users.close();
    }

    @Test
    void anOrdinaryUserUsesAllCommandsOnItsNodes() {
        String before = machineLinks();

        Program.Ended created = users.succeeds(ANN, "create %s --on local", demo);
        assertThat(created.stderr()).contains("+ capture", "+ boot test", "+ nodes");
        assertThat(machineLinks()).isEqualTo(before);

        Program.Ended ran = users.succeeds(ANN, "run demo -- sudo id -u");
        assertThat(ran.stdout()).contains("demo[1-2]").endsWith("0\n");
        for (String flavour : List.of("mpich", "open-mpi")) {
            assertThat(users.succeeds(ANN, "mpi demo --mpi %s -- hostname", flavour)
                            .stdout()
                            .lines()
                            .sorted())
                    .as(flavour)
                    .containsExactly("demo1", "demo2");
        }
        Program.Ended verified = users.succeeds(ANN, "verify demo --pairs pair");
        assertThat(verified.stdout()).contains("verdict: not-judged: TCP");

        Path file = users.write("input", "content\n");
        users.succeeds(ANN, "cp demo %s :/tmp/input", file);
        assertThat(users.succeeds(ANN, "ssh demo demo2 -- cat /tmp/input").stdout())
                .isEqualTo("content\n");
        Path config = users.write(
                "ssh-config", users.succeeds(ANN, "export demo --ssh-config").stdout());
        assertThat(users.run(ANN, "ssh", "-F", config.toString(), "demo2", "hostname")
                        .stdout())
                .isEqualTo("demo2\n");

        users.succeeds(ANN, "stop demo");
        users.succeeds(ANN, "start demo");
        users.succeeds(ANN, "resize demo 3");
        assertThat(users.succeeds(ANN, "run demo --nodes demo1 -- cat /tmp/input")
                        .stdout())
                .contains("content");
        assertThat(users.run(ANN, "ssh", "-F", config.toString(), "demo2", "hostname")
                        .stdout())
                .as("the port of a node stays")
                .isEqualTo("demo2\n");

        users.succeeds(ANN, "destroy demo");
        expectNothingOf(ANN);
        assertThat(machineLinks()).isEqualTo(before);
    }

    @Test
    void usersHaveClustersOfTheSameNameAndAddressesBesideEachOther() {
        try (Program ann = users.start(ANN, "create %s --on local", small);
                Program bob = users.start(BOB, "create %s --on local", small)) {
            assertThat(List.of(ann.end().status(), bob.end().status())).containsExactly(0, 0);
        }
        for (String user : List.of(ANN, BOB)) {
            users.succeeds(user, "run small -- sudo touch %s", "/opt/user-is-" + user);
            assertThat(users.succeeds(user, "run small -- ls /opt").stdout()).contains("user-is-" + user);
        }
        assertThat(users.succeeds(ANN, "run small -- ls /opt").stdout()).doesNotContain("user-is-" + BOB);

        // No interface but the loopback and the cable, and no route but the one to the cluster.
        Program.Ended node = users.succeeds(
                ANN, "run small -- %s %s %s", "sh", "-c", "ip -o link | wc -l; ip route; ! ip route get 192.0.2.1");
        assertThat(node.stdout()).contains("2\n10.32.0.0/24 dev eth0").doesNotContain("default");

        users.succeeds(ANN, "destroy small");
        expectNothingOf(ANN);
        assertThat(users.succeeds(BOB, "run small -- hostname").stdout()).contains("small1");
        users.succeeds(BOB, "destroy small");
        expectNothingOf(BOB);
    }

    @Test
    void rootOfANodeMayNotLeaveIt() {
        users.succeeds(ANN, "create %s --on local", small);
        List<String> forbidden = List.of(
                "mount -t tmpfs none /mnt",
                "umount /proc/sys",
                "mount -o remount,rw /proc/sys",
                "mknod /tmp/disk b 254 0",
                "nsenter -t 1 -m true",
                "unshare -m true",
                "unshare --user true",
                "unshare -UrmC mount -t cgroup2 none /mnt",
                "unshare -Urm mount -o remount,rw,bind /proc/sys",
                "ip link add cwx type bridge",
                "ip route add default via 10.32.0.1",
                "date -s 2001-01-01",
                "cat /dev/vda",
                "ls " + users.home(ANN),
                "chroot /proc/1/root/../../.. test -e " + users.home(ANN));
        String script = forbidden.stream()
                .map(command -> "if " + command + " > /dev/null 2>&1; then echo 'possible: " + command + "'; fi\n")
                .reduce("", String::concat);

        Program.Ended tried = users.succeeds(ANN, "run small -- sudo sh -c %s", script + "echo tried; ps -e | wc -l");

        assertThat(tried.stdout()).contains("tried").doesNotContain("possible");
        assertThat(users.succeeds(ANN, "run small -- ps -eo args").stdout()).doesNotContain("java", "sleep infinity");
        users.succeeds(ANN, "destroy small");
        expectNothingOf(ANN);
    }

    @Test
    void afterTheEndOfTheNamespaceNodesAreStoppedAndStartAgain() {
        users.succeeds(BOB, "create %s --on local", small);
        users.succeeds(BOB, "run small -- sudo touch /opt/kept");
        long holder = users.holder(BOB);
        assertThat(users.run(BOB, "kill", "-KILL", Long.toString(holder)).status())
                .isZero();

        assertThat(users.succeeds(BOB, "describe small").stdout()).contains("state      stopped");
        users.succeeds(BOB, "start small");
        assertThat(users.succeeds(BOB, "run small -- ls /opt/kept").stdout()).contains("/opt/kept");
        users.succeeds(BOB, "destroy small");
        expectNothingOf(BOB);
    }

    @Test
    void anEmulatorWithRealMachinesIsRefusedAtOnce() {
        Program.Ended refused = users.clusterwright(ANN, "emulator --backed-by local");

        assertThat(refused.status()).as(refused.toString()).isEqualTo(1);
        assertThat(refused.stderr())
                .contains("an emulator with real machines needs root")
                .contains("--on local (LocalMachines), which needs no root");
    }

    @Test
    void doctorTellsWhatAnOrdinaryUserHasAndWhatToAskFor() {
        assertThat(users.succeeds(ANN, "doctor").stdout())
                .contains("+ local nodes: user namespace  nodes of ann need no root")
                .contains("+ local nodes: locked memory", "+ local nodes: cgroups")
                .doesNotContain("- local nodes");
        String wanted = "usermod --add-subuids 100000-165535 --add-subgids 100000-165535 " + NO_RANGE;
        assertThat(users.succeeds(NO_RANGE, "doctor").stdout())
                .contains("- local nodes: user namespace", "/etc/subuid lacks the user " + NO_RANGE, wanted);
        Program.Ended refused = users.clusterwright(NO_RANGE, "create %s --on local", small);
        assertThat(refused.status()).isEqualTo(2);
        assertThat(refused.stderr()).contains("CW-LOCAL-002", wanted);
        assertThat(users.processes(NO_RANGE)).isEmpty();
    }

    private void expectNothingOf(String user) {
        MachineWatch.until("processes end", () -> users.processes(user).isEmpty());
        assertThat(users.left(user)).isEmpty();
        assertThat(users.mounts()).isEmpty();
    }

    private static String machineLinks() {
        return new Program(new ProcessBuilder(LINKS.split(" ")), "")
                .end()
                .stdout()
                .lines()
                .filter(line -> !line.contains("cw"))
                .reduce("", (all, line) -> all + line + "\n");
    }
}
