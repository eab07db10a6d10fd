package io.clusterwright.mpi.internal.explain;

import io.clusterwright.core.plan.Severity;
import io.clusterwright.core.spi.FindingKind;
import io.clusterwright.mpi.internal.data.DataFile;
import io.clusterwright.mpi.internal.data.DataFile.DataRow;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.IntConsumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The failures that are recognised by their text. */
public final class KnownFailures {
    private static final Map<String, KnownFailure> ALL = read();
    /** The number of texts that hold each word: a word of many texts is in many lines. */
    private static final Map<String, Long> USES = ALL.values().stream()
            .flatMap(failure -> failure.texts().stream())
            .flatMap(text -> Stream.of(text.split(" ")))
            .collect(Collectors.groupingBy(word -> word, Collectors.counting()));

    private static final List<TextPattern> PATTERNS = ALL.values().stream()
            .flatMap(failure -> Stream.concat(
                    failure.texts().stream().map(text -> new TextPattern(failure, text, false)),
                    failure.settled().stream().map(text -> new TextPattern(failure, text, true))))
            .toList();

    private static final Anchors ANCHORS =
            new Anchors(PATTERNS.stream().map(TextPattern::anchor).toList());

    private KnownFailures() {}

    /** All of them, in the order of their codes. */
    public static List<KnownFailure> all() {
        return List.copyOf(ALL.values());
    }

    /** The failure with that code, where there is one. */
    public static Optional<KnownFailure> find(String code) {
        return Optional.ofNullable(ALL.get(code));
    }

    /** The kinds of findings that come of them. */
    public static List<FindingKind> kinds() {
        return ALL.values().stream()
                .map(failure -> new FindingKind(failure.code(), failure.severity(), failure.cause(), failure.remedy()))
                .toList();
    }

    static KnownFailure get(String code) {
        return find(code).orElseThrow();
    }

    /** The word of each of {@link #patterns()}, by its index. */
    static Anchors anchors() {
        return ANCHORS;
    }

    static List<TextPattern> patterns() {
        return PATTERNS;
    }

    private static Map<String, KnownFailure> read() {
        Map<String, KnownFailure> all = new LinkedHashMap<>();
        for (DataRow row : DataFile.read(KnownFailures.class, "failures.yaml")) {
            KnownFailure failure = new KnownFailure(
                    row.text("code"),
                    row.text("severity", "").equals("error") ? Severity.ERROR : Severity.WARNING,
                    row.texts("texts"),
                    row.text("cause"),
                    row.text("remedy"),
                    row.text("source"),
                    row.texts("unless"),
                    row.texts("settled"),
                    Role.valueOf(row.text("role", "cause").toUpperCase(Locale.ROOT)));
            all.put(failure.code(), failure);
        }
        return all;
    }

    /**
     * Finds which of many words a line holds in one pass over its bytes: every second four letters are looked up in a table of the beginnings
     * of words, and the few places that pass are compared letter by letter. Immutable.
     */
    static final class Anchors {
        private static final int LEAST = 5;
        private static final int SLOT_BITS = 16;

        /** A bit for the four letters with which a word begins, and for the four letters behind its first one. */
        private final long[] taken = new long[1 << SLOT_BITS - 6];

        private final Map<Integer, List<Integer>> byStart = new HashMap<>();
        private final List<byte[]> words;

        /** Looks for these words, each of at least five letters. */
        Anchors(List<String> words) {
            this.words = words.stream()
                    .map(word -> word.getBytes(StandardCharsets.UTF_8))
                    .toList();
            for (int i = 0; i < words.size(); i++) {
                byte[] word = this.words.get(i);
                for (int at = 0; at + 4 <= LEAST; at++) {
                    int slot = slot(four(word, at));
                    taken[slot >>> 6] |= 1L << slot;
                }
                byStart.computeIfAbsent(four(word, 0), key -> new ArrayList<>()).add(i);
            }
        }

        /** Hands on the index of each word the line holds, some of them more than once. */
        void find(byte[] line, IntConsumer found) {
            int last = 0;
            for (int end = 2; end <= line.length; end += 2) {
                last = last << 16 | two(line, end - 2);
                int slot = slot(last);
                if ((taken[slot >>> 6] >>> slot & 1) != 0 && end >= 4) {
                    compare(line, end - 4, last, found);
                    if (end > 4) {
                        compare(line, end - 5, four(line, end - 5), found);
                    }
                }
            }
        }

        private void compare(byte[] line, int at, int start, IntConsumer found) {
            for (int candidate : byStart.getOrDefault(start, List.of())) {
                byte[] word = words.get(candidate);
                if (at + word.length <= line.length
                        && Arrays.equals(line, at, at + word.length, word, 0, word.length)) {
                    found.accept(candidate);
                }
            }
        }

        private static int four(byte[] letters, int at) {
            return two(letters, at) << 16 | two(letters, at + 2);
        }

        private static int two(byte[] letters, int at) {
            return (letters[at] & 0xff) << 8 | letters[at + 1] & 0xff;
        }

        private static int slot(int four) {
            return four * 0x9e3779b1 >>> 32 - SLOT_BITS;
        }
    }

    /** One text of a known failure, as a pattern over lines whose white space is folded. */
    static final class TextPattern {
        private static final String OF_SHELL = "{shell}";
        private static final Pattern HOLE = Pattern.compile("(?<gap>(?:\\{\\.\\.\\.})+)|\\{([a-z]+#?)}");
        private static final String WORD = "[^\\s\"'(),;]{1,200}?";
        /** A shell or env, the number of a line in some language, then the quote and the folder of the program that could not start. */
        private static final String SHELL =
                "\\b(?:(?:ba|da|k|mk|z|tc|c)?sh|env)(?:[:\uff1a] ?[^:\uff1a]{1,16})?[:\uff1a] ?(?:exec: )?"
                        + "[\"'`\u2018]?(?:[^\\s:]*/)?";

        private static final String AFTER_PROGRAM = "(?=[\"'\u2019]? ?[:\uff1a])";

        private final KnownFailure failure;
        private final boolean settles;
        private final String anchor;
        private final Pattern pattern;
        private final List<String> names;
        private final boolean wraps;

        TextPattern(KnownFailure failure, String text, boolean settles) {
            this.failure = failure;
            this.settles = settles;
            boolean atStart = text.startsWith("^");
            StringBuilder regex = new StringBuilder(atStart ? "^" : Character.isLowerCase(text.charAt(0)) ? "\\b" : "");
            List<String> holes = new ArrayList<>();
            String word = "";
            boolean atEnd = text.endsWith("$");
            Matcher hole = HOLE.matcher(atEnd ? text.substring(0, text.length() - 1) : text);
            int start = atStart ? 1 : 0;
            while (hole.find()) {
                String before = text.substring(start, hole.start());
                word = literal(before, regex, word);
                String name = hole.group(2);
                if (name == null) {
                    regex.append(gap(before, 200 * hole.group().length() / "{...}".length()));
                } else if (hole.group().equals(OF_SHELL)) {
                    regex.append(SHELL);
                } else {
                    boolean number = name.endsWith("#");
                    String plain = number ? name.substring(0, name.length() - 1) : name;
                    holes.add(plain);
                    regex.append("(?<")
                            .append(plain)
                            .append('>')
                            .append(number ? "\\d{1,20}" : WORD)
                            .append(')');
                }
                start = hole.end();
            }
            this.anchor = literal(text.substring(start, text.length() - (atEnd ? 1 : 0)), regex, word);
            boolean ofShell = text.startsWith(OF_SHELL);
            this.wraps = !ofShell && !atStart && !atEnd;
            if (ofShell) {
                regex.append(AFTER_PROGRAM);
            } else if (atEnd) {
                regex.append('$');
            } else if (start == text.length() && start > 0) {
                regex.append("(?=\\.?(?:[\\s\"'(),;]|$))");
            }
            this.pattern = Pattern.compile(regex.toString());
            this.names = List.copyOf(holes);
            if (anchor.length() < Anchors.LEAST) {
                throw new IllegalStateException(failure.code() + " has a text without a word to look for: " + text);
            }
        }

        /** A gap that a long piece before it does not stand in again: a line that repeats the piece is read once. */
        private static String gap(String before, int most) {
            String one = before.length() < Anchors.LEAST ? "." : "(?:(?!" + Pattern.quote(before) + ").)";
            return one + "{0," + most + "}?";
        }

        /** Adds a piece that stands for itself; a long word of the whole text that few texts have is what lines are searched for first. */
        private static String literal(String piece, StringBuilder regex, String before) {
            String best = before;
            for (String word : piece.split(" ", -1)) {
                if (word.length() >= Anchors.LEAST && (best.isEmpty() || worth(word) > worth(best))) {
                    best = word;
                }
            }
            if (!piece.isEmpty()) {
                regex.append(Pattern.quote(piece));
            }
            return best;
        }

        private static long worth(String word) {
            return word.length() - 2 * USES.getOrDefault(word, 1L);
        }

        KnownFailure failure() {
            return failure;
        }

        /** Whether the text says that the failure is over. */
        boolean settles() {
            return settles;
        }

        /** A word without white space that every line range with this text holds. */
        String anchor() {
            return anchor;
        }

        /** Whether a launcher may have wrapped the text; a shell prints one line. */
        boolean wraps() {
            return wraps;
        }

        Matcher matcher(CharSequence folded) {
            return pattern.matcher(folded);
        }

        /** A sentence with its holes filled from a match. */
        String filled(String sentence, Matcher match) {
            String filled = sentence;
            for (String name : names) {
                filled = filled.replace("{" + name + "}", match.group(name));
            }
            return filled;
        }
    }

    /**
     * A failure that is recognised by its text.
     *
     * @param code stable, such as {@code CW-DIAG-101}
     * @param severity ERROR for what makes a run worthless even where its exit status is 0, otherwise WARNING
     * @param texts what it prints, any of them; <code>{name}</code> stands for a word, <code>{name#}</code> for a number, <code>{...}</code>
     *     for anything, <code>{shell}</code> for what a shell prints before the name of a program, a blank for any white space, {@code ^} for the start
     *     of a line, and {@code $} for its end
     * @param cause what it means; <code>{name}</code> is filled from the text
     * @param remedy what to do about it; filled in the same way
     * @param source where that is known from
     * @param unless what keeps it silent because it is only a consequence: codes, or {@code any}; empty for nothing
     * @param settled texts that say that the failure is over; those before them are not reported
     * @param role its part in the end of the program
     */
    public record KnownFailure(
            String code,
            Severity severity,
            List<String> texts,
            String cause,
            String remedy,
            String source,
            List<String> unless,
            List<String> settled,
            Role role) {
        /** Stands in {@link #unless()} for every other failure. */
        public static final String ANY = "any";

        /** Copies the lists. */
        public KnownFailure {
            texts = List.copyOf(texts);
            unless = List.copyOf(unless);
            settled = List.copyOf(settled);
        }
    }

    /** The part of a failure in the end of the program. */
    public enum Role {
        /** May end the program, and hides what follows from it. */
        CAUSE,
        /** A warning with which a program goes on: it does not hide how the program ended, and stands behind that. */
        NOTICE,
        /** Says how the program ended. */
        END
    }
}
