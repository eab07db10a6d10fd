package io.clusterwright.mpi.internal.explain;

import io.clusterwright.core.internal.concurrent.WaitTime;
import io.clusterwright.core.type.NodeName;
import io.clusterwright.mpi.job.RankBinding;
import io.clusterwright.mpi.job.RankFailure;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The places and the ends of a job's ranks, as the agents of their nodes report them. {@code NodeEngine} makes the status of the first rank that failed the
 * job's. Safe for use by several threads.
 */
public final class RankEnds {
    /** A list of numbers such as {@code 0-3,8}, each of at most six digits, as a regular expression. */
    public static final String NUMBERS = "\\d{1,6}(?:-\\d{1,6})?(?:,\\d{1,6}(?:-\\d{1,6})?)*+";

    private static final int SIGNALLED = 128;
    private static final int LAST_SIGNAL = 64;
    private static final int ABORTED = SIGNALLED + 6;
    /** SIGKILL and SIGTERM, by which launchers end the others after the first rank that failed. */
    private static final Set<Integer> ENDED_BY_LAUNCHER = Set.of(SIGNALLED + 9, SIGNALLED + 15);

    private final int ranks;
    private final Map<Integer, End> ends = new LinkedHashMap<>();
    private final Map<Integer, RankBinding> bindings = new TreeMap<>();

    /** @param ranks the number of ranks of the job; a report of another rank, which any rank can write, is ignored */
    public RankEnds(int ranks) {
        this.ranks = ranks;
    }

    /** Notes that a rank ended with this status, which is 128 and its number for a signal. */
    public synchronized void ended(NodeName node, int rank, int status) {
        if (rank < ranks) {
            ends.putIfAbsent(rank, new End(rank, node.value(), status, WaitTime.RUNNING.nanos()));
        }
    }

    /**
     * Notes that a rank started on these processors.
     *
     * @param domains the processors of each NUMA domain of the node, as {@code 0=0-3 1=4-7}
     */
    public synchronized void placed(NodeName node, int rank, String cpus, String domains) {
        if (rank >= ranks) {
            return;
        }
        BitSet allowed = numbers(cpus);
        String numa = Stream.of(domains.split(" "))
                .map(domain -> domain.split("=", 2))
                .filter(domain -> domain.length == 2 && numbers(domain[1]).intersects(allowed))
                .map(domain -> Integer.valueOf(domain[0]))
                .sorted()
                .map(String::valueOf)
                .collect(Collectors.joining(","));
        bindings.putIfAbsent(rank, new RankBinding(rank, node, cpus, numa));
    }

    /** The numbers of a list such as {@code 0-3,8}. */
    static BitSet numbers(String list) {
        BitSet all = new BitSet();
        for (String part : list.split(",")) {
            String[] ends = part.split("-", 2);
            if (!ends[0].isEmpty()) {
                int first = Integer.parseInt(ends[0]);
                all.set(first, Math.max(first, Integer.parseInt(ends[ends.length - 1]) + 1));
            }
        }
        return all;
    }

    /** The processors of the ranks that reported them, in the order of the ranks. */
    public synchronized List<RankBinding> bindings() {
        return List.copyOf(bindings.values());
    }

    /** The time at which the first failed rank was reported, by {@link WaitTime#RUNNING}. */
    public synchronized OptionalLong firstFailureNanos() {
        return failed().mapToLong(End::nanos).findFirst();
    }

    /** The time at which the last rank was reported to have ended with status 0, when all did. */
    public synchronized OptionalLong allSucceededNanos() {
        return ends.size() == ranks && failed().findAny().isEmpty()
                ? ends.values().stream().mapToLong(End::nanos).max()
                : OptionalLong.empty();
    }

    /** Whether a rank was reported to have ended with status 0. */
    synchronized boolean succeeded(int rank) {
        End end = ends.get(rank);
        return end != null && end.status == 0;
    }

    /** The number of ranks whose end is known. */
    public synchronized int known() {
        return ends.size();
    }

    /** Whether the end of every rank is known. */
    public synchronized boolean all() {
        return ends.size() == ranks;
    }

    /**
     * The failed ranks, the first to fail before all others: the one that said so itself, or the first that was reported and that no launcher
     * ended, or the launcher's own word, or the first that was reported. An error of MPI that is fatal is often that another rank is gone.
     *
     * @param statuses the statuses that ranks gave when they aborted, which count more than SIGABRT
     */
    synchronized List<RankFailure> failures(
            Optional<RankFailure> itself, List<RankFailure> told, Map<Integer, Integer> statuses) {
        List<RankFailure> reported = failed().map(end -> end.failure(statuses)).toList();
        List<RankFailure> all = new ArrayList<>();
        itself.or(() -> failed().filter(End::byItself)
                        .min(Comparator.comparing(end -> end.isConsequence(statuses)))
                        .map(end -> end.failure(statuses)))
                .or(() -> told.stream().filter(RankFailure::first).findFirst())
                .or(() -> reported.stream().findFirst())
                .ifPresent(first ->
                        all.add(new RankFailure(first.rank(), first.host(), first.exitStatus(), first.signal(), true)));
        Known known = new Known();
        all.forEach(known::add);
        Stream.concat(reported.stream(), told.stream())
                .filter(known::add)
                .forEach(failure -> all.add(new RankFailure(
                        failure.rank(), failure.host(), failure.exitStatus(), failure.signal(), false)));
        return all;
    }

    /** Tells whether two reports are of one rank: they name the same, or, where one names none, the same host. */
    private static final class Known {
        private final Set<Integer> ranks = new HashSet<>();
        private final Set<String> hosts = new HashSet<>();
        private final Set<String> hostsWithoutRank = new HashSet<>();

        /** Adds a failure, unless it is known already. */
        boolean add(RankFailure failure) {
            OptionalInt rank = failure.rank();
            boolean known = rank.isPresent()
                    ? hostsWithoutRank.contains(failure.host()) || ranks.contains(rank.getAsInt())
                    : hosts.contains(failure.host());
            if (known) {
                return false;
            }
            hosts.add(failure.host());
            rank.ifPresentOrElse(ranks::add, () -> hostsWithoutRank.add(failure.host()));
            return true;
        }
    }

    private Stream<End> failed() {
        return ends.values().stream().filter(end -> end.status != 0);
    }

    private record End(int rank, String node, int status, long nanos) {

        private boolean aborted() {
            return status == ABORTED;
        }

        /** Whether the rank said that it aborts: often another rank was gone. */
        private boolean isConsequence(Map<Integer, Integer> statuses) {
            return statuses.containsKey(rank) && (aborted() || statuses.getOrDefault(rank, 0) == status);
        }

        private boolean byItself() {
            return !ENDED_BY_LAUNCHER.contains(status);
        }

        private RankFailure failure(Map<Integer, Integer> statuses) {
            int given = aborted() ? statuses.getOrDefault(rank, status) : status;
            int signal = given - SIGNALLED;
            boolean signalled = signal > 0 && signal <= LAST_SIGNAL;
            return new RankFailure(
                    OptionalInt.of(rank),
                    node,
                    signalled || given == 0 ? OptionalInt.empty() : OptionalInt.of(given),
                    signalled ? OptionalInt.of(signal) : OptionalInt.empty(),
                    false);
        }
    }
}
