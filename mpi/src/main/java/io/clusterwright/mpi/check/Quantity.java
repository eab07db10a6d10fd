package io.clusterwright.mpi.check;

import java.util.Locale;

/** What is compared between pairs. */
enum Quantity {
    LATENCY("latency", "us") {
        @Override
        boolean isWorse(double value, Sample typical, OutlierRule rule) {
            double excess = value - typical.median();
            return excess >= rule.relative() * typical.median()
                    && excess >= rule.deviations() * typical.deviation()
                    && excess >= rule.floorMicros();
        }
    },
    BANDWIDTH("bandwidth", "MB/s") {
        /** So much slower that it takes that much longer: three times as long is a third of the rate. */
        @Override
        boolean isWorse(double value, Sample typical, OutlierRule rule) {
            double missing = typical.median() - value;
            return value * (1 + rule.relative()) <= typical.median()
                    && missing >= rule.deviations() * typical.deviation()
                    && missing > 0;
        }
    };

    private final String title;
    private final String unit;

    Quantity(String title, String unit) {
        this.title = title;
        this.unit = unit;
    }

    abstract boolean isWorse(double value, Sample typical, OutlierRule rule);

    /** Such as {@code latency 9.10 us instead of 1.70 us}. */
    String compared(double value, double typical) {
        return title + " " + text(value) + " instead of " + text(typical);
    }

    /** What is shown of a value: us as they are, bytes per second as 10^6 of them. */
    double shown(double value) {
        return this == LATENCY ? value : value / 1e6;
    }

    /** How many times worse a value is than a good one. */
    double timesWorse(double value, double good) {
        return this == LATENCY ? value / good : good / value;
    }

    /** The value with its unit; a latency in us, a rate in 10^6 bytes per second. */
    String text(double value) {
        return String.format(Locale.ROOT, this == LATENCY ? "%.2f %s" : "%.0f %s", value, unit);
    }
}
