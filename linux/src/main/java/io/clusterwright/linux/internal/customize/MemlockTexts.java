package io.clusterwright.linux.internal.customize;

import io.clusterwright.core.spec.Customization.MemlockRule;
import io.clusterwright.core.type.MemlockLimit;
import io.clusterwright.linux.LimitsConf;
import java.util.List;

/** The limits of locked memory that a description asks for, as a node has them whose kernel sets no bound. */
public final class MemlockTexts {
    private MemlockTexts() {}

    /** The limits, in the form of limits.conf; root gets what the others get. */
    public static LimitsConf limits(List<MemlockRule> rules) {
        return Memlock.conf(rules, new NodeLimits(true, MemlockLimit.UNLIMITED));
    }

    /** The highest of them, which services get; none where there is none. */
    public static MemlockLimit highest(LimitsConf limits) {
        return limits.limits().values().stream().max(MemlockLimit::compareTo).orElse(MemlockLimit.UNLIMITED);
    }
}
