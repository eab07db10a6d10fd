package io.clusterwright.core.plan;

import io.clusterwright.core.type.InvalidValueException;

/**
 * The probability that a cluster loses a node. Use it to decide how often a long run writes a checkpoint.
 *
 * <pre>{@code
 * double risk = NodeLoss.risk(16, 24, 0.0001); // 16 nodes, a day, one loss in 10 000 hours of a node
 * }</pre>
 */
public final class NodeLoss {
    private NodeLoss() {}

    /**
     * The probability that at least one node is lost, when each is lost independently and at a constant rate: {@code 1 - exp(-nodes *
     * hours * rate)}.
     *
     * @param nodes their number, at least 1
     * @param hours the time, at least 0
     * @param ratePerNodeHour the losses to be expected of one node in one hour, at least 0; a share p of nodes lost within an hour
     *     is a rate of {@code -ln(1 - p)}
     * @return 0 to 1
     * @throws InvalidValueException when a number is out of its range or not finite
     */
    public static double risk(int nodes, double hours, double ratePerNodeHour) {
        if (nodes < 1) {
            throw new InvalidValueException("number of nodes", nodes, "1 or more", "8");
        }
        requireRange("number of hours", hours);
        requireRange("number of losses per node and hour", ratePerNodeHour);
        return -Math.expm1(-nodes * hours * ratePerNodeHour);
    }

    private static void requireRange(String what, double value) {
        if (!(value >= 0) || Double.isInfinite(value)) {
            throw new InvalidValueException(what, value, "0 or more", "0.5");
        }
    }
}
