package io.clusterwright.mpi.bench;

import java.util.regex.Pattern;

/** What the name of a libfabric provider or of a device amounts to. */
final class Names {
    private static final Pattern RDMA = Pattern.compile(
            "verbs(?:;ofi_rx[md])?|mlx|dapl|ofa|efa|psm2?|opx|cxi|gni|(?:mlx[45]|rxe|siw|hfi1|irdma|bnxt_re|erdma|ib)_?\\d.*");
    private static final Pattern TCP =
            Pattern.compile("(?:tcp|sockets|udp|net)(?:;ofi_rx[md])?|(?:eth|en[opsx]?|wl|lo|bond|br|veth)[\\w.-]*");
    private static final Pattern MEMORY = Pattern.compile("shm|self");

    private Names() {}

    /**
     * The kind of a provider; unknown for those that run over several kinds, such as psm3 (verbs or sockets) and ucx, whose own lines
     * tell it.
     */
    static Transport.Kind kind(String name) {
        if (RDMA.matcher(name).matches()) {
            return Transport.Kind.RDMA;
        }
        if (MEMORY.matcher(name).matches()) {
            return Transport.Kind.SHARED_MEMORY;
        }
        return TCP.matcher(name).matches() ? Transport.Kind.TCP : Transport.Kind.UNKNOWN;
    }
}
