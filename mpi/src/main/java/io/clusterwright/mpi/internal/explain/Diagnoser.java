package io.clusterwright.mpi.internal.explain;

import io.clusterwright.core.internal.text.EncodedText;
import io.clusterwright.core.internal.text.LineSplitter;
import io.clusterwright.core.internal.text.LineSplitter.Line;
import io.clusterwright.mpi.internal.explain.KnownFailures.Anchors;
import io.clusterwright.mpi.internal.explain.KnownFailures.KnownFailure;
import io.clusterwright.mpi.internal.explain.KnownFailures.Role;
import io.clusterwright.mpi.internal.explain.KnownFailures.TextPattern;
import io.clusterwright.mpi.job.Diagnosis;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Recognises known failures in an output while it is printed. It keeps a few lines only, whatever the length of the output, because
 * launchers wrap their texts in the middle of a sentence. What it does not know, it says nothing about. Not safe for several threads.
 */
public final class Diagnoser {
    private static final int WINDOW = 8;
    private static final int LONGEST_LINE = 1000;
    private static final int MOST = 200;
    private static final Pattern CONTROL = Pattern.compile("\\x1B(?:\\[[0-9;?]*[ -/]*[@-~]|[@-Z\\\\-_])");
    private static final String CLOCK = "\\d\\d:\\d\\d:\\d\\d(?:[.,]\\d+)?";
    private static final String DATE = "[A-Z][a-z]{2} [ \\d]\\d ";

    /**
     * Time stamps, ranks of Hydra ({@code [0]}), names of containers ({@code [launcher]}, {@code launcher-1  | }), tags of Open MPI, and the task of {@code srun -l}; NetPIPE
     * begins a row like a task.
     */
    private static final Pattern LABELS = Pattern.compile("^(?:"
            + "[A-Z][a-z]{2} " + DATE + CLOCK + " \\d{4} ?"
            + "|\\[?(?:\\d{4}-\\d\\d-\\d\\d[T ]|" + DATE + ")?" + CLOCK + "(?:Z|[+-]\\d\\d:?\\d\\d)?]? ?"
            + "|\\[\\d+] ?"
            + "|\\[[a-z][a-z0-9/-]*] "
            + "|[\\w.-]++ +\\| "
            + "|(?:\\[[^\\[\\]\\s]*\\d+,\\d+])?(?:\\[[\\w.-]+:\\d+])?<std(?:out|err)>: ?"
            + "| *\\d+:(?: |$)(?!\\s*\\d+ bytes\\b))++");

    private static final Pattern SPACE = Pattern.compile("\\s+");

    private final List<TextPattern> patterns = KnownFailures.patterns();
    private final Anchors anchors = KnownFailures.anchors();
    private final int[] armed = new int[patterns.size()];
    /** The last line each pattern was looked for in: a line that repeats its word is matched once. */
    private final int[] tried = new int[patterns.size()];

    private final Deque<Kept> window = new ArrayDeque<>();
    private final Map<String, Diagnosis> found = new LinkedHashMap<>();
    private final LineSplitter splitter = new LineSplitter(this::line);
    private int lines;
    private int lookFor;

    /** Creates a diagnoser that has seen nothing. */
    public Diagnoser() {}

    /**
     * The failures that are recognised in a text in UTF-8, or in UTF-16 with a byte order mark, in the order of {@link #finish}.
     *
     * @throws IOException when the text cannot be read
     */
    public static List<Diagnosis> diagnose(InputStream text) throws IOException {
        Diagnoser diagnoser = new Diagnoser();
        byte[] buffer = new byte[64 * 1024];
        InputStream lines = EncodedText.inUtf8(text);
        for (int length = lines.read(buffer); length >= 0; length = lines.read(buffer)) {
            diagnoser.feed(buffer, length);
        }
        return diagnoser.finish();
    }

    /** The failures that are recognised in a text, in the order of {@link #finish}. */
    public static List<Diagnosis> diagnose(String text) {
        Diagnoser diagnoser = new Diagnoser();
        text.lines().forEach(diagnoser::accept);
        return diagnoser.finish();
    }

    /** Takes the first {@code length} bytes of a buffer, which may end in the middle of a line. */
    public void feed(byte[] bytes, int length) {
        splitter.feed(bytes, length);
    }

    /** Takes a whole line without its line break. */
    public void accept(String text) {
        lines++;
        line(new Line(lines, text, true));
    }

    /** Takes a whole line with its line break. */
    void accept(byte[] bytes) {
        lines++;
        line(new Line(lines, bytes, true));
    }

    /**
     * Ends the text and gives what was recognised, each failure once, in the order of the lines; where a line says how the program ended, warnings with
     * which a program goes on come last. At most 200.
     */
    public List<Diagnosis> finish() {
        splitter.finish();
        List<String> codes =
                found.values().stream().map(Diagnosis::code).distinct().toList();
        List<Diagnosis> result = new ArrayList<>();
        for (Diagnosis diagnosis : found.values()) {
            KnownFailure failure = KnownFailures.get(diagnosis.code());
            if (!silenced(failure, codes)) {
                result.add(diagnosis);
            }
        }
        boolean ended = result.stream().anyMatch(diagnosis -> role(diagnosis) == Role.END);
        result.sort(Comparator.<Diagnosis, Boolean>comparing(diagnosis -> ended && role(diagnosis) == Role.NOTICE)
                .thenComparingInt(Diagnosis::line));
        return List.copyOf(result);
    }

    private static Role role(Diagnosis diagnosis) {
        return KnownFailures.get(diagnosis.code()).role();
    }

    /**
     * Whether other failures of the text hide this failure: a failure that it names, a cause, or a consequence that the text has before it. Lines of a launcher
     * and of its ranks come in any order. A notice does not hide how the program ended.
     */
    private static boolean silenced(KnownFailure failure, List<String> codes) {
        if (failure.unless().stream().anyMatch(codes::contains)) {
            return true;
        }
        if (!failure.unless().contains(KnownFailure.ANY)) {
            return false;
        }
        List<KnownFailure> left = codes.stream()
                .map(KnownFailures::get)
                .filter(other -> other.unless().stream().noneMatch(codes::contains))
                .filter(other -> failure.role() != Role.END || other.role() != Role.NOTICE)
                .toList();
        return left.stream().anyMatch(other -> !other.unless().contains(KnownFailure.ANY))
                || !left.get(0).equals(failure);
    }

    private void line(Line line) {
        if (isBlank(line.bytes())) {
            return;
        }
        Kept kept = new Kept(line);
        window.addLast(kept);
        if (window.size() > WINDOW) {
            window.removeFirst();
        }
        anchors.find(line.bytes(), pattern -> {
            if (tried[pattern] == kept.number()) {
                return;
            }
            tried[pattern] = kept.number();
            if (!matchLine(patterns.get(pattern), kept) && patterns.get(pattern).wraps()) {
                armed[pattern] = WINDOW;
                lookFor = WINDOW;
            }
        });
        if (lookFor > 0) {
            lookFor--;
            matchWindow();
        }
    }

    private static boolean isBlank(byte[] line) {
        for (byte one : line) {
            if (one < 0 || one > ' ') {
                return false;
            }
        }
        return true;
    }

    /** Most texts stand in one line; only one that a launcher has wrapped needs the lines around it. */
    private boolean matchLine(TextPattern pattern, Kept line) {
        Matcher matcher = pattern.matcher(line.folded());
        boolean found = false;
        while (matcher.find()) {
            found = true;
            add(pattern, matcher, line.number());
        }
        return found;
    }

    private void matchWindow() {
        StringBuilder text = new StringBuilder();
        int[] ends = new int[window.size()];
        int[] numbers = new int[window.size()];
        int count = 0;
        for (Kept line : window) {
            text.append(line.folded()).append(line.folded().isEmpty() ? "" : " ");
            ends[count] = text.length();
            numbers[count] = line.number();
            count++;
        }
        for (int i = 0; i < armed.length; i++) {
            if (armed[i] > 0) {
                armed[i]--;
                Matcher matcher = patterns.get(i).matcher(text);
                while (matcher.find()) {
                    armed[i] = 0;
                    int line = 0;
                    while (matcher.start() >= ends[line]) {
                        line++;
                    }
                    add(patterns.get(i), matcher, numbers[line]);
                }
            }
        }
    }

    private void add(TextPattern pattern, Matcher match, int line) {
        KnownFailure failure = pattern.failure();
        if (pattern.settles()) {
            found.values().removeIf(diagnosis -> diagnosis.code().equals(failure.code()));
            return;
        }
        String cause = pattern.filled(failure.cause(), match);
        String key = failure.code() + " " + cause;
        if (found.size() < MOST && !found.containsKey(key)) {
            String remedy = pattern.filled(failure.remedy(), match);
            found.put(key, new Diagnosis(failure.code(), failure.severity(), line, cause, remedy));
        }
    }

    /** A line that is decoded and folded when it is first needed, which most lines never are. */
    private static final class Kept {
        private final Line line;
        private @Nullable String folded;

        Kept(Line line) {
            this.line = line;
        }

        int number() {
            return line.number();
        }

        String folded() {
            String known = folded;
            if (known == null) {
                String text = line.text();
                known = fold(text.length() > LONGEST_LINE ? text.substring(0, LONGEST_LINE) : text);
                folded = known;
            }
            return known;
        }
    }

    private static String fold(String text) {
        return SPACE.matcher(plain(text)).replaceAll(" ").strip();
    }

    /** A line without colours and without what a launcher or a log writes before it. */
    public static String plain(String text) {
        return LABELS.matcher(CONTROL.matcher(text).replaceAll("")).replaceFirst("");
    }
}
