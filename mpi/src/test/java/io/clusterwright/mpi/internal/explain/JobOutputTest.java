package io.clusterwright.mpi.internal.explain;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.clusterwright.core.RunningCommand.OutputListener.Stream;
import io.clusterwright.core.spec.MpiFlavour;
import io.clusterwright.core.type.Ipv4Address;
import io.clusterwright.core.type.NodeName;
import io.clusterwright.mpi.internal.launch.HydraLauncher;
import io.clusterwright.mpi.job.LaunchFailure;
import io.clusterwright.mpi.job.MpiInstallation;
import io.clusterwright.mpi.job.OutputLine;
import io.clusterwright.mpi.spi.JobFolder;
import io.clusterwright.mpi.spi.LaunchNode;
import io.clusterwright.mpi.spi.LaunchRequest;
import io.clusterwright.mpi.spi.Launcher;
import java.io.Flushable;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

class JobOutputTest {
    private static final JobFolder FOLDER = new JobFolder("cwjob-0123456789abcdef");
    private static final LaunchRequest REQUEST = LaunchRequest.of(
            new MpiInstallation(MpiFlavour.MPICH, "4.0.2", "/usr/bin/mpirun"),
            List.of(new LaunchNode(NodeName.of("cluster11"), Ipv4Address.of("10.32.0.11"), 1)),
            FOLDER,
            List.of("hostname"));

    @Test
    void readsWhichNodeWasNotReached() {
        assertThat(JobOutput.unreached(FOLDER, "clusterwright-launch cwjob-0123456789abcdef 10.32.0.12 255 no"))
                .hasValue(new LaunchFailure("10.32.0.12", 255, false));
        assertThat(JobOutput.unreached(FOLDER, "clusterwright-launch cwjob-0123456789abcdef 10.32.0.12 127 yes gone"))
                .hasValue(new LaunchFailure("10.32.0.12", 127, true, "gone"));
    }

    @Test
    void ignoresTheReportOfAnotherJob() {
        assertThat(JobOutput.unreached(FOLDER, "clusterwright-launch cwjob-fedcba9876543210 10.32.0.12 255 no"))
                .isEmpty();
        assertThat(JobOutput.unreached(FOLDER, "ordinary output")).isEmpty();
    }

    @Test
    void flushesAListenerWhenNoFurtherLineIsAtHand() {
        List<String> calls = new ArrayList<>();
        Buffered listener = new Buffered(calls);
        JobOutput job = new JobOutput(REQUEST, new HydraLauncher(), listener, null);
        FollowedOutput followed = new FollowedOutput(Optional.empty(), listener);
        byte[] two = "one\ntwo\nthr".getBytes(StandardCharsets.UTF_8);

        job.onOutput(Stream.STDOUT, two, two.length);
        job.finish();
        followed.onOutput(Stream.STDOUT, two, two.length);
        followed.finish();

        assertThat(calls).containsExactly("one", "two", "flush", "thr", "flush", "one", "two", "flush", "thr", "flush");
    }

    @Test
    void whatIsKnownOfAJobIsToldWhileAListenerTakesItsTime() throws Exception {
        CountDownLatch reached = new CountDownLatch(1);
        CountDownLatch released = new CountDownLatch(1);
        JobOutput job = new JobOutput(
                REQUEST,
                new HydraLauncher(),
                line -> {
                    reached.countDown();
                    try {
                        released.await();
                    } catch (InterruptedException e) {
                        Thread.currentThread().interrupt();
                    }
                },
                null);
        byte[] line = "one\n".getBytes(StandardCharsets.UTF_8);
        CompletableFuture<Void> output =
                CompletableFuture.runAsync(() -> job.onOutput(Stream.STDOUT, line, line.length));
        reached.await();

        CompletableFuture<List<OutputLine>> asked = CompletableFuture.supplyAsync(() -> {
            job.ending();
            assertThat(job.refused()).isEmpty();
            assertThat(job.rankFailures()).isEmpty();
            return job.tail();
        });

        assertThat(asked.get(20, TimeUnit.SECONDS)).hasSize(1);
        released.countDown();
        output.get(20, TimeUnit.SECONDS);
    }

    /** The launcher of another library may fail over a line. */
    @Test
    void aLineThatCannotBeReadIsDelivered() {
        Launcher failing = (Launcher) Proxy.newProxyInstance(
                Launcher.class.getClassLoader(), new Class<?>[] {Launcher.class}, (proxy, method, arguments) -> {
                    if (Set.of("failure", "refusal").contains(method.getName())) {
                        throw new NumberFormatException("of a launcher");
                    }
                    return InvocationHandler.invokeDefault(proxy, method, arguments);
                });
        List<String> calls = new ArrayList<>();
        JobOutput job = new JobOutput(REQUEST, failing, line -> calls.add(line.text()), null);
        FollowedOutput followed = new FollowedOutput(Optional.of(failing), line -> calls.add(line.text()));
        byte[] two = "one\nsrun: error: two\n".getBytes(StandardCharsets.UTF_8);

        job.onOutput(Stream.STDOUT, two, two.length);
        followed.onOutput(Stream.STDOUT, two, two.length);

        assertThat(calls).containsExactly("one", "srun: error: two", "one", "srun: error: two");
    }

    /** A rank can write what the program that a launcher calls instead of ssh reports. */
    @Test
    void failuresOfNodesThatTheJobDoesNotHaveFillNoMemory() {
        JobOutput job = new JobOutput(REQUEST, new HydraLauncher(), line -> {}, null);
        for (int i = 0; i < 1000; i++) {
            byte[] line = ("clusterwright-launch " + FOLDER.token() + " host" + i + " 255 no\n")
                    .getBytes(StandardCharsets.UTF_8);
            job.onOutput(Stream.STDERR, line, line.length);
        }
        assertThat(job.failures()).hasSize(4);
    }

    @Test
    void anErrorOfAListenerCostsItTheRestAndNothingElse() {
        List<String> calls = new ArrayList<>();
        Consumer<OutputLine> failing = line -> {
            calls.add(line.text());
            throw new AssertionError("of a listener");
        };
        JobOutput job = new JobOutput(REQUEST, new HydraLauncher(), failing, null);
        FollowedOutput followed = new FollowedOutput(Optional.empty(), failing);
        byte[] two = "one\ntwo\nthr".getBytes(StandardCharsets.UTF_8);

        job.onOutput(Stream.STDOUT, two, two.length);
        job.finish();
        followed.onOutput(Stream.STDOUT, two, two.length);
        followed.finish();

        assertThat(calls).containsExactly("one", "one");
        assertThat(job.tail()).extracting(OutputLine::text).containsExactly("one", "two", "thr");
        assertThat(followed.tail()).extracting(OutputLine::text).containsExactly("one", "two", "thr");
        assertThatThrownBy(followed::check).isInstanceOf(AssertionError.class).hasMessage("of a listener");
    }

    /** A JUnit assertion in a listener is an Error, and may come with the last line only. */
    @Test
    void anErrorOverTheLastLineLeavesTheResult() {
        JobOutput job = new JobOutput(
                REQUEST,
                new HydraLauncher(),
                line -> {
                    throw new AssertionError("of a listener");
                },
                null);
        byte[] one = "one".getBytes(StandardCharsets.UTF_8);
        job.onOutput(Stream.STDOUT, one, one.length);
        job.finish();
        assertThat(job.tail()).hasSize(1);
    }

    private record Buffered(List<String> calls) implements Consumer<OutputLine>, Flushable {
        @Override
        public void accept(OutputLine line) {
            calls.add(line.text());
        }

        @Override
        public void flush() {
            calls.add("flush");
        }
    }
}
