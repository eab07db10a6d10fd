package io.clusterwright.linux.probe;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.clusterwright.core.type.ClusterwrightException;
import io.clusterwright.core.type.MemlockLimit;
import io.clusterwright.linux.Tool;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Tag("breadth")
@Timeout(60)
class MemlockProbeTest {

    @Nested
    class Limits {
        @Test
        void matchTheStatusOfThisProcess() throws IOException {
            String line = Files.readAllLines(Path.of("/proc/self/limits")).stream()
                    .filter(text -> text.startsWith("Max locked memory"))
                    .findFirst()
                    .orElseThrow();
            String[] fields = line.split("\\s+");
            MemlockProbe.Limits memlock = MemlockProbe.limits().orThrow();
            assertThat(memlock.soft()).isEqualTo(bytes(fields[3]));
            assertThat(memlock.hard()).isEqualTo(bytes(fields[4]));
            assertThat(MemlockProbe.limits(ProcessHandle.current().pid()).orThrow())
                    .isEqualTo(memlock);
        }

        private MemlockLimit bytes(String text) {
            return text.equals("unlimited") ? MemlockLimit.UNLIMITED : MemlockLimit.of(Long.parseLong(text) / 1024);
        }

        @Test
        void matchThoseGivenToAChild() throws Exception {
            Process child = new ProcessBuilder("prlimit", "--memlock=32768:65536", "cat").start();
            try {
                child.getOutputStream().write('x');
                child.getOutputStream().flush();
                assertThat(child.getInputStream().read()).as("cat runs").isEqualTo('x');
                MemlockProbe.Limits memlock = MemlockProbe.limits(child.pid()).orThrow();
                assertThat(memlock.soft()).isEqualTo(MemlockLimit.of(32));
                assertThat(memlock.hard()).isEqualTo(MemlockLimit.of(64));
            } finally {
                child.destroyForcibly().waitFor(10, TimeUnit.SECONDS);
            }
        }

        @Test
        void areUnknownForAProcessThatDoesNotExist() throws Exception {
            Process child = new ProcessBuilder("true").start();
            child.waitFor(10, TimeUnit.SECONDS);
            NativeAnswer<MemlockProbe.Limits> answer = MemlockProbe.limits(child.pid());
            assertThat(answer.value()).isEmpty();
            assertThatThrownBy(answer::orThrow)
                    .isInstanceOf(ClusterwrightException.class)
                    .hasMessage("cannot read the limit of locked memory of process " + child.pid()
                            + ": there is no such process (ESRCH)");
        }
    }

    @Nested
    class Probe {
        @Test
        void locksMemoryWithinTheLimit() {
            MemlockProbe.Result result = MemlockProbe.tryLock(16384).orThrow();
            assertThat(result.succeeded()).isTrue();
            assertThat(result.bytes()).isEqualTo(16384);
        }

        @Test
        void namesTheRemedyWhenTheLimitIsTooLow() {
            String java =
                    Path.of(System.getProperty("java.home"), "bin", "java").toString();
            List<String> command = List.of(
                    "setpriv",
                    "--bounding-set=-ipc_lock",
                    "--inh-caps=-ipc_lock",
                    "prlimit",
                    "--memlock=65536:65536",
                    java,
                    "-XX:TieredStopAtLevel=1",
                    "-XX:+UseSerialGC",
                    "-cp",
                    System.getProperty("java.class.path"),
                    Locker.class.getName());
            String output = Tool.run(Map.of(), command).orThrow();
            assertThat(output)
                    .isEqualTo("1048576 bytes refused: ENOMEM; the limit of locked memory is 64 KiB soft,"
                            + " 64 KiB hard: raise memlock in /etc/security/limits.conf (LimitMEMLOCK= for a service),"
                            + " then log in again\n");
        }

        @Test
        void reportsTooLittleMemory() {
            MemlockProbe.Result result = MemlockProbe.tryLock(1L << 46).orThrow();
            assertThat(result.bytes()).isEqualTo(1L << 46);
            assertThat(result.error()).contains("ENOMEM");
            assertThat(result.advice()).contains("the memory could not even be had: try less, or on a larger machine");
        }

        @Test
        void refusesZeroBytes() {
            assertThatThrownBy(() -> MemlockProbe.tryLock(0))
                    .hasMessageContaining("number of bytes to lock")
                    .hasMessageContaining("1 or more");
        }
    }

    /** Tries to lock 1 MiB in a process of its own. */
    static final class Locker {
        public static void main(String[] arguments) {
            System.out.println(MemlockProbe.tryLock(1 << 20).orThrow());
        }
    }
}
