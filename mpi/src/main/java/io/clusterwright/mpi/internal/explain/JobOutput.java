package io.clusterwright.mpi.internal.explain;

import io.clusterwright.core.RunningCommand.OutputListener;
import io.clusterwright.core.internal.concurrent.WaitTime;
import io.clusterwright.core.internal.text.LineSplitter.Line;
import io.clusterwright.core.plan.Finding;
import io.clusterwright.mpi.internal.explain.RankFailures.RankPlacement;
import io.clusterwright.mpi.internal.finding.MpiFinding;
import io.clusterwright.mpi.job.Diagnosis;
import io.clusterwright.mpi.job.LaunchFailure;
import io.clusterwright.mpi.job.OutputLine;
import io.clusterwright.mpi.job.RankFailure;
import io.clusterwright.mpi.spi.JobFolder;
import io.clusterwright.mpi.spi.LaunchRequest;
import io.clusterwright.mpi.spi.LaunchRequest.LaunchOption;
import io.clusterwright.mpi.spi.Launcher;
import java.io.Flushable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A job's output on its way to the caller: labels and the agent's reports are taken out, the last lines are kept. */
public final class JobOutput implements OutputListener {
    private static final Logger LOG = LoggerFactory.getLogger(JobOutput.class);
    /**
     * Open MPI 4 sets the process group of its ssh on both sides and warns about the side that comes second; srun says that
     * not binding is what it does anyway.
     */
    private static final Pattern HARMLESS =
            Pattern.compile("\\[\\S+] plm:rsh: Warning: setpgid\\(\\d+,\\d+\\) failed in parent .*"
                    + "|srun: cluster configuration lacks support for cpu binding");

    private static final String REPORT = "clusterwright-launch ";
    /** The report of ssh-agent.sh. */
    private static final Pattern UNREACHED = Pattern.compile(REPORT + "(\\S+) (\\S+) (\\d{1,9}) (yes|no)(?: (.*))?");

    /** What a launcher says of a helper that ended, whatever the reason. */
    private static final String NODE_LOST = "CW-DIAG-508";

    private static final int ESCAPE = 0x1b;
    /** The ways in which a node can fail that are reported apart. */
    private static final int FAILURES_OF_NODE = 4;

    private static final Pattern UNKNOWN_OPTION = Pattern.compile("(.+ does not know the option )-*([^ :=]+).*");

    /** Held while output is read and handed on; a listener may take any time, during which the supervisor asks for what is known. */
    private final Object reading = new Object();

    private final JobFolder folder;
    private final List<String> jobArguments;
    private final Launcher launcher;
    private final Consumer<OutputLine> listener;
    private final @Nullable RankFiles files;
    private final RankFailures rankFailures;
    private final RankEnds rankEnds;
    private final RankDemux stdout;
    private final RankDemux stderr;
    private final OutputTail tail = new OutputTail();
    private final Set<LaunchFailure> failures = new LinkedHashSet<>();
    private final int mostFailures;
    /** Made with the first line, when the launcher runs already: reading what it knows takes a moment. */
    private @Nullable Diagnoser diagnoser;

    private Optional<String> refused = Optional.empty();
    private @Nullable Finding notStarted;
    private long firstFailureNanos;
    private long abortedNanos;
    private long lastNanos = WaitTime.RUNNING.nanos();
    private boolean delivering = true;
    private boolean ending;

    /** The output of a job, labelled where the request says so, and kept in files where there are any. */
    public JobOutput(
            LaunchRequest request, Launcher launcher, Consumer<OutputLine> listener, @Nullable RankFiles files) {
        this.folder = request.folder();
        this.jobArguments = request.jobArguments();
        this.rankEnds = new RankEnds(request.ranks());
        this.mostFailures = FAILURES_OF_NODE * request.nodes().size();
        this.launcher = launcher;
        Pattern label = request.has(LaunchOption.LABEL_RANKS)
                ? launcher.rankLabel(request).orElse(null)
                : null;
        this.rankFailures = new RankFailures(new RankPlacement(request.nodes()), launcher.reportsAsSrun());
        int limit = launcher.pieceLimit(request).orElse(0);
        this.listener = listener;
        this.files = files;
        this.stdout = new RankDemux(label, request.ranks(), limit, (rank, bytes) -> line(Stream.STDOUT, rank, bytes));
        this.stderr = new RankDemux(label, request.ranks(), limit, (rank, bytes) -> line(Stream.STDERR, rank, bytes));
    }

    @Override
    public void onOutput(Stream stream, byte[] bytes, int length) {
        synchronized (this) {
            lastNanos = WaitTime.RUNNING.nanos();
        }
        synchronized (reading) {
            (stream == Stream.STDOUT ? stdout : stderr).feed(bytes, length);
            deliver(() -> flush(listener));
        }
    }

    /** Notes that the processes of the job are being ended: the shell before a rank says so of its program. */
    public synchronized void ending() {
        ending = true;
    }

    public void finish() {
        synchronized (reading) {
            stdout.finish();
            stderr.finish();
            deliver(() -> flush(listener));
        }
    }

    /** Says to a listener that is a {@link Flushable} that the last line was the last for now. */
    static void flush(Consumer<OutputLine> listener) {
        if (listener instanceof Flushable flushed) {
            try {
                flushed.flush();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

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
        if (stdout.cut() || stderr.cut()) {
            all.add(MpiFinding.OUTPUT_CUT.of());
        }
        if (diagnoser != null) {
            diagnoser.finish().stream()
                    .map(Diagnosis::toFinding)
                    .filter(finding -> !finding.code().equals(NODE_LOST)
                            || failures.stream().noneMatch(LaunchFailure::endedEarly))
                    .map(this::namingArguments)
                    .forEach(all::add);
        }
        return all;
    }

    /** A finding about an option that the launcher does not know names the option as the user of the job gave it. */
    private Finding namingArguments(Finding finding) {
        Matcher unknown = UNKNOWN_OPTION.matcher(finding.message());
        return jobArguments.stream()
                .filter(word -> unknown.matches()
                        && word.replaceFirst("^-+", "").replaceFirst("=.*", "").equals(unknown.group(2)))
                .findFirst()
                .map(word -> new Finding(
                        finding.code(),
                        finding.severity(),
                        finding.path(),
                        unknown.group(1) + word + ", which the job gives it by --launcher-arg (launcherArguments())",
                        "remove --launcher-arg=" + word + ", or " + finding.remedy()))
                .orElse(finding);
    }

    public synchronized List<LaunchFailure> failures() {
        return List.copyOf(failures);
    }

    /** The time at which the first node was reported as not reached, by {@link WaitTime#RUNNING}. */
    public synchronized OptionalLong firstFailureNanos() {
        return failures.isEmpty() ? OptionalLong.empty() : OptionalLong.of(firstFailureNanos);
    }

    /** Notes that a node was not reached, or was lost. */
    public synchronized void failed(LaunchFailure failure) {
        if (failures.isEmpty()) {
            firstFailureNanos = WaitTime.RUNNING.nanos();
        }
        if (failures.size() < mostFailures) {
            failures.add(failure);
        }
    }

    /** Notes that a helper of the launcher ended by itself, with an error. */
    public synchronized void helperEnded(String host, int status) {
        failed(new LaunchFailure(
                host, status, rankEnds.known() > 0 || !rankEnds.bindings().isEmpty()));
    }

    /** Notes that the launcher said something that is not understood. */
    public synchronized void refuse(String text) {
        refused = Optional.of(text);
    }

    public synchronized Optional<String> refused() {
        return refused;
    }

    /** The ranks that failed, as the agents and the launcher report. */
    public synchronized List<RankFailure> rankFailures() {
        return rankEnds.failures(failedByItself(), rankFailures.found(), rankFailures.abortStatuses());
    }

    private Optional<RankFailure> failedByItself() {
        return rankFailures
                .aborted()
                .or(() -> rankFailures
                        .crashed()
                        .filter(failure -> !rankEnds.succeeded(failure.rank().orElseThrow())));
    }

    /** The lowest byte of what the first rank that called {@code MPI_Abort} gave. */
    public synchronized OptionalInt abortStatus() {
        return rankFailures.aborted().stream()
                .mapToInt(failure -> Objects.requireNonNull(
                        rankFailures.abortStatuses().get(failure.rank().orElseThrow())))
                .findFirst();
    }

    /** The time at which the first failed rank was reported, by {@link WaitTime#RUNNING}. */
    public synchronized OptionalLong rankFailedNanos() {
        OptionalLong reported = rankEnds.firstFailureNanos();
        return reported.isPresent() || rankFailures.aborted().isEmpty() ? reported : OptionalLong.of(abortedNanos);
    }

    /** Whether a rank reported its failure, itself or through its agent. */
    public synchronized boolean rankReported() {
        return rankFailedNanos().isPresent() || failedByItself().isPresent();
    }

    /** The time of the last output, by {@link WaitTime#RUNNING}. */
    public synchronized long lastNanos() {
        return lastNanos;
    }

    /** The ends of ranks as the agents report them. */
    public RankEnds rankEnds() {
        return rankEnds;
    }

    /** Whether a line of a launcher without rank says nothing that its reader could act on. */
    static boolean isHarmless(String text) {
        return (text.startsWith("[") || text.startsWith("srun: "))
                && HARMLESS.matcher(text).matches();
    }

    /** Reads what the program that a launcher calls instead of ssh reports of this job; empty for any other line. */
    static Optional<LaunchFailure> unreached(JobFolder folder, String line) {
        if (!line.contains(REPORT)) {
            return Optional.empty();
        }
        Matcher parts = UNREACHED.matcher(line.strip());
        return parts.matches() && parts.group(1).equals(folder.token())
                ? Optional.of(new LaunchFailure(
                        parts.group(2),
                        Integer.parseInt(parts.group(3)),
                        parts.group(4).equals("yes"),
                        parts.group(5) == null ? "" : parts.group(5)))
                : Optional.empty();
    }

    private void line(Stream from, OptionalInt rank, byte[] bytes) {
        Line read = new Line(0, bytes, true);
        if (isEnding() && read.latin().strip().equals("Terminated")) {
            return;
        }
        int codes = RankFailures.codesAfterOutput(read);
        if (codes > 0) {
            line(from, rank, Arrays.copyOf(bytes, codes));
            line(from, OptionalInt.empty(), Arrays.copyOfRange(bytes, codes, bytes.length));
            return;
        }
        OutputLine line = new OutputLine(from, rank, bytes);
        synchronized (this) {
            if (isConsumed(line, read)) {
                return;
            }
            tail.keep(line);
        }
        if (files != null) {
            files.write(line);
        }
        deliver(() -> listener.accept(line));
    }

    private synchronized boolean isEnding() {
        return ending;
    }

    /** Reads what a line tells; a defect of a reader must not cost the line. */
    private boolean isConsumed(OutputLine line, Line read) {
        try {
            if (RankFailures.maySpeakOfItself(read) && rankFailures.readOwn(line)) {
                abortedNanos = WaitTime.RUNNING.nanos();
            }
            if (line.rank().isEmpty() && isText(read) && isConsumed(read.text())) {
                return true;
            }
            if (diagnoser == null) {
                diagnoser = new Diagnoser();
            }
            diagnoser.accept(line.bytes());
        } catch (RuntimeException | Error e) {
            LOG.debug("a line of job {} could not be explained", folder.token(), e);
        }
        return false;
    }

    /** Reads a line without rank; true for a line that only this library asked for, or that says nothing to its reader. */
    private boolean isConsumed(String text) {
        if (isHarmless(text)) {
            return true;
        }
        Optional<LaunchFailure> report = unreached(folder, text);
        if (report.isPresent()) {
            if (report.get().endedEarly()) {
                helperEnded(report.get().host(), report.get().status());
            } else {
                failed(report.get());
            }
            return true;
        }
        if (rankFailures.accept(text)) {
            return true;
        }
        readLauncherLine(text);
        return false;
    }

    /** Whether a line may be a launcher's: a control character shows that it is not. */
    static boolean isText(Line line) {
        byte[] bytes = line.bytes();
        for (int i = 0; i < bytes.length - 1; i++) {
            byte one = bytes[i];
            if (one >= 0 && one < ' ' && one != '\t' && one != '\r' && one != ESCAPE) {
                return false;
            }
        }
        return true;
    }

    /** The launcher's own lines about nodes and tasks stay in the output. */
    private void readLauncherLine(String text) {
        launcher.failure(text).ifPresent(this::failed);
        if (notStarted == null) {
            notStarted = launcher.refusal(text).orElse(null);
        }
    }

    private void deliver(Runnable delivery) {
        if (!delivering) {
            return;
        }
        try {
            delivery.run();
        } catch (RuntimeException | Error e) {
            delivering = false;
            LOG.debug("the output listener of job {} failed and gets no more lines", folder.token(), e);
        }
    }

    /** The last 200 lines of an output, each cut after 2,000 characters. Not safe for several threads. */
    static final class OutputTail {
        private static final int LINES = 200;
        private static final int LENGTH = 2000;

        private final Deque<OutputLine> kept = new ArrayDeque<>();

        void keep(OutputLine line) {
            kept.addLast(line.length() <= LENGTH ? line : shortened(line));
            if (kept.size() > LINES) {
                kept.removeFirst();
            }
        }

        private static OutputLine shortened(OutputLine line) {
            // No character has more than four bytes.
            byte[] start = Arrays.copyOf(line.bytes(), Math.min(line.length(), 4 * LENGTH));
            String text = new OutputLine(line.stream(), line.rank(), start).text();
            return text.length() <= LENGTH
                    ? line
                    : new OutputLine(line.stream(), line.rank(), text.substring(0, LENGTH) + "...");
        }

        List<OutputLine> lines() {
            return List.copyOf(kept);
        }
    }
}
