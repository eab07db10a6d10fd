package io.clusterwright.mpi.internal.fabric;

import io.clusterwright.core.type.Interconnect;
import io.clusterwright.core.type.InvalidValueException;

/**
 * The rule by which a value is an outlier and no noise. All three conditions must hold.
 *
 * @param relative at least this part of the typical value worse, such as 0.2 for 20 %
 * @param deviations at least this many standard deviations worse; the deviation is estimated from the median of the absolute
 *     deviations from the median, and counts only where there are three values or more
 * @param floorMicros latencies differ by at least this many microseconds
 */
public record OutlierRule(double relative, double deviations, double floorMicros) {
    /**
     * 20 %, three deviations, a third of a microsecond: the 20 % are those of the System Center monitor of RDMA networks, which asks
     * for one deviation from the mean; three from the median keep one bad value from hiding itself.
     */
    public static final OutlierRule RDMA = new OutlierRule(0.2, 3, 0.3);

    /** 50 %, three deviations, ten microseconds: TCP between machines varies more. */
    public static final OutlierRule TCP = new OutlierRule(0.5, 3, 10);

    /**
     * Five times the typical value, three deviations, 10 milliseconds: where ranks wait for a core, a message takes a time slice of the
     * scheduler, 4 milliseconds, instead of 10 microseconds.
     */
    public static final OutlierRule ONE_MACHINE = new OutlierRule(4, 3, 10_000);

    /**
     * Checks the numbers.
     *
     * @throws InvalidValueException when one is negative or no number
     */
    public OutlierRule {
        if (!(relative >= 0 && deviations >= 0 && floorMicros >= 0)) {
            throw new InvalidValueException(
                    "rule for outliers",
                    relative + ", " + deviations + ", " + floorMicros,
                    "three numbers that are not negative",
                    "0.3, 3, 1");
        }
    }

    /** The rule that suits these nodes. */
    public static OutlierRule of(Interconnect interconnect, boolean oneMachine) {
        if (oneMachine) {
            return ONE_MACHINE;
        }
        return interconnect.isRdma() ? RDMA : TCP;
    }
}
