package io.clusterwright.mpi.internal.render;

import java.util.List;

/**
 * The environment of each preset, with the reason of each variable. Sources: Intel's developer reference and release notes, Microsoft's
 * guide to MPI on HPC sizes, the help texts of the launchers.
 */
final class PresetTable {
    private PresetTable() {}

    /** The variables of a preset; none for one that needs none or that is not known. */
    static List<Variable> of(PresetChoice preset) {
        IntelVersion version = IntelVersion.of(preset.version());
        return switch (preset.name()) {
            case "intel-mpi/network-direct" ->
                List.of(
                        new Variable("I_MPI_FABRICS", "shm:dapl", "DAPL is the only way over Network Direct"),
                        new Variable("I_MPI_DAPL_PROVIDER", "ofa-v2-ib0", "the provider of the driver for these sizes"),
                        new Variable(
                                "I_MPI_DYNAMIC_CONNECTION",
                                "0",
                                "all connections are made at the start, which the driver needs"));
            case "intel-mpi/mlx" -> version.before(2019) ? ofa() : ofi("mlx", "UCX, which drives Mellanox adapters");
            case "intel-mpi/ucx" -> ofi("ucx", "it takes the place of mlx from 2021.19 on");
            case "intel-mpi/tcp" ->
                version.before(2019)
                        ? List.of(new Variable("I_MPI_FABRICS", "shm:tcp", "Ethernet between nodes"))
                        : ofi("tcp", "Ethernet between nodes");
            case "open-mpi/ucx", "hpc-x/ucx" ->
                List.of(
                        new Variable("OMPI_MCA_pml", "ucx", "InfiniBand through UCX, and an error where there is none"),
                        new Variable(
                                "OMPI_MCA_btl", "^vader,tcp,openib", "keeps Open MPI's own transports out of the way"));
            case "open-mpi/tcp" ->
                List.of(
                        new Variable("OMPI_MCA_pml", "ob1", "Open MPI's own transports"),
                        new Variable(
                                "OMPI_MCA_btl", "tcp,vader,self", "Ethernet between nodes, shared memory within one"),
                        new Variable(
                                "OMPI_MCA_btl_tcp_if_include",
                                preset.subnet(),
                                "the network of the nodes: another one, such as that of containers, leads nowhere"),
                        new Variable(
                                "OMPI_MCA_oob_tcp_if_include",
                                preset.subnet(),
                                "the same for the launcher's own messages"));
            case "mpich/ucx" ->
                List.of(new Variable("MPIR_CVAR_CH4_NETMOD", "ucx", "where MPICH was built with more than one"));
            case "mpich/ofi" ->
                List.of(new Variable("MPIR_CVAR_CH4_NETMOD", "ofi", "where MPICH was built with more than one"));
            case "mpich/tcp" ->
                List.of(
                        new Variable(
                                "UCX_TLS", "tcp,sm,self", "where MPICH was built with UCX: Ethernet between nodes"),
                        new Variable(
                                "FI_PROVIDER", "tcp", "where MPICH was built with libfabric: Ethernet between nodes"));
            default -> List.of();
        };
    }

    private static List<Variable> ofa() {
        return List.of(
                new Variable("I_MPI_FABRICS", "shm:ofa", "verbs, as 2017 and 2018 have it"),
                new Variable(
                        "I_MPI_FALLBACK_DEVICE", "0", "an error where there is no InfiniBand, in the place of TCP"));
    }

    private static List<Variable> ofi(String provider, String reason) {
        return List.of(
                new Variable("I_MPI_FABRICS", "shm:ofi", "libfabric between nodes, shared memory within one"),
                new Variable("I_MPI_OFI_PROVIDER", provider, reason));
    }

    /**
     * A variable of a preset.
     *
     * @param name its name
     * @param value its value
     * @param reason why the preset sets it
     */
    record Variable(String name, String value, String reason) {}
}
