package io.clusterwright.linux.internal.ssh;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class OutputPumpTest {
    private final AtomicInteger released = new AtomicInteger();
    private final ByteArrayOutputStream taken = new ByteArrayOutputStream();
    private final Deque<Runnable> tasks = new ArrayDeque<>();
    private final OutputPump pump = new OutputPump(released::addAndGet);

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 3, 4, 5})
    void handsOnEverythingOnceWhenItStartsAtAnyStep(int start) {
        CompletableFuture<Void> ended = new CompletableFuture<>();
        for (int step = 0; step <= 5; step++) {
            if (step == start) {
                pump.start(tasks::add, taken::write).thenRun(() -> ended.complete(null));
            }
            assertThat(ended).isNotDone();
            switch (step) {
                case 0 -> add("one ");
                case 2 -> add("two ");
                case 4 -> pump.end();
                default -> runOne();
            }
        }
        while (!tasks.isEmpty()) {
            runOne();
        }

        assertThat(taken.toString(UTF_8)).isEqualTo("one two ");
        assertThat(ended).isCompleted();
        assertThat(released).hasValue(8);
    }

    @Test
    void opensTheWindowOnlyForWhatWasTaken() {
        pump.start(tasks::add, taken::write);
        add("12345");

        assertThat(released).hasValue(0);
        runOne();
        assertThat(released).hasValue(5);
    }

    @Test
    void endsWhenItsThreadsAreGone() {
        CompletableFuture<Void> ended = pump.start(
                task -> {
                    throw new RejectedExecutionException();
                },
                taken::write);
        add("lost");

        assertThat(ended).isCompleted();
    }

    @Test
    void losesAndDoublesNothingBetweenThreads() {
        for (int round = 0; round < 300; round++) {
            OutputPump shared = new OutputPump(bytes -> {});
            ByteArrayOutputStream all = new ByteArrayOutputStream();
            int pieces = new Random(round).nextInt(20);
            CompletableFuture<Void> sender = CompletableFuture.runAsync(() -> {
                IntStream.range(0, pieces).forEach(i -> shared.add(new byte[] {(byte) i}, 0, 1));
                shared.end();
            });

            shared.start(CompletableFuture::runAsync, all::write).join();

            byte[] expected = new byte[pieces];
            IntStream.range(0, pieces).forEach(i -> expected[i] = (byte) i);
            assertThat(all.toByteArray()).isEqualTo(expected);
            sender.join();
        }
    }

    private void add(String text) {
        pump.add(text.getBytes(UTF_8), 0, text.length());
    }

    private void runOne() {
        Runnable task = tasks.poll();
        if (task != null) {
            task.run();
        }
    }
}
