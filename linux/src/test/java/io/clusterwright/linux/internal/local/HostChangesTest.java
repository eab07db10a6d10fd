package io.clusterwright.linux.internal.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.clusterwright.core.MachineState;
import io.clusterwright.core.ResourceId;
import io.clusterwright.core.spi.Machine;
import io.clusterwright.core.spi.MachineProvider.MachineRequest;
import io.clusterwright.core.type.Interconnect;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * A process that makes, stops, starts and deletes a node is killed after each change of this machine; the same calls then reach their goal,
 * and deleting leaves nothing. By default after every ninth change, with {@code -Dclusterwright.soak=true} after each.
 */
@Tag("breadth")
class HostChangesTest {
    private static final int STRIDE = Boolean.getBoolean("clusterwright.soak") ? 1 : 9;
    private static final int KILLED = 99;
    private static final String SPACE = "10.38.0.0/16";

    @Test
    void aKillAfterAnyChangeLeavesNothingThatTheSameCallsDoNotResolve() throws Exception {
        int all;
        try (Lab lab = new Lab("lm-effects", SPACE)) {
            HostCommand.Result whole = run(lab, Integer.MAX_VALUE);
            assertThat(whole.exitStatus()).as(whole.stderr()).isZero();
            all = Integer.parseInt(whole.stdout().strip());
        }
        assertThat(all).isGreaterThan(30);
        int kills = 0;
        for (int point = 1; point <= all; point += STRIDE) {
            killedAfter(point);
            kills++;
        }
        System.out.println("changes of this machine: " + all + ", kills: " + kills + ", leaks: 0");
    }

    private static void killedAfter(int point) throws Exception {
        try (Lab lab = new Lab("lm-effects", SPACE)) {
            MachineSnapshot before = lab.snapshot();
            HostCommand.Result killed = run(lab, point);
            if (killed.exitStatus() == 0) {
                // An interface that goes with its node in time is deleted by the kernel, not by a change.
                assertThat(Integer.parseInt(killed.stdout().strip())).isLessThan(point);
                return;
            }
            assertThat(killed.exitStatus()).as(killed.stderr()).isEqualTo(KILLED);

            await().atMost(Duration.ofSeconds(20))
                    .untilAsserted(
                            () -> assertThat(lab.ssh(goal(lab), "hostname").out())
                                    .as("after change " + point + ", " + killed.stderr())
                                    .isEqualTo("lm-effects-11"));
            lab.destroy();

            assertThat(lab.machines.remaining(lab.cluster())).isEmpty();
            await().atMost(Duration.ofSeconds(5))
                    .untilAsserted(() -> assertThat(lab.snapshot())
                            .as("after change " + point)
                            .isEqualTo(before));
        }
    }

    private static HostCommand.Result run(Lab lab, int point) {
        return HostCommand.of(
                        ProcessHandle.current().info().command().orElse("java"),
                        "-cp",
                        System.getProperty("java.class.path"),
                        "-XX:TieredStopAtLevel=1",
                        "-Xshare:auto",
                        Builder.class.getName(),
                        lab.folder.toString(),
                        Integer.toString(point))
                .timeout(Duration.ofMinutes(1))
                .run("run");
    }

    /** The network and a node that runs, whatever is there of them. */
    private static Machine goal(Lab lab) {
        lab.network();
        MachineRequest request = lab.request(11, Lab.THIS_SYSTEM);
        Machine machine = new Machine(
                request.name(),
                request.address(),
                new ResourceId(LocalNodes.MACHINE, request.name().value()),
                request.bootstrap().hostKey().publicKey(),
                Interconnect.NONE);
        MachineState state = lab.machines.state(lab.cluster(), machine);
        if (state == MachineState.RUNNING) {
            return machine;
        }
        if (state == MachineState.STOPPED) {
            lab.machines.start(lab.cluster(), List.of(machine));
            return machine;
        }
        lab.machines.delete(lab.cluster(), machine.resource());
        return lab.boot(Lab.THIS_SYSTEM, 11).get(0);
    }

    /** Works through the life of a node and ends itself after a number of changes. */
    static final class Builder {
        public static void main(String[] arguments) throws Exception {
            Lab lab = new Lab("lm-effects", SPACE, Path.of(arguments[0]));
            int last = Integer.parseInt(arguments[1]);
            AtomicInteger done = new AtomicInteger();
            HostCommand.observeChanges(effect -> {
                if (done.incrementAndGet() == last) {
                    System.err.println(effect);
                    Runtime.getRuntime().halt(KILLED);
                }
            });
            lab.network();
            Machine node = lab.boot(Lab.THIS_SYSTEM, 11).get(0);
            lab.machines.stop(lab.cluster(), List.of(node));
            lab.machines.start(lab.cluster(), List.of(node));
            lab.machines.capture(lab.cluster(), node, "kept", "", 1);
            lab.machines.deleteImage("kept");
            lab.machines.delete(lab.cluster(), node.resource());
            lab.destroy();
            System.out.println(done.get());
        }
    }
}
