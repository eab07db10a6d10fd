package io.clusterwright.mpi.internal.agent;

import io.clusterwright.core.internal.concurrent.Tasks;
import io.clusterwright.core.internal.concurrent.Threads;
import io.clusterwright.core.internal.concurrent.WaitTime;
import io.clusterwright.core.type.ClusterwrightException;
import io.clusterwright.core.type.NodeName;
import io.clusterwright.mpi.spi.LaunchNode;
import io.clusterwright.mpi.spi.LaunchRequest;
import io.clusterwright.mpi.spi.NodeTarget;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Recognises ranks of MPICH that wait for each other in MPI_Finalize for ever: one sleeps in its last barrier, with bytes unread that
 * another waits to be answered. Everything has to hold in four looks in a row, 4 s apart, without output:
 *
 * <ul>
 *   <li>every rank that has not ended is seen, and either sleeps in a read of its PMI socket or runs
 *   <li>a sleeping one did not run at all, and at least one has unread bytes on a TCP connection, always as many
 *   <li>a running one reads, writes and maps nothing and is in the kernel for a good part of its time, as one that polls its connections is
 *       and one that computes is not
 * </ul>
 */
public final class FinalizeWatch {
    private static final Pattern DOES =
            Pattern.compile("clusterwright-does (\\S+) (waits|runs|other) (\\d{1,18}) (\\d{1,18}) (\\d{1,18}) (\\S+)");
    private static final Duration SOON = Duration.ofSeconds(4);
    private static final Duration LATER = Duration.ofSeconds(60);
    private static final Duration ANSWER = Duration.ofSeconds(10);
    private static final int AT_ONCE = 16;
    private static final int LOOKS = 3;
    /** Of the time of a rank that polls over UCX and TCP, half is the kernel's. */
    private static final double POLLING = 0.15;

    private final NodeTarget target;
    private final LaunchRequest request;
    private final Judge judge = new Judge();
    private Duration pause = SOON;
    private long nextNanos = WaitTime.RUNNING.nanos() + SOON.toNanos();
    private boolean looking;
    private boolean stuck;

    public FinalizeWatch(NodeTarget target, LaunchRequest request) {
        this.target = target;
        this.request = request;
    }

    /**
     * Whether the ranks that remain are stuck; begins another look when it is time. Never waits.
     *
     * @param quietSince the time of the last output, by {@link WaitTime#RUNNING}
     * @param ended the number of ranks that have ended
     */
    public synchronized boolean stuck(long quietSince, int ended) {
        long now = WaitTime.RUNNING.nanos();
        if (!stuck && !looking && now - nextNanos >= 0 && now - quietSince >= SOON.toNanos()) {
            looking = true;
            Threads.start("finalize-" + request.folder().token(), () -> check(quietSince, ended));
        }
        return stuck;
    }

    private void check(long quietSince, int ended) {
        boolean found = false;
        try {
            found = judge.stuck(seen(), request.ranks() - ended, quietSince);
        } finally {
            synchronized (this) {
                stuck = found;
                Duration twice = pause.multipliedBy(2);
                pause = judge.suspects() ? SOON : twice.compareTo(LATER) < 0 ? twice : LATER;
                nextNanos = WaitTime.RUNNING.nanos() + pause.toNanos();
                looking = false;
            }
        }
    }

    /** The ranks of all nodes; none when a node did not answer. */
    private Map<String, Rank> seen() {
        List<NodeName> nodes =
                request.usedNodes().stream().map(LaunchNode::name).toList();
        List<Optional<List<String>>> answers =
                Tasks.each("look at ranks", AT_ONCE, ANSWER, nodes, this::ask, (node, cause) -> Optional.empty());
        Map<String, Rank> seen = new HashMap<>();
        for (int i = 0; i < nodes.size() && answers.stream().allMatch(Optional::isPresent); i++) {
            String node = nodes.get(i).value();
            answers.get(i).orElseThrow().forEach(line -> read(node, line, seen));
        }
        return seen;
    }

    private Optional<List<String>> ask(NodeName node) {
        NodeAgent agent = NodeAgents.of(target.session(node)).take();
        try {
            return agent.ranks(request.folder(), ANSWER);
        } catch (ClusterwrightException e) {
            return Optional.empty();
        } finally {
            agent.giveBack();
        }
    }

    static void read(String node, String line, Map<String, Rank> seen) {
        Matcher does = DOES.matcher(line);
        if (does.matches()) {
            seen.put(
                    node + " " + does.group(1),
                    new Rank(
                            does.group(2),
                            Long.parseLong(does.group(3)),
                            Long.parseLong(does.group(4)),
                            Long.parseLong(does.group(5)),
                            does.group(6)));
        }
    }

    /** Compares each look with the one before. */
    static final class Judge {
        private Map<String, Rank> last = Map.of();
        private long lastQuiet;
        private int inRow;

        /** Whether enough looks in a row, this one among them, showed ranks that are stuck. */
        boolean stuck(Map<String, Rank> seen, int expected, long quietSince) {
            boolean again = seen.size() == expected
                    && quietSince == lastQuiet
                    && seen.values().stream().anyMatch(rank -> rank.does.equals("waits") && rank.unread > 0)
                    && seen.entrySet().stream().allMatch(rank -> goesNowhere(last.get(rank.getKey()), rank.getValue()));
            inRow = again ? inRow + 1 : 0;
            last = new HashMap<>(seen);
            lastQuiet = quietSince;
            return inRow >= LOOKS;
        }

        private static boolean goesNowhere(@Nullable Rank before, Rank now) {
            return before != null && now.goesNowhere(before);
        }

        /** Whether the next look should come soon. */
        boolean suspects() {
            return last.values().stream().anyMatch(rank -> rank.does.equals("waits") && rank.unread > 0);
        }
    }

    /**
     * A rank in one look.
     *
     * @param program its time in the program, in ticks
     * @param kernel its time in the kernel, in ticks
     * @param moved what it has read, written and mapped
     */
    record Rank(String does, long unread, long program, long kernel, String moved) {
        private boolean goesNowhere(Rank before) {
            long ran = program + kernel - before.program - before.kernel;
            return switch (does) {
                case "waits" -> before.does.equals("waits") && ran == 0 && unread == before.unread;
                case "runs" -> ran > 0 && moved.equals(before.moved) && kernel - before.kernel >= POLLING * ran;
                default -> false;
            };
        }
    }
}
