package io.clusterwright.examples.console;

import io.clusterwright.core.internal.concurrent.Threads;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.IntSupplier;

/** Turns Ctrl-C into an interrupt of the work, and delays the end of the process until the work has cleaned up. */
public final class Interrupts {
    private static final long LONGEST_CLEAN_UP_MILLIS = 120_000;

    private Interrupts() {}

    /** Runs a program on this thread and ends the JVM with its exit status. */
    public static void run(IntSupplier program) {
        Thread worker = Thread.currentThread();
        AtomicBoolean finished = new AtomicBoolean();
        AtomicBoolean signalled = new AtomicBoolean();
        Thread hook = Threads.daemon("interrupt", () -> {
            if (!finished.get()) {
                signalled.set(true);
                System.err.println("\ninterrupted: cleaning up");
                worker.interrupt();
                await(worker);
            }
        });
        Runtime.getRuntime().addShutdownHook(hook);
        int status = program.getAsInt();
        finished.set(true);
        if (!signalled.get()) {
            System.exit(status);
        }
    }

    private static void await(Thread worker) {
        try {
            worker.join(LONGEST_CLEAN_UP_MILLIS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
