package io.clusterwright.core.testing;

import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.Timer;
import java.util.TimerTask;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.TestPlan;

/** Prints how far the tests of a module are, and which classes run, every {@value #SECONDS} s; for each plan that JUnit carries out. */
public final class TestProgress implements TestExecutionListener {
    private static final int SECONDS = 15;
    private static final int SHOWN = 4;

    private final String module = System.getProperty("clusterwright.module", "tests");
    private final AtomicInteger tests = new AtomicInteger();
    private final AtomicInteger done = new AtomicInteger();
    private final Set<String> running = new ConcurrentSkipListSet<>();
    private @Nullable Timer timer;
    private long started;
    private long classes;
    private volatile String last = "";

    /** Made by JUnit. */
    public TestProgress() {}

    @Override
    public void testPlanExecutionStarted(TestPlan plan) {
        classes = plan.countTestIdentifiers(TestProgress::isOuterClass);
        started = System.nanoTime();
        last = "";
        tests.set(0);
        done.set(0);
        if (classes > 0) {
            timer = new Timer("test-progress", true);
            timer.schedule(
                    new TimerTask() {
                        @Override
                        public void run() {
                            print();
                        }
                    },
                    SECONDS * 1000L,
                    SECONDS * 1000L);
        }
    }

    @Override
    public void testPlanExecutionFinished(TestPlan plan) {
        if (timer != null) {
            timer.cancel();
        }
        if (classes > 0) {
            print();
        }
    }

    @Override
    public void executionStarted(TestIdentifier test) {
        if (isOuterClass(test)) {
            running.add(test.getDisplayName());
        }
    }

    @Override
    public void executionFinished(TestIdentifier test, TestExecutionResult result) {
        if (test.isTest()) {
            tests.incrementAndGet();
        } else if (isOuterClass(test)) {
            running.remove(test.getDisplayName());
            last = test.getDisplayName();
            done.incrementAndGet();
        }
    }

    @Override
    public void executionSkipped(TestIdentifier test, String reason) {
        if (isOuterClass(test)) {
            done.incrementAndGet();
        }
    }

    private void print() {
        long seconds = Duration.ofNanos(System.nanoTime() - started).toSeconds();
        if (classes == 1) {
            String name = last.isEmpty() ? String.join("", running) : last;
            System.out.println("[INFO] " + module + ": " + name + ", " + tests + " tests, " + seconds + " s"
                    + (last.isEmpty() ? ", running" : ""));
            return;
        }
        List<String> names = running.stream().limit(SHOWN).toList();
        String now = names.isEmpty()
                ? ""
                : "; running " + String.join(", ", names) + (running.size() > SHOWN ? " and others" : "");
        System.out.println("[INFO] " + module + ": " + done + " of " + classes + " test classes, " + tests + " tests, "
                + seconds + " s" + now);
    }

    /** Directly below the engine. */
    private static boolean isOuterClass(TestIdentifier test) {
        return test.getUniqueIdObject().getSegments().size() == 2;
    }
}
