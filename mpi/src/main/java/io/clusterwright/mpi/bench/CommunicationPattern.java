package io.clusterwright.mpi.bench;

/** Who sends to whom in a benchmark; latency rules apply to {@link #PING_PONG} only. */
public enum CommunicationPattern {
    /** Two ranks answer each other in turn; the time of a row is one way. */
    PING_PONG,
    /** Ranks send to each other at the same time. */
    EXCHANGE,
    /** One rank sends without waiting for each answer. */
    STREAM,
    /** All ranks take part in one operation. */
    COLLECTIVE
}
