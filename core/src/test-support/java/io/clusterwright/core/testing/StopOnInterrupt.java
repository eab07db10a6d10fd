package io.clusterwright.core.testing;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.LifecycleMethodExecutionExceptionHandler;
import org.junit.jupiter.api.extension.TestExecutionExceptionHandler;

/**
 * Lets Ctrl-C end a test run as failures do: tests that run are interrupted, and clean up after themselves; no other one starts. Nodes live in processes of their own, so
 * that they would outlive this JVM.
 */
public final class StopOnInterrupt
        implements ExecutionCondition,
                BeforeAllCallback,
                TestExecutionExceptionHandler,
                LifecycleMethodExecutionExceptionHandler {
    private static final ExtensionContext.Namespace NAMESPACE = ExtensionContext.Namespace.create(StopOnInterrupt.class);
    private static final long PATIENCE_SECONDS = 100;
    private static final AtomicBoolean ENDING = new AtomicBoolean();
    private static final AtomicBoolean HOOKED = new AtomicBoolean();

    /** Made by JUnit. */
    public StopOnInterrupt() {}

    @Override
    public void beforeAll(ExtensionContext context) {
        if (HOOKED.compareAndSet(false, true)) {
            CountDownLatch over = new CountDownLatch(1);
            context.getRoot().getStore(NAMESPACE).put("end", (AutoCloseable) over::countDown);
            Runtime.getRuntime().addShutdownHook(new Thread(() -> end(over), "tests-end"));
        }
    }

    @Override
    public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
        return ENDING.get()
                ? ConditionEvaluationResult.disabled("the test run was interrupted")
                : ConditionEvaluationResult.enabled("");
    }

    @Override
    public void handleTestExecutionException(ExtensionContext context, Throwable failure) throws Throwable {
        cleanUpAfter(failure);
    }

    @Override
    public void handleBeforeAllMethodExecutionException(ExtensionContext context, Throwable failure) throws Throwable {
        cleanUpAfter(failure);
    }

    @Override
    public void handleBeforeEachMethodExecutionException(ExtensionContext context, Throwable failure) throws Throwable {
        cleanUpAfter(failure);
    }

    /** What cleans up after an interrupted test may wait for programs again. */
    private static void cleanUpAfter(Throwable failure) throws Throwable {
        if (ENDING.get()) {
            Thread.interrupted();
        }
        throw failure;
    }

    private static void end(CountDownLatch over) {
        if (over.getCount() == 0) {
            return;
        }
        ENDING.set(true);
        Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().startsWith("junit-")
                        || thread.getName().equals("main"))
                .forEach(Thread::interrupt);
        try {
            if (!over.await(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
                System.err.println("tests were interrupted, and some did not end within " + PATIENCE_SECONDS + " s");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
