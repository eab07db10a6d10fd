package io.clusterwright.examples.e2e;

import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.concurrent.Callable;

/** Bounded waits for something to be the case on this machine. */
final class MachineWatch {
    private static final Duration LONGEST = Duration.ofSeconds(60);

    private MachineWatch() {}

    /** Waits until this many processes have exactly this command line. */
    static void awaitProcesses(String commandLine, int count) {
        until(count + " processes " + commandLine, () -> processes(commandLine) == count);
    }

    static void until(String what, Callable<Boolean> condition) {
        await(what)
                .atMost(LONGEST)
                .pollDelay(Duration.ZERO)
                .pollInterval(Duration.ofMillis(5))
                .until(condition);
    }

    private static long processes(String commandLine) {
        return ProcessHandle.allProcesses()
                .filter(process -> process.info()
                        .commandLine()
                        .filter(line -> line.equals(commandLine) || line.endsWith("/" + commandLine))
                        .isPresent())
                .count();
    }
}
