package io.clusterwright.mpi.internal.render;

import io.clusterwright.core.catalog.SizeDefaults;
import io.clusterwright.core.catalog.VmSizeFacts;
import io.clusterwright.core.spec.ClusterSpec;
import io.clusterwright.core.spec.MpiFlavour;
import io.clusterwright.core.spec.MpiInstall;
import io.clusterwright.core.spec.MpiSettings;
import io.clusterwright.core.spi.RenderInput;
import io.clusterwright.core.type.Interconnect;
import java.util.Optional;

/**
 * The preset a description means, its {@code auto} resolved.
 *
 * @param name such as {@code open-mpi/ucx}
 * @param flavour whose launcher runs the job
 * @param version the version of the MPI; empty where the description does not say
 * @param subnet the addresses of the nodes, for MPIs that must be kept off other networks
 */
record PresetChoice(String name, MpiFlavour flavour, String version, String subnet) {

    static PresetChoice of(RenderInput input) {
        ClusterSpec spec = input.spec();
        Interconnect network = input.facts().local()
                ? Interconnect.NONE
                : input.facts()
                        .sizes()
                        .find(spec.nodes().size())
                        .map(VmSizeFacts::interconnect)
                        .orElse(Interconnect.NONE);
        SizeDefaults defaults = SizeDefaults.of(network, spec.operatingSystem());
        Optional<MpiInstall> given = spec.image().customize().mpi();
        MpiInstall mpi = given.orElse(defaults.mpi());
        String version = mpi.version().orElse("");
        String wanted = spec.mpi().preset();
        String name = !wanted.equals(MpiSettings.DEFAULT_PRESET)
                ? wanted
                : given.isEmpty() ? defaults.preset() : automatic(mpi.flavour(), version, network);
        MpiFlavour flavour = flavour(name, mpi.flavour());
        String subnet = spec.network().subnet().range().toString();
        return new PresetChoice(name, flavour, flavour == mpi.flavour() ? version : "", subnet);
    }

    private static String automatic(MpiFlavour flavour, String version, Interconnect network) {
        boolean sriov = network == Interconnect.SRIOV_INFINIBAND || network == Interconnect.ROCE;
        return switch (flavour) {
            case INTEL_MPI ->
                network == Interconnect.NETWORK_DIRECT
                        ? "intel-mpi/network-direct"
                        : !sriov
                                ? "intel-mpi/tcp"
                                : IntelVersion.of(version).atLeast(2021, 19) ? "intel-mpi/ucx" : "intel-mpi/mlx";
            case OPEN_MPI -> sriov ? "open-mpi/ucx" : "open-mpi/tcp";
            case HPC_X -> sriov ? "hpc-x/ucx" : "open-mpi/tcp";
            case MPICH -> sriov ? "mpich/ucx" : "mpich/tcp";
            case MVAPICH2 -> "mvapich2/rdma";
            case MS_MPI -> network == Interconnect.NONE ? "ms-mpi/tcp" : "ms-mpi/network-direct";
        };
    }

    private static MpiFlavour flavour(String preset, MpiFlavour otherwise) {
        String prefix = preset.substring(0, Math.max(0, preset.indexOf('/')));
        for (MpiFlavour flavour : MpiFlavour.values()) {
            if (flavour.toString().equals(prefix)) {
                return flavour == MpiFlavour.OPEN_MPI && otherwise == MpiFlavour.HPC_X ? otherwise : flavour;
            }
        }
        return otherwise;
    }
}
