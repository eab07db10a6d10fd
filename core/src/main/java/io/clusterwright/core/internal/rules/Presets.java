package io.clusterwright.core.internal.rules;

import io.clusterwright.core.spec.MpiFlavour;
import io.clusterwright.core.type.Interconnect;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** The named presets, as far as rules about pairs need them: whose they are, and what can carry them. */
final class Presets {
    static final String AUTO = "auto";

    private static final Set<Interconnect> ANY = Set.of(Interconnect.values());
    private static final Set<Interconnect> SRIOV = Set.of(Interconnect.SRIOV_INFINIBAND, Interconnect.ROCE);
    private static final Set<Interconnect> DAPL = Set.of(Interconnect.NETWORK_DIRECT);
    private static final Set<Interconnect> BOTH = Set.of(Interconnect.NETWORK_DIRECT, Interconnect.SRIOV_INFINIBAND);

    static final Map<String, Preset> ALL = all();

    private Presets() {}

    static Optional<Preset> find(String name) {
        return Optional.ofNullable(ALL.get(name));
    }

    private static Map<String, Preset> all() {
        Map<String, Preset> all = new LinkedHashMap<>();
        all.put("intel-mpi/network-direct", new Preset(MpiFlavour.INTEL_MPI, DAPL));
        all.put("intel-mpi/mlx", new Preset(MpiFlavour.INTEL_MPI, SRIOV));
        all.put("intel-mpi/ucx", new Preset(MpiFlavour.INTEL_MPI, SRIOV));
        all.put("intel-mpi/tcp", new Preset(MpiFlavour.INTEL_MPI, ANY));
        all.put("open-mpi/ucx", new Preset(MpiFlavour.OPEN_MPI, SRIOV));
        all.put("open-mpi/tcp", new Preset(MpiFlavour.OPEN_MPI, ANY));
        all.put("hpc-x/ucx", new Preset(MpiFlavour.HPC_X, SRIOV));
        all.put("mpich/ucx", new Preset(MpiFlavour.MPICH, SRIOV));
        all.put("mpich/ofi", new Preset(MpiFlavour.MPICH, ANY));
        all.put("mpich/tcp", new Preset(MpiFlavour.MPICH, ANY));
        all.put("mvapich2/rdma", new Preset(MpiFlavour.MVAPICH2, SRIOV));
        all.put("ms-mpi/network-direct", new Preset(MpiFlavour.MS_MPI, BOTH));
        all.put("ms-mpi/tcp", new Preset(MpiFlavour.MS_MPI, ANY));
        return all;
    }

    /** Whose a preset is, and which interconnects can carry it. */
    record Preset(MpiFlavour flavour, Set<Interconnect> carriers) {}
}
