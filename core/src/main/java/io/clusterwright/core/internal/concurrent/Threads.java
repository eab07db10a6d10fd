package io.clusterwright.core.internal.concurrent;

import java.time.Duration;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** The only place that makes threads: named {@code clusterwright-NAME-N}, daemon, owned by the caller that asked for them. */
public final class Threads {
    private Threads() {}

    /** A factory of threads with this name and a running number. */
    public static ThreadFactory factory(String name) {
        AtomicInteger number = new AtomicInteger();
        return task -> daemon(name + "-" + number.incrementAndGet(), task);
    }

    /** A thread that has not started. */
    public static Thread daemon(String name, Runnable task) {
        Thread thread = new Thread(task, "clusterwright-" + name);
        thread.setDaemon(true);
        return thread;
    }

    /** A started thread. */
    public static Thread start(String name, Runnable task) {
        Thread thread = daemon(name, task);
        thread.start();
        return thread;
    }

    /** A pool of at most this many threads, at least one, which end after 5 s without work. */
    public static ExecutorService pool(String name, int most) {
        int threads = Math.max(1, most);
        ThreadPoolExecutor pool = new ThreadPoolExecutor(
                threads, threads, 5, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), factory(name));
        pool.allowCoreThreadTimeOut(true);
        return pool;
    }

    /** A pool without a bound on its threads, which end after a minute without work. */
    public static ExecutorService unbounded(String name) {
        return Executors.newCachedThreadPool(factory(name));
    }

    /**
     * One thread that runs tasks at their time, and forgets those that are cancelled. After a pause of the process, a repeated task runs once, and
     * not as often as it was missed.
     */
    public static ScheduledExecutorService timer(String name) {
        ScheduledThreadPoolExecutor timer = new ScheduledThreadPoolExecutor(1, factory(name)) {
            @Override
            public ScheduledFuture<?> scheduleAtFixedRate(Runnable task, long first, long period, TimeUnit unit) {
                return scheduleWithFixedDelay(task, first, period, unit);
            }
        };
        timer.setRemoveOnCancelPolicy(true);
        return timer;
    }

    /**
     * Stops a pool and waits for what still runs on it. An interrupt does not shorten the wait; the flag is set when this returns.
     *
     * @return false when something still ran after the limit
     */
    public static boolean end(ExecutorService pool, Duration limit) {
        pool.shutdownNow();
        Deadline deadline = Deadline.in(WaitTime.RUNNING, "end of a pool", limit);
        boolean interrupted = Thread.interrupted();
        try {
            while (true) {
                try {
                    return WaitTime.await(
                            deadline.remaining(), nanos -> pool.awaitTermination(nanos, TimeUnit.NANOSECONDS));
                } catch (InterruptedException e) {
                    interrupted = true;
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
