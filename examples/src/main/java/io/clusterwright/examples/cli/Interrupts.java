package io.clusterwright.examples.cli;

import io.clusterwright.core.ClusterManager;
import io.clusterwright.core.ClusterSummary;
import io.clusterwright.core.ClusterSummary.ClusterPhase;
import io.clusterwright.core.StateStore;
import io.clusterwright.core.internal.concurrent.Threads;
import io.clusterwright.core.type.ClusterwrightException;
import java.io.PrintStream;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.IntSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Turns Ctrl-C into an interrupt of the work, which then cleans up, however long that takes. A second Ctrl-C ends the program at once and
 * names the remains.
 */
public final class Interrupts {
    private static final long LONGEST_CLEAN_UP_MILLIS = 1_800_000;

    /** What an interrupt leaves behind on purpose, as the line that it prints; empty while it cleans up. */
    private static volatile String detaching = "";

    private static volatile boolean announced;

    private static volatile @Nullable Thread working;

    private Interrupts() {}

    /** Lets an interrupt from now on end the watching of something that goes on: it prints this line, and there is nothing to clean up. */
    public static void detachWith(String line) {
        detaching = line;
    }

    /** Runs a program on this thread and ends the JVM with its exit status. */
    public static void run(IntSupplier program) {
        Thread worker = Thread.currentThread();
        working = worker;
        AtomicBoolean finished = new AtomicBoolean();
        AtomicBoolean signalled = new AtomicBoolean();
        AtomicBoolean ending = new AtomicBoolean();
        onInterrupt(() -> {
            if (finished.get()) {
                return;
            }
            if (signalled.compareAndSet(false, true)) {
                announce("; interrupt again to end at once and leave the rest");
                worker.interrupt();
            } else if (detaching.isEmpty()) {
                leave(System.err);
                Runtime.getRuntime().halt(ExitCodes.FAILED);
            } else {
                Runtime.getRuntime().halt(ExitCodes.INTERRUPTED);
            }
        });
        // For the other signals that end a program, and for Ctrl-C where it cannot be handled.
        Thread hook = Threads.daemon("interrupt", () -> {
            if (!finished.get()) {
                ending.set(true);
                announce("");
                worker.interrupt();
                await(worker);
            }
        });
        Runtime.getRuntime().addShutdownHook(hook);
        int status = program.getAsInt();
        finished.set(true);
        if (!ending.get()) {
            System.exit(signalled.get() ? ExitCodes.ofInterrupt() : StandardOutput.status(status));
        }
    }

    /** Ends the work as an interrupt does. */
    static void endWork() {
        Thread worker = working;
        if (worker != null) {
            worker.interrupt();
        }
    }

    /** Whether the line about an interrupt was printed. */
    static boolean announced() {
        return announced;
    }

    private static void announce(String more) {
        announced = true;
        System.err.println("\n" + (detaching.isEmpty() ? "interrupted: cleaning up" + more : detaching));
    }

    /** Prints the clusters of which something is left, and the commands that delete them. */
    static void leave(PrintStream out) {
        out.println("\nended before everything was cleaned up");
        try {
            List<ClusterSummary> unfinished = ClusterManager.list(StateStore.standard()).stream()
                    .filter(record -> record.phase() != ClusterPhase.READY && record.phase() != ClusterPhase.STOPPED)
                    .toList();
            unfinished.forEach(record -> out.println("  left: " + record.name() + " on " + record.provider() + ", "
                    + record.phase() + "; delete it with: clusterwright destroy " + record.name()));
            if (unfinished.isEmpty()) {
                out.println("  left: no cluster that was being made; clusterwright list shows those that exist");
            }
        } catch (ClusterwrightException e) {
            out.println("  the clusters cannot be listed: " + e.getMessage());
        }
    }

    /** Handles Ctrl-C without the end of the JVM, which cannot wait for a second one. Does nothing where the JVM has no such handlers. */
    private static void onInterrupt(Runnable action) {
        try {
            Class<?> signal = Class.forName("sun.misc.Signal");
            Class<?> handler = Class.forName("sun.misc.SignalHandler");
            Object ours = Proxy.newProxyInstance(
                    Interrupts.class.getClassLoader(), new Class<?>[] {handler}, (proxy, method, arguments) -> {
                        if (method.getName().equals("handle")) {
                            action.run();
                            return null;
                        }
                        return method.getName().equals("hashCode") ? (Object) 0 : (Object) (proxy == arguments[0]);
                    });
            signal.getMethod("handle", signal, handler)
                    .invoke(null, signal.getConstructor(String.class).newInstance("INT"), ours);
        } catch (ReflectiveOperationException e) {
            // The shutdown hook interrupts the work then.
            return;
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
