package io.clusterwright.mpi.bench;

import io.clusterwright.core.type.Interconnect;
import java.util.List;

/**
 * The transport of the messages between two ranks. Use it to see whether MPI uses the RDMA network. Immutable.
 *
 * @param kind what it amounts to
 * @param names the transports and devices as the MPI named them, such as {@code rc_mlx5/mlx5_0:1} or {@code tcp/eth0}; empty
 *     when it named none
 * @param evidence the line of output that tells it; empty when nothing does
 * @see io.clusterwright.mpi.check.TransportCheck
 */
public record Transport(Kind kind, List<String> names, String evidence) {
    private static final Transport UNKNOWN = new Transport(Kind.UNKNOWN, List.of(), "");

    /** The transport of which nothing is known. */
    public static Transport unknown() {
        return UNKNOWN;
    }

    /** Copies the names. */
    public Transport {
        names = List.copyOf(names);
    }

    /** The worst of several: TCP before unknown before RDMA before shared memory; unknown when the list is empty. */
    public static Transport worst(List<Transport> told) {
        for (Kind kind : List.of(Kind.TCP, Kind.UNKNOWN, Kind.RDMA, Kind.SHARED_MEMORY)) {
            List<Transport> same =
                    told.stream().filter(one -> one.kind() == kind).toList();
            if (!same.isEmpty()) {
                List<String> names = same.stream()
                        .flatMap(one -> one.names().stream())
                        .distinct()
                        .toList();
                return new Transport(kind, names, same.get(0).evidence());
            }
        }
        return UNKNOWN;
    }

    /**
     * Judges it: on nodes with an RDMA interconnect only RDMA passes. A transport that is not known is never a pass there,
     * and on nodes without such an interconnect there is nothing to judge.
     */
    public Verdict judge(Interconnect interconnect) {
        if (!interconnect.isRdma()) {
            return Verdict.notJudged("MPI used " + this + ", and these nodes report no RDMA interconnect");
        }
        return switch (kind) {
            case RDMA -> new Verdict(Verdict.Status.PASSED, List.of("MPI used " + this));
            case TCP ->
                new Verdict(
                        Verdict.Status.FAILED,
                        List.of("MPI fell back to " + this + " although these nodes report " + interconnect));
            case SHARED_MEMORY ->
                Verdict.notJudged(
                        "MPI used " + this + ", so both ranks ran on one machine and the interconnect was not tried");
            case UNKNOWN ->
                Verdict.notJudged("the transport that MPI used is not known"
                        + (names.isEmpty() ? "" : " from " + String.join(", ", names)) + ", so that it is "
                        + interconnect + " is not proven");
        };
    }

    /** The transport for people, such as {@code TCP (tcp/eth0)}. */
    @Override
    public String toString() {
        return kind.title + (names.isEmpty() ? "" : " (" + String.join(", ", names) + ")");
    }

    /** The kinds of transports. */
    public enum Kind {
        /** The adapter reaches into memory: verbs, InfiniBand, RoCE, DAPL. */
        RDMA("rdma", "RDMA"),
        /** Sockets. */
        TCP("tcp", "TCP"),
        /** Both ranks on one machine. */
        SHARED_MEMORY("shared-memory", "shared memory"),
        /** The output does not tell. */
        UNKNOWN("unknown", "an unknown transport");

        private final String key;
        private final String title;

        Kind(String key, String title) {
            this.key = key;
            this.title = title;
        }

        /** The name in JSON, such as {@code shared-memory}. */
        public String key() {
            return key;
        }
    }
}
