package io.clusterwright.mpi.internal.explain;

import io.clusterwright.core.RunningCommand.OutputListener;
import io.clusterwright.core.internal.text.LineSplitter;
import io.clusterwright.core.internal.text.LineSplitter.Line;
import io.clusterwright.core.plan.Finding;
import io.clusterwright.mpi.internal.explain.JobOutput.OutputTail;
import io.clusterwright.mpi.internal.explain.RankFailures.RankPlacement;
import io.clusterwright.mpi.job.Diagnosis;
import io.clusterwright.mpi.job.OutputLine;
import io.clusterwright.mpi.spi.Launcher;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The output of a job that runs without this program, without labels, on its way to the caller. {@code JobQueue.follow} polls the job and
 * feeds it.
 */
public final class FollowedOutput implements OutputListener {
    private static final Logger LOG = LoggerFactory.getLogger(FollowedOutput.class);

    private final Optional<Launcher> launcher;
    private final Consumer<OutputLine> listener;
    private final OutputTail tail = new OutputTail();
    private final Diagnoser diagnoser = new Diagnoser();
    private final LineSplitter stdout = new LineSplitter(line -> line(Stream.STDOUT, line));
    private final LineSplitter stderr = new LineSplitter(line -> line(Stream.STDERR, line));
    private final RankFailures rankFailures;
    private @Nullable Finding notStarted;
    private boolean fresh;
    private @Nullable Throwable refusal;

    /** The output of a job whose failed ranks this launcher reports, where one is known. */
    public FollowedOutput(Optional<Launcher> launcher, Consumer<OutputLine> listener) {
        this.launcher = launcher;
        this.rankFailures = new RankFailures(
                new RankPlacement(List.of()),
                launcher.map(Launcher::reportsAsSrun).orElse(false));
        this.listener = listener;
    }

    @Override
    public synchronized void onOutput(Stream stream, byte[] bytes, int length) {
        fresh = true;
        (stream == Stream.STDOUT ? stdout : stderr).feed(bytes, length);
        deliver(() -> JobOutput.flush(listener));
    }

    /** Whether anything came since the last call. */
    public synchronized boolean fresh() {
        boolean before = fresh;
        fresh = false;
        return before;
    }

    /** Hands on what no line break ended. */
    public synchronized void finish() {
        stdout.finish();
        stderr.finish();
        deliver(() -> JobOutput.flush(listener));
    }

    /** Throws what the listener threw, which gets no more lines then. */
    public synchronized void check() {
        if (refusal instanceof Error error) {
            throw error;
        }
        if (refusal instanceof RuntimeException exception) {
            throw exception;
        }
    }

    /** The last lines. */
    public synchronized List<OutputLine> tail() {
        return tail.lines();
    }

    /** The rank that failed first, where the launcher tells it, and the known failures that the output tells of. */
    public synchronized List<Finding> diagnosed() {
        List<Finding> all = new ArrayList<>();
        if (notStarted != null) {
            all.add(notStarted);
        }
        rankFailures.taskFailure().ifPresent(all::add);
        diagnoser.finish().stream().map(Diagnosis::toFinding).forEach(all::add);
        return all;
    }

    private void line(Stream stream, Line read) {
        boolean text = JobOutput.isText(read);
        if (text && JobOutput.isHarmless(read.text())) {
            return;
        }
        OutputLine line = new OutputLine(stream, OptionalInt.empty(), read.bytes());
        try {
            explain(line, read, text);
        } catch (RuntimeException | Error e) {
            LOG.debug("a line could not be explained", e); // a defect of a reader must not cost the line
        }
        tail.keep(line);
        deliver(() -> listener.accept(line));
    }

    private void explain(OutputLine line, Line read, boolean text) {
        if (text) {
            rankFailures.accept(read.text());
            if (notStarted == null) {
                notStarted =
                        launcher.flatMap(known -> known.refusal(read.text())).orElse(null);
            }
        }
        if (RankFailures.maySpeakOfItself(read)) {
            rankFailures.readOwn(line);
        }
        diagnoser.accept(read.bytes());
    }

    private void deliver(Runnable delivery) {
        if (refusal == null) {
            try {
                delivery.run();
            } catch (RuntimeException | Error e) {
                refusal = e;
            }
        }
    }
}
