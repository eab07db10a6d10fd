package io.clusterwright.linux.internal.local;

import static org.assertj.core.api.Assertions.assertThat;

import io.clusterwright.core.MachineState;
import io.clusterwright.core.spi.Machine;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class ProcessIdentityTest {

    @Test
    void aProcessIsKnownByItsNumberAndItsStart() throws Exception {
        Process process = new ProcessBuilder("sleep", "600").start();
        try {
            ProcessIdentity identity = ProcessIdentity.find(process.pid()).orElseThrow();
            assertThat(identity.isAlive()).isTrue();
            ProcessIdentity other = new ProcessIdentity(identity.pid(), identity.startTicks() - 1);
            assertThat(other.isAlive()).isFalse();
            other.kill();
            assertThat(process.isAlive()).isTrue();
            identity.kill();
            assertThat(process.waitFor()).isNotZero();
            assertThat(identity.isAlive()).isFalse();
        } finally {
            process.destroyForcibly();
        }
    }

    @Test
    @Tag("breadth")
    void aProcessWhoseNameIsNoTextIsFoundAndEnded() throws Exception {
        Process process = new ProcessBuilder(
                        "perl", "-e", "$| = 1; $0 = \"\\xff\\xfe) Z\"; print \"named\\n\"; sleep 600")
                .start();
        try {
            assertThat(process.inputReader().readLine()).isEqualTo("named");
            ProcessIdentity identity = ProcessIdentity.find(process.pid()).orElseThrow();
            assertThat(identity.isAlive()).isTrue();
            identity.kill();
            assertThat(process.waitFor()).isNotZero();
        } finally {
            process.destroyForcibly();
        }
    }

    @Test
    @Tag("breadth")
    void aStrangersProcessWithTheNumberOfANodeIsNotEnded() throws Exception {
        Process stranger = new ProcessBuilder("sleep", "600").start();
        try (Lab lab = new Lab("lm-stale", "10.75.0.0/16")) {
            Machine node = lab.network().boot(Lab.THIS_SYSTEM, 11).get(0);
            lab.machines.host().stop(lab.cluster().name(), node.name());
            var folder = lab.folders.node(lab.cluster().name(), node.name());
            ProcessIdentity stale = new ProcessIdentity(stranger.pid(), 1);
            NodeRecord.read(folder).orElseThrow().running(stale, stale).write(folder);

            assertThat(lab.machines.state(lab.cluster(), node)).isEqualTo(MachineState.STOPPED);
            lab.destroy();

            assertThat(stranger.isAlive()).isTrue();
            assertThat(lab.machines.remaining(lab.cluster())).isEmpty();
        } finally {
            stranger.destroyForcibly();
        }
    }
}
