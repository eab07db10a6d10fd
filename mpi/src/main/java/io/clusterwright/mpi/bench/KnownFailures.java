package io.clusterwright.mpi.bench;

import io.clusterwright.core.plan.Severity;
import io.clusterwright.core.spi.FindingKind;
import io.clusterwright.mpi.internal.data.DataFile;
import io.clusterwright.mpi.internal.data.DataRow;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The failures that are recognised by their text. */
public final class KnownFailures {
    private static final Map<String, KnownFailure> ALL = read();
    private static final List<TextPattern> PATTERNS = ALL.values().stream()
            .flatMap(failure -> failure.texts().stream().map(text -> new TextPattern(failure, text)))
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
                    row.texts("unless"));
            all.put(failure.code(), failure);
        }
        return all;
    }
}
