package io.clusterwright.mpi.internal.agent;

import io.clusterwright.core.NodeSession;
import io.clusterwright.core.RunningCommand.OutputListener;
import io.clusterwright.core.RunningCommand.OutputListener.Stream;
import io.clusterwright.core.internal.concurrent.Deadline;
import io.clusterwright.core.internal.concurrent.WaitTime;
import io.clusterwright.core.internal.session.BrokenConnection;
import io.clusterwright.core.internal.session.HeldProcess;
import io.clusterwright.core.internal.text.LineSplitter;
import io.clusterwright.core.type.ClusterwrightException;
import io.clusterwright.core.type.NodeName;
import io.clusterwright.mpi.internal.explain.JobOutput;
import io.clusterwright.mpi.internal.explain.RankEnds;
import io.clusterwright.mpi.job.Leftovers;
import io.clusterwright.mpi.spi.JobFolder;
import io.clusterwright.mpi.spi.LaunchCommand;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A process on a node that does one job's part after another: runs a proxy, counts remaining processes. It stays when
 * the job is over, since
 * a new process for each job costs more than all it does. One user at a time.
 */
public final class NodeAgent {
    private static final Pattern ENDED = Pattern.compile("clusterwright-ended (\\d{1,9})");
    private static final Pattern PLACE = Pattern.compile(
            "clusterwright-place (\\d{1,9}) (" + RankEnds.NUMBERS + ")((?: \\d{1,9}=(?:" + RankEnds.NUMBERS + ")?)*+)");
    private static final Pattern RANK = Pattern.compile("clusterwright-rank (\\d{1,9}) (\\d{1,3})");
    private static final int MOST_RANKS = 10_000;
    private static final int LONGEST_LINE = 1000;
    private static final SecureRandom RANDOM = new SecureRandom();
    private static final Duration SLICE = Duration.ofMillis(50);

    private final NodeAgents origin;
    private volatile AgentTask work = new AgentTask(true, text -> {}, (rank, status) -> {});
    private final LineSplitter stdout = new LineSplitter(line -> work.readLine(line.text()));
    private final LineSplitter stderr = new LineSplitter(line -> work.complaints.accept(line.text()));
    private final HeldProcess process;

    NodeAgent(NodeSession session, NodeAgents origin) {
        this.origin = origin;
        this.process = new HeldProcess(session, UnaryOperator.identity(), false, WatchdogScript.AGENT, this::passOn);
    }

    /** Opens a broken connection again over these sessions until it is given back: meanwhile there is no {@link #status}. */
    void keep(Supplier<NodeSession> over) {
        process.keep(over);
    }

    /** Whether its connection is broken now, and being opened again. */
    public boolean isBroken() {
        return broken().isPresent();
    }

    /** The time at which its connection broke, by {@link WaitTime#RUNNING}; empty while it is in order. */
    public OptionalLong brokenNanos() {
        return broken().stream().mapToLong(BrokenConnection::sinceNanos).findAny();
    }

    /** The break of its connection; empty while that is in order. */
    Optional<BrokenConnection> broken() {
        return process.broken();
    }

    private void passOn(Stream stream, byte[] bytes, int length) {
        LauncherOutput launcher = work.launcher;
        byte[] own = launcher == null ? bytes : launcher.feed(stream, bytes, length);
        int size = launcher == null ? length : own.length;
        (stream == Stream.STDERR ? stderr : stdout).feed(own, size);
    }

    /** Runs the launcher of a job, whose output is passed on as it comes; its end is the {@link #status}. */
    public void launch(JobFolder folder, LaunchCommand command, OutputListener output) {
        byte[] random = new byte[16];
        RANDOM.nextBytes(random);
        String secret = HexFormat.of().formatHex(random);
        AgentTask launch = new AgentTask(false, text -> {}, (rank, status) -> {});
        launch.launcher = new LauncherOutput(secret, output, launch.ended::complete);
        work = launch;
        send(WatchdogScript.launch(folder, command, secret));
    }

    /** Counts what the launcher left that it ran last. */
    public void countAfterLaunch(JobFolder folder) {
        begin(new AgentTask(true, text -> {}, (rank, status) -> {}), "look", folder, List.of());
    }

    /** Runs a program, whose words hold nothing that a shell would change; its complaints and the ends of ranks are passed on. */
    void run(JobFolder folder, List<String> program, Consumer<String> complaints, RankListener ranks) {
        begin(new AgentTask(false, complaints, ranks), "run", folder, program);
    }

    /** The same, and counts in the end what the program left. */
    void runAndCount(JobFolder folder, List<String> program, Consumer<String> complaints, RankListener ranks) {
        begin(new AgentTask(true, complaints, ranks), "prove", folder, program);
    }

    /** The activity of a job's ranks on the node; empty without an answer in time. */
    Optional<List<String>> ranks(JobFolder folder, Duration limit) {
        List<String> lines = new CopyOnWriteArrayList<>();
        Consumer<String> bounded = line -> {
            if (line.length() < LONGEST_LINE && lines.size() < MOST_RANKS) {
                lines.add(line);
            }
        };
        work = new AgentTask(false, bounded, (rank, status) -> {});
        send("ranks " + folder.token() + "\n");
        return status(limit).isPresent() ? Optional.of(lines) : Optional.empty();
    }

    /** Runs lines of shell that prepare a job, with all they write closed to others; the end is its {@link #status}. */
    public void shell(JobFolder folder, String text, Consumer<String> complaints) {
        work = new AgentTask(false, complaints, (rank, status) -> {});
        long lines = 1 + text.chars().filter(c -> c == '\n').count();
        send("shell " + folder.token() + " " + lines + "\n" + text + "\n");
    }

    /** Stands beside what others start on the node until it is asked to count; passes on the ends of ranks. */
    void watch(JobFolder folder, RankListener ranks) {
        begin(new AgentTask(true, text -> {}, ranks), "alone", folder, List.of());
    }

    /** Whether it does so; anything that starts later is newer than what it knows. */
    boolean isWatching(Duration limit) {
        return await(work.watching, limit).isPresent();
    }

    /** Counts what runs of a job. */
    void count(JobFolder folder) {
        begin(new AgentTask(true, text -> {}, (rank, status) -> {}), "count", folder, List.of());
    }

    /** Counts what runs of the job beside which it stands. */
    void countWatched(boolean watchedFromStart) {
        send(watchedFromStart ? "look\n" : "count\n");
    }

    private void begin(AgentTask next, String what, JobFolder folder, List<String> program) {
        work = next;
        send(what + " " + folder.token() + " " + String.join(" ", program) + "\n");
    }

    private void send(String line) {
        process.send(line.getBytes(StandardCharsets.UTF_8));
    }

    /**
     * The exit status of the program, or of the agent itself.
     *
     * @throws io.clusterwright.core.NodeUnreachableException when the connection broke for good and the status is not known
     */
    public OptionalInt status(Duration limit) {
        return await(work.ended, limit).map(OptionalInt::of).orElseGet(() -> process.await(Duration.ZERO));
    }

    /** The counted processes; empty when that did not come in time, or never will. Waits for the end of work that is not counted. */
    public Optional<Leftovers> leftovers(Duration limit) {
        AgentTask last = work;
        try {
            if (!last.counted) {
                await(last.ended, limit);
                return Optional.empty();
            }
            return await(last.answer, limit);
        } catch (ClusterwrightException e) {
            return Optional.empty();
        }
    }

    private <T> Optional<T> await(CompletableFuture<T> future, Duration limit) {
        Deadline deadline = Deadline.in("answer of the agent", limit);
        while (!future.isDone()
                && !deadline.passed()
                && process.await(Duration.ZERO).isEmpty()) {
            try {
                return Optional.of(WaitTime.get(future, deadline.remaining(SLICE)));
            } catch (TimeoutException e) {
                continue;
            } catch (ExecutionException e) {
                throw new IllegalStateException("nothing here fails", e);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                break;
            }
        }
        return Optional.ofNullable(future.getNow(null));
    }

    /** Whether it could do another job's part now. */
    boolean ready() {
        try {
            AgentTask last = work;
            return (last.counted ? last.answer : last.ended).isDone()
                    && !isBroken()
                    && process.await(Duration.ZERO).isEmpty();
        } catch (ClusterwrightException e) {
            return false;
        }
    }

    /** Ends what it runs, and itself: first asked, after the grace forced. */
    public void cancel(Duration grace) {
        process.cancel(grace);
    }

    /** Gives it back, for other jobs if it has done all it was asked for. */
    public void giveBack() {
        if (ready()) {
            process.settle();
        }
        origin.giveBack(this);
    }

    /** Lets it go; what runs of a job is ended then. */
    public void dismiss() {
        process.dismiss();
    }

    /** Waits for it to be gone. */
    void awaitGone(Duration limit) {
        try {
            process.await(limit);
        } catch (ClusterwrightException e) {
            // It is gone with its connection.
        }
    }

    private static final class AgentTask {
        private final CompletableFuture<Integer> ended = new CompletableFuture<>();
        private final CompletableFuture<Leftovers> answer = new CompletableFuture<>();
        private final CompletableFuture<Boolean> watching = new CompletableFuture<>();
        private final boolean counted;
        private final Consumer<String> complaints;
        private final RankListener ranks;
        private volatile @Nullable LauncherOutput launcher;

        AgentTask(boolean counted, Consumer<String> complaints, RankListener ranks) {
            this.counted = counted;
            this.complaints = complaints;
            this.ranks = ranks;
        }

        void readLine(String line) {
            Matcher end = ENDED.matcher(line);
            Matcher rank = RANK.matcher(line);
            Matcher place = PLACE.matcher(line);
            if (end.matches()) {
                ended.complete(Integer.valueOf(end.group(1)));
            } else if (rank.matches()) {
                ranks.ended(Integer.parseInt(rank.group(1)), Integer.parseInt(rank.group(2)));
            } else if (place.matches()) {
                ranks.placed(
                        Integer.parseInt(place.group(1)),
                        place.group(2),
                        place.group(3).strip());
            } else if (line.equals("clusterwright-standing")) {
                watching.complete(true);
            } else {
                WatchdogScript.leftovers(line).ifPresentOrElse(answer::complete, () -> complaints.accept(line));
            }
        }
    }

    /** Passes what ranks on a node report to the output of their job. */
    static RankListener reporting(JobOutput output, NodeName node) {
        return new RankListener() {
            @Override
            public void ended(int rank, int status) {
                output.rankEnds().ended(node, rank, status);
            }

            @Override
            public void placed(int rank, String cpus, String domains) {
                output.rankEnds().placed(node, rank, cpus, domains);
            }
        };
    }

    /** Gets the places and ends of ranks on the node. */
    @FunctionalInterface
    interface RankListener {
        /**
         * Called when a rank ended.
         *
         * @param status its exit status, or 128 and the number of the signal that ended it
         */
        void ended(int rank, int status);

        /**
         * Called when a rank started.
         *
         * @param cpus the processors that it may use, as a list of Linux
         * @param domains the processors of each NUMA domain, as {@code 0=0-3 1=4-7}
         */
        default void placed(int rank, String cpus, String domains) {}
    }
}
