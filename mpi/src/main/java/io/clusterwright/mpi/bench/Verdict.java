package io.clusterwright.mpi.bench;

import io.clusterwright.core.internal.json.JsonFields;
import io.clusterwright.core.type.HasJson;
import java.util.List;
import java.util.Map;

/**
 * The verdict of a rule about a measurement. Use it to accept or refuse nodes. {@link LatencyEnvelope} and {@code
 * FabricEnvelope} of {@code mpi.fabric} judge; this is what they conclude.
 *
 * @param status the outcome
 * @param reasons why, for people; never empty
 * @see Benchmarks
 */
public record Verdict(Status status, List<String> reasons) implements HasJson {

    /** Copies the reasons. */
    public Verdict {
        reasons = List.copyOf(reasons);
        if (reasons.isEmpty()) {
            throw new IllegalArgumentException("a verdict needs a reason");
        }
    }

    /** A verdict that says why nothing could be judged. */
    public static Verdict notJudged(String reason) {
        return new Verdict(Status.NOT_JUDGED, List.of(reason));
    }

    /** Whether the rule applied to the measurement and the measurement kept it. */
    public boolean succeeded() {
        return status == Status.PASSED;
    }

    @Override
    public Map<String, Object> toMap() {
        return JsonFields.object("status", status.key(), "passed", succeeded(), "reasons", reasons);
    }

    /** The outcome of a rule. */
    public enum Status {
        /** The measurement keeps the rule. */
        PASSED("passed"),
        /** The measurement breaks the rule. */
        FAILED("failed"),
        /** There is nothing to hold the measurement against, or not enough of it. */
        NOT_JUDGED("not-judged");

        private final String key;

        Status(String key) {
            this.key = key;
        }

        /** The name in JSON, such as {@code not-judged}. */
        public String key() {
            return key;
        }
    }
}
