package io.clusterwright.mpi.bench;

/**
 * A column of a benchmark's table, whatever the tool calls it. Use it to read a row. Times are in microseconds.
 *
 * @see Benchmarks
 */
public enum Measure {
    /** The size of a message in bytes. */
    BYTES("bytes"),
    /** The number of times that the message was sent. */
    REPETITIONS("repetitions"),
    /** The time of one message, one way. */
    LATENCY("latencyMicros"),
    /** The shortest time of any rank or repetition. */
    MIN("minMicros"),
    /** The longest time of any rank or repetition. */
    MAX("maxMicros"),
    /** The mean time over ranks or repetitions. */
    AVERAGE("avgMicros"),
    /** The time that half of the repetitions took or less. */
    MEDIAN("medianMicros"),
    /** The time that 90 % of the repetitions took or less. */
    PERCENTILE_90("p90Micros"),
    /** The time that 99 % of the repetitions took or less. */
    PERCENTILE_99("p99Micros"),
    /** The time that 99.9 % of the repetitions took or less. */
    PERCENTILE_99_9("p999Micros"),
    /** The standard deviation of the times. */
    DEVIATION("deviationMicros"),
    /** The time of a non-blocking operation together with the work it is hidden behind. */
    OVERALL("overallMicros"),
    /** The time of a non-blocking operation alone. */
    PURE("pureMicros"),
    /** The time of the work that a non-blocking operation is hidden behind. */
    COMPUTE("computeMicros"),
    /** The part of a non-blocking operation that is hidden behind work, in percent. */
    OVERLAP("overlapPercent"),
    /** The data rate in the unit the tool printed. */
    RATE("bandwidthMBps"),
    /** The highest data rate of any repetition in the unit the tool printed. */
    PEAK_RATE("peakBandwidthMBps"),
    /** The data rate that each link between GPUs carries in a collective ({@code busbw}), in the unit the tool printed. */
    BUS_RATE("busBandwidthMBps"),
    /** Messages per second. */
    MESSAGE_RATE("messagesPerSecond"),
    /** The number of bytes or elements that arrived wrong. */
    DEFECTS("defects");

    private final String key;

    Measure(String key) {
        this.key = key;
    }

    /** The key of this column in {@link BenchmarkReport#toMap}. */
    public String key() {
        return key;
    }
}
