package io.clusterwright.examples.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import io.clusterwright.azure.emulator.ArmEmulator;
import io.clusterwright.azure.emulator.SeenRequest;
import io.clusterwright.azure.emulator.SharedEmulator;
import io.clusterwright.core.spi.MachineHost;
import io.clusterwright.examples.cli.SharedAzure;
import io.clusterwright.linux.local.LocalMachines;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * Programs that are killed at one of their requests of an emulated Azure, which runs in this process and whose machines are nodes of this
 * machine: by turns before the request is carried out, and after it. By default one creation and one destruction are killed, with
 * {@code -Dclusterwright.soak=true} eight of each.
 */
@Tag("breadth")
class EmulatorCrashTest {
    private static final TestCluster CLUSTER = new TestCluster("e2e-cut", 84, 2);
    private static final int POINTS = Boolean.getBoolean("clusterwright.soak") ? 8 : 1;

    @RegisterExtension
    private final Machine machine = Machine.ofProcesses(CLUSTER);

    private final AtomicInteger changes = new AtomicInteger();
    private final AtomicReference<String> unanswered = new AtomicReference<>("");
    private volatile Kill kill = new Kill(0, true, new CompletableFuture<>());

    /**
     * A kill at a request.
     *
     * @param point the number of the request among those that change something, from 1; 0 for none
     * @param carriedOut whether the request is carried out
     */
    private record Kill(int point, boolean carriedOut, CompletableFuture<Program> victim) {}

    @Test
    void createAndDestroyGoOnAfterAKillAndLeaveNothing() {
        MachineSnapshot before = MachineSnapshot.of(CLUSTER, machine.state());
        String spec = machine.write("plain.yaml", CLUSTER.plainSpec()).toString();
        String[] create = {"create", spec, "--on", "emulator"};
        String[] destroy = {"destroy", CLUSTER.name()};
        ArmEmulator.Builder builder =
                SharedAzure.builder().carriesOut(this::isCarriedOut).answers(this::isAnswered);
        try (MachineHost host = LocalMachines.create().host();
                ArmEmulator emulator = SharedEmulator.of(machine.state()).serve(builder, host)) {
            List<Integer> creating = points(changes(create));
            List<Integer> destroying = points(changes(destroy));
            MachineSnapshot idle = MachineSnapshot.of(CLUSTER, machine.state());
            for (int i = 0; i < creating.size(); i++) {
                boolean carriedOut = i % 2 == 0;
                int first = creating.get(i);
                int second = destroying.get(i % destroying.size());
                expectKill(first, carriedOut, create);
                expectSuccess(create);
                expectSuccess("run", CLUSTER.name(), "--", "true");

                expectKill(second, carriedOut, destroy);
                Program.Ended destroyed = expectSuccess(destroy);

                assertThat(emulator.resources()).as(destroyed.toString()).isEmpty();
                assertThat(MachineSnapshot.of(CLUSTER, machine.state()))
                        .as("requests " + first + " and " + second + ": " + destroyed)
                        .isEqualTo(idle);
            }
            System.out.println("kills of create at " + creating + ", of destroy at " + destroying + ", leaks: 0");
        }
        Machine.deleteTree(machine.state());
        assertThat(MachineSnapshot.of(CLUSTER, machine.state())).isEqualTo(before);
    }

    /** The number of changes in the cloud that a command makes, which is carried out. */
    private int changes(String... command) {
        changes.set(0);
        expectSuccess(command);
        return changes.get();
    }

    /** In equal distances. */
    private static List<Integer> points(int changes) {
        int count = Math.min(POINTS, changes);
        return IntStream.range(0, count)
                .map(i -> 1 + (2 * i + 1) * changes / (2 * count))
                .boxed()
                .toList();
    }

    private boolean isCarriedOut(SeenRequest request) {
        boolean strikes = request.isWrite() && changes.incrementAndGet() == kill.point();
        if (strikes && kill.carriedOut()) {
            unanswered.set(request.path());
        }
        return !strikes || kill.carriedOut() || strike();
    }

    /** Others may be carried out beside the one that is not answered, and before its answer. */
    private boolean isAnswered(SeenRequest request) {
        return !request.isWrite() || !unanswered.compareAndSet(request.path(), "") || strike();
    }

    private boolean strike() {
        kill.victim().join().close();
        return false;
    }

    private void expectKill(int point, boolean carriedOut, String... command) {
        changes.set(0);
        kill = new Kill(point, carriedOut, new CompletableFuture<>());
        Program program = machine.startClusterwright(command);
        kill.victim().complete(program);
        Program.Ended ended = program.end();
        kill = new Kill(0, true, new CompletableFuture<>());
        assertThat(ended.status()).as("request " + point + ": " + ended).isEqualTo(128 + 9);
    }

    private Program.Ended expectSuccess(String... command) {
        Program.Ended ended = machine.clusterwright(command);
        assertThat(ended.status()).as(List.of(command) + ": " + ended).isZero();
        return ended;
    }
}
