package io.clusterwright.mpi.internal.explain;

import io.clusterwright.core.internal.text.LineSplitter.Line;
import io.clusterwright.core.plan.Finding;
import io.clusterwright.mpi.internal.finding.MpiFinding;
import io.clusterwright.mpi.job.OutputLine;
import io.clusterwright.mpi.job.RankFailure;
import io.clusterwright.mpi.spi.LaunchNode;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Reads what launchers say about ranks that failed: Hydra's exit codes of all ranks and its block about the first that ended
 * badly, Open MPI's sentence about it, srun's lines about tasks. Fed with the lines that no rank wrote. {@link RankEnds}
 * joins this with what the agents report, and {@code NodeEngine} makes the status of the first rank that failed the job's.
 */
public final class RankFailures {
    private static final String CODES_START = "[mpiexec@";
    private static final Pattern CODES = Pattern.compile("\\[mpiexec@\\S+] Exit codes: (\\[.+)");
    private static final Pattern CODES_OF_HOST = Pattern.compile("\\[([^\\s\\]]+)] (\\d{1,9}(?:,\\d{1,9})*+),?\\s*");
    private static final String BLOCK = "=   BAD TERMINATION OF ONE OF YOUR APPLICATION PROCESSES";
    private static final Pattern BLOCK_RANK = Pattern.compile("=   (?:RANK (\\d{1,9}) )?PID \\d+ RUNNING AT (\\S+).*");
    private static final Pattern BLOCK_CODE = Pattern.compile("=   EXIT (?:CODE|STATUS): (\\d{1,9})\\b.*");
    private static final Pattern BLOCK_SIGNAL = Pattern.compile("=   KILLED BY SIGNAL: (\\d{1,9})\\b.*");
    private static final Pattern EXIT_STRING =
            Pattern.compile("YOUR APPLICATION TERMINATED WITH THE EXIT STRING: .*\\(signal (\\d{1,9})\\)");
    private static final Pattern OPEN_MPI_SIGNAL = Pattern.compile(
            ".*noticed that process rank (\\d{1,9})(?: with PID \\d+)?(?: on node (\\S+))? exited on signal (\\d{1,9})\\b.*");
    private static final Pattern OPEN_MPI_STATUS =
            Pattern.compile(".*Process name: \\[(?:\\[\\d+,\\d+]|[^,\\]\\s]+),(\\d{1,9})] Exit code: (\\d{1,9})\\b.*");
    private static final Pattern MPICH_ABORT = Pattern.compile(
            "Abort\\((-?\\d{1,10})\\) on node (\\d+)(?: \\(rank \\d+ in comm [^)]*\\))?: (application called MPI_Abort\\()?.*");
    private static final Pattern OPEN_MPI_ABORT =
            Pattern.compile("MPI_ABORT was invoked on rank (\\d+) in communicator MPI_COMM_WORLD.*");
    private static final Pattern OPEN_MPI_ABORT_CODE = Pattern.compile("with errorcode (-?\\d{1,10})\\..*");
    /** UCX takes its time to print where a rank crashed before that ends. */
    private static final Pattern UCX_CRASH =
            Pattern.compile("\\[\\S+:\\d+ *:\\d+:\\d+] Caught signal (\\d{1,2}) \\(.*");

    private static final Pattern SRUN_TASKS =
            Pattern.compile("srun: error: (\\S+): tasks? (" + RankEnds.NUMBERS + "): (.+)");
    private static final Pattern SRUN_STATUS = Pattern.compile("Exited with exit code (\\d{1,3})");
    /** The C library's words for signals, by their numbers. */
    private static final Map<String, Integer> SIGNALS = Map.of(
            "Hangup",
            1,
            "Interrupt",
            2,
            "Quit",
            3,
            "Illegal instruction",
            4,
            "Aborted",
            6,
            "Bus error",
            7,
            "Floating point exception",
            8,
            "Killed",
            9,
            "Segmentation fault",
            11,
            "Terminated",
            15);

    /** Open MPI 5 ends a rank whose connection to another rank closed, with the status 14: the other rank failed first. */
    private static final Pattern OPEN_MPI_CLOSED =
            Pattern.compile("\\[\\S+] \\*{3} An error occurred in Socket closed");

    private static final int OPEN_MPI_CLOSED_STATUS = 14;
    private static final int OPEN_MPI_LINES = 4;
    private static final int BLOCK_LINES = 8;
    private static final int MOST_TASK_LINES = 1000;
    private static final int MOST_RANKS = 1_000_000;
    private static final int LAST_SIGNAL = 64;
    /** Stands for a number that is not known, while the report is being read. */
    static final int NONE = -1;

    private final RankPlacement placement;
    private final boolean bySrun;
    private final List<RankFailure> reported = new ArrayList<>();
    private final List<Tasks> tasks = new ArrayList<>();
    private final Map<String, int[]> codes = new LinkedHashMap<>();
    private final StringBuilder sentence = new StringBuilder();
    private final Map<Integer, Integer> abortStatuses = new HashMap<>();
    private Optional<RankFailure> aborted = Optional.empty();
    private Optional<RankFailure> crashed = Optional.empty();
    private int abortRank = NONE;
    private int sentenceLines;
    private int blockLines;
    private boolean inCodes;
    private boolean blockSeen;
    private int blockRank = NONE;
    private String blockHost = "";
    private int blockCode = NONE;
    private int blockSignal = NONE;

    /**
     * The failures of ranks at these places.
     *
     * @param bySrun whether srun starts the ranks; another launcher's ranks may print its words, as when they call it
     */
    RankFailures(RankPlacement placement, boolean bySrun) {
        this.placement = placement;
        this.bySrun = bySrun;
    }

    /** Takes a line; true when it is one that only this library asked for, and the caller does not need to see. */
    boolean accept(String line) {
        if (readCodes(line)) {
            return true;
        }
        readBlock(line);
        readSentence(line);
        if (bySrun) {
            readTasks(line);
        }
        return false;
    }

    /** The words of srun about tasks of one node that ended badly, such as {@code 2-3,5}. */
    private record Tasks(String node, String ranks, String words) {

        /** The numbers of the tasks. */
        BitSet each() {
            return RankEnds.numbers(ranks);
        }

        RankFailure failure(int rank, boolean first) {
            Matcher status = SRUN_STATUS.matcher(words);
            String signal = words.replaceFirst(" \\(core dumped\\)$", "");
            return RankFailures.failure(
                    rank,
                    node,
                    status.matches() ? Integer.parseInt(status.group(1)) : NONE,
                    SIGNALS.getOrDefault(signal, NONE),
                    first);
        }

        /** Whether srun may have ended these tasks after another one. */
        boolean mayFollow() {
            return words.equals("Killed") || words.equals("Terminated");
        }
    }

    private void readTasks(String line) {
        Matcher parts = SRUN_TASKS.matcher(line);
        if (parts.matches()
                && tasks.size() < MOST_TASK_LINES
                && placement.mayHold(RankEnds.numbers(parts.group(2)).length())) {
            tasks.add(new Tasks(parts.group(1), parts.group(2), parts.group(3)));
        }
    }

    /** The words of srun that tell of a cause, or its first words; empty where another launcher reported. */
    private Optional<Tasks> firstTasks() {
        return tasks.stream()
                .filter(each -> !each.mayFollow())
                .findFirst()
                .or(() -> tasks.stream().findFirst());
    }

    /** The finding about the rank that failed first, where srun reported. It kills all ranks when one calls MPI_Abort. */
    Optional<Finding> taskFailure() {
        return firstTasks()
                .map(first -> aborted.or(() -> crashed)
                        .map(this::finding)
                        .orElseGet(() -> MpiFinding.TASK_FAILED.of(
                                first.each().cardinality() == 1
                                        ? "rank " + first.ranks
                                        : "one of the ranks " + first.ranks,
                                first.node,
                                first.words)));
    }

    private Finding finding(RankFailure itself) {
        int rank = itself.rank().orElseThrow();
        String node = tasks.stream()
                .filter(each -> each.each().get(rank))
                .map(Tasks::node)
                .findFirst()
                .orElse(itself.host());
        String what = aborted.isEmpty()
                ? "signal " + itself.signal().orElseThrow()
                : "it called MPI_Abort"
                        + (itself.exitStatus().isPresent()
                                ? " with status " + itself.exitStatus().getAsInt()
                                : "");
        return MpiFinding.TASK_FAILED.of("rank " + rank, node, what);
    }

    /** The place in a line at which Hydra's exit codes follow an output that does not end with a line feed; 0 where they do not. */
    static int codesAfterOutput(Line line) {
        String text = line.latin();
        int at = text.contains(CODES_START) ? text.lastIndexOf(CODES_START) : 0;
        return at > 0 && CODES.matcher(text.substring(at).stripTrailing()).matches() ? at : 0;
    }

    /** Whether {@link #readOwn} needs to see a line, which takes little to ask. */
    static boolean maySpeakOfItself(Line line) {
        String text = line.latin();
        return text.startsWith("[")
                || text.startsWith("Abort(")
                || text.startsWith("MPI_ABORT was invoked")
                || text.startsWith("with errorcode ");
    }

    /**
     * Reads what a rank that aborts or crashes prints, or its launcher; a rank is believed about itself only. True when it is the first word of a
     * failure, and that rank called MPI_Abort.
     */
    boolean readOwn(OutputLine line) {
        readCrash(line);
        Matcher mpich = MPICH_ABORT.matcher(line.text());
        Matcher openMpi = OPEN_MPI_ABORT.matcher(line.text());
        Matcher code = OPEN_MPI_ABORT_CODE.matcher(line.text());
        if (line.rank().isPresent() && OPEN_MPI_CLOSED.matcher(line.text()).matches()) {
            abortStatuses.putIfAbsent(line.rank().getAsInt(), OPEN_MPI_CLOSED_STATUS);
        } else if (openMpi.matches()) {
            abortRank = rank(openMpi.group(1));
        } else if (code.matches() && abortRank != NONE) {
            return abort(line, abortRank, code.group(1), true);
        } else if (mpich.matches()) {
            return abort(line, rank(mpich.group(2)), mpich.group(1), mpich.group(3) != null);
        }
        return false;
    }

    private void readCrash(OutputLine line) {
        Matcher crash = UCX_CRASH.matcher(line.text());
        if (line.rank().isPresent() && aborted.isEmpty() && crashed.isEmpty() && crash.matches()) {
            int rank = line.rank().getAsInt();
            crashed = Optional.of(failure(rank, placement.nodeOf(rank), NONE, number(crash.group(1)), true));
        }
    }

    /** Of a code, a process can hand on the lowest byte only. True for the first call of MPI_Abort, not for other fatal errors. */
    private boolean abort(OutputLine line, int rank, String code, boolean called) {
        if (rank == NONE || line.rank().orElse(rank) != rank) {
            return false;
        }
        int status = (int) (Long.parseLong(code) & 0xff);
        abortStatuses.putIfAbsent(rank, status);
        if (!called || aborted.isPresent() || crashed.isPresent()) {
            return false;
        }
        aborted = Optional.of(failure(rank, placement.nodeOf(rank), status == 0 ? NONE : status, NONE, true));
        return true;
    }

    /** The statuses that ranks gave when they aborted, also after another rank was gone, by rank. */
    Map<Integer, Integer> abortStatuses() {
        return abortStatuses;
    }

    private static int number(String digits) {
        return digits.length() < 10 ? Integer.parseInt(digits) : NONE;
    }

    /** A rank; {@code NONE} where the job has no such rank, as output can name any. */
    private int rank(String digits) {
        int rank = number(digits);
        return rank != NONE && placement.mayHold(rank + 1) ? rank : NONE;
    }

    /** The rank that called {@code MPI_Abort}. */
    Optional<RankFailure> aborted() {
        return aborted;
    }

    /** The rank that said that it crashed, where that was the first word of a failure; it may not have ended yet. */
    Optional<RankFailure> crashed() {
        return crashed;
    }

    /** The known failures, the first failure before all others. */
    List<RankFailure> found() {
        List<RankFailure> all = new ArrayList<>(reported);
        firstTasks().ifPresent(first -> {
            boolean certain = first.each().cardinality() == 1;
            BitSet known = new BitSet();
            Stream.concat(Stream.of(first), tasks.stream().filter(each -> each != first))
                    .forEach(each -> {
                        BitSet others = each.each();
                        others.andNot(known);
                        known.or(others);
                        others.stream().forEach(rank -> all.add(each.failure(rank, certain && each == first)));
                    });
        });
        List<RankFailure> ranks = byCodes();
        if (ranks.size() == 1) {
            ranks.set(0, asFirst(ranks.get(0)));
        } else if (blockSeen) {
            List<RankFailure> candidates =
                    ranks.stream().filter(this::fitsBlock).toList();
            if (candidates.size() == 1) {
                ranks.remove(candidates.get(0));
                ranks.add(0, asFirst(candidates.get(0)));
            } else if (blockCode != NONE || blockSignal != NONE) {
                int rank = blockRank == NONE ? placement.onlyRank(blockHost) : blockRank;
                ranks.add(0, failure(rank, placement.nodeOf(blockHost), blockStatus(), blockSignal, true));
            }
        }
        all.addAll(ranks);
        return all;
    }

    private boolean readCodes(String line) {
        if (!inCodes && !line.startsWith(CODES_START)) {
            return false;
        }
        Matcher start = CODES.matcher(line);
        Matcher host = CODES_OF_HOST.matcher(start.matches() ? start.group(1) : line);
        inCodes = (start.matches() || inCodes) && host.matches();
        if (inCodes && (codes.containsKey(host.group(1)) || codes.size() < placement.nodes.size())) {
            codes.put(
                    host.group(1),
                    Pattern.compile(",")
                            .splitAsStream(host.group(2))
                            .mapToInt(Integer::parseInt)
                            .toArray());
        }
        return inCodes;
    }

    private void readBlock(String line) {
        if (blockSeen) {
            Matcher text = EXIT_STRING.matcher(line);
            if (text.matches()) {
                blockSignal = Integer.parseInt(text.group(1));
            }
        }
        if (line.startsWith(BLOCK) && !blockSeen) {
            blockSeen = true;
            blockLines = BLOCK_LINES;
        } else if (blockLines > 0) {
            blockLines--;
            Matcher rank = BLOCK_RANK.matcher(line);
            Matcher code = BLOCK_CODE.matcher(line);
            Matcher signal = BLOCK_SIGNAL.matcher(line);
            if (rank.matches()) {
                blockRank = rank.group(1) == null ? NONE : rank(rank.group(1));
                blockHost = rank.group(2);
            } else if (code.matches()) {
                blockCode = Integer.parseInt(code.group(1));
            } else if (signal.matches()) {
                blockSignal = Integer.parseInt(signal.group(1));
            }
        }
    }

    /** Open MPI breaks its sentences where its lines are full. */
    private void readSentence(String line) {
        if (!reported.isEmpty()) {
            return;
        }
        if (line.contains("noticed that process rank ") || line.contains("Process name: [")) {
            sentence.setLength(0);
            sentenceLines = OPEN_MPI_LINES;
        }
        if (sentenceLines == 0) {
            return;
        }
        sentenceLines--;
        sentence.append(line.strip()).append(' ');
        String folded = sentence.toString().replaceAll("\\s+", " ");
        Matcher signal = OPEN_MPI_SIGNAL.matcher(folded);
        Matcher status = OPEN_MPI_STATUS.matcher(folded);
        if (signal.matches() && rank(signal.group(1)) != NONE) {
            int rank = rank(signal.group(1));
            String host = signal.group(2) == null ? placement.nodeOf(rank) : placement.nodeOf(signal.group(2));
            reported.add(failure(rank, host, NONE, Integer.parseInt(signal.group(3)), true));
        } else if (status.matches() && rank(status.group(1)) != NONE) {
            int rank = rank(status.group(1));
            int code = Integer.parseInt(status.group(2));
            reported.add(failure(rank, placement.nodeOf(rank), code, NONE, true));
        }
    }

    /** Hydra prints what {@code waitpid} gave it: the signal in the low seven bits, the status in the next byte. */
    private List<RankFailure> byCodes() {
        List<RankFailure> failures = new ArrayList<>();
        codes.forEach((host, values) -> {
            for (int i = 0; i < values.length; i++) {
                int signal = values[i] & 0x7f;
                int status = values[i] >> 8 & 0xff;
                if (signal != 0 || status != 0) {
                    failures.add(failure(
                            placement.rank(host, i),
                            placement.nodeOf(host),
                            signal == 0 ? status : NONE,
                            signal == 0 ? NONE : signal,
                            false));
                }
            }
        });
        return failures;
    }

    private boolean fitsBlock(RankFailure rank) {
        return rank.host().equals(placement.nodeOf(blockHost))
                && (blockSignal == NONE
                        ? rank.exitStatus().equals(optional(blockCode))
                        : rank.signal().equals(optional(blockSignal)));
    }

    /** Hydra's block gives signals and statuses alike as an exit code; only numbers too large for a signal are certain. */
    private int blockStatus() {
        return blockSignal == NONE && blockCode > LAST_SIGNAL ? blockCode : NONE;
    }

    private static RankFailure asFirst(RankFailure rank) {
        return new RankFailure(rank.rank(), rank.host(), rank.exitStatus(), rank.signal(), true);
    }

    static RankFailure failure(int rank, String host, int exitStatus, int signal, boolean first) {
        return new RankFailure(optional(rank), host, optional(exitStatus), optional(signal), first);
    }

    private static OptionalInt optional(int number) {
        return number == NONE ? OptionalInt.empty() : OptionalInt.of(number);
    }

    /** The nodes by ranks: launchers fill the slots of one node after the other. */
    public static final class RankPlacement {
        private final List<LaunchNode> nodes;
        private final int[] firstRanks;
        private final Map<String, Integer> places = new HashMap<>();

        /** The placement on these nodes. */
        public RankPlacement(List<LaunchNode> nodes) {
            this.nodes = List.copyOf(nodes);
            this.firstRanks = new int[nodes.size()];
            int first = 0;
            for (int place = 0; place < firstRanks.length; place++) {
                LaunchNode node = this.nodes.get(place);
                firstRanks[place] = first;
                first += node.slots();
                places.putIfAbsent(node.address().toString(), place);
                places.putIfAbsent(node.name().value(), place);
            }
        }

        /** The name of the node that runs a rank; empty when none does. */
        public String nodeOf(int rank) {
            int found = Arrays.binarySearch(firstRanks, rank);
            int place = found < 0 ? -found - 2 : found;
            return place >= 0 && rank - firstRanks[place] < nodes.get(place).slots() ? name(place) : "";
        }

        /** Whether the nodes hold this number of ranks; with no known node, whether any could. */
        boolean mayHold(int ranks) {
            int last = nodes.size() - 1;
            return last < 0
                    ? ranks <= MOST_RANKS
                    : ranks <= firstRanks[last] + nodes.get(last).slots();
        }

        /** The name of the node that a launcher calls so; its word when it is none of the nodes. */
        public String nodeOf(String host) {
            Integer place = places.get(host);
            return place == null ? host : name(place);
        }

        /** The n-th rank on the host; {@code NONE} when the host is none of the nodes. */
        int rank(String host, int index) {
            Integer place = places.get(host);
            return place == null || index >= nodes.get(place).slots() ? NONE : firstRanks[place] + index;
        }

        /** The rank of a host that runs no other; {@code NONE} otherwise. */
        int onlyRank(String host) {
            Integer place = places.get(host);
            return place == null || nodes.get(place).slots() != 1 ? NONE : firstRanks[place];
        }

        private String name(int place) {
            return nodes.get(place).name().value();
        }
    }
}
