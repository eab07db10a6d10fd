package io.clusterwright.core.catalog;

import static io.clusterwright.core.spec.OperatingSystem.LINUX;
import static io.clusterwright.core.spec.OperatingSystem.WINDOWS;
import static io.clusterwright.core.type.Interconnect.NETWORK_DIRECT;
import static io.clusterwright.core.type.Interconnect.NONE;
import static io.clusterwright.core.type.Interconnect.SRIOV_INFINIBAND;

import io.clusterwright.core.spec.ClusterSpec;
import io.clusterwright.core.spec.ExtensionSpec;
import io.clusterwright.core.spec.MpiFlavour;
import io.clusterwright.core.spec.MpiInstall;
import io.clusterwright.core.spec.MpiInstall.MpiSource;
import io.clusterwright.core.spec.OperatingSystem;
import io.clusterwright.core.spec.Placement;
import io.clusterwright.core.type.ImageReference;
import io.clusterwright.core.type.Interconnect;
import java.util.List;
import java.util.Optional;

/** The default image, MPI, extensions and placement of a spec, by the size of its nodes. */
public final class SizeDefaults {
    /** The capacity of an availability set. Source: the limits of the subscription service. */
    private static final int AVAILABILITY_SET_MOST = 200;

    private static final MpiInstall INTEL_MPI_5 = MpiInstall.builder()
            .flavour(MpiFlavour.INTEL_MPI)
            .version("5")
            .install(MpiSource.packages("/opt/intelMPI/intel_mpi_packages/*.rpm"))
            .build();
    private static final MpiInstall HPC_X = MpiInstall.builder()
            .flavour(MpiFlavour.HPC_X)
            .install(MpiSource.image())
            .build();
    private static final MpiInstall OPEN_MPI = MpiInstall.fromDistribution(MpiFlavour.OPEN_MPI);
    private static final MpiInstall MS_MPI = MpiInstall.builder()
            .flavour(MpiFlavour.MS_MPI)
            .install(MpiSource.image())
            .build();

    private static final List<SizeDefaults> TABLE = List.of(
            new SizeDefaults(
                    NETWORK_DIRECT,
                    LINUX,
                    Images.SLES_HPC_12,
                    INTEL_MPI_5,
                    "intel-mpi/network-direct",
                    List.of(Extensions.rdmaUpdateForLinux())),
            new SizeDefaults(SRIOV_INFINIBAND, LINUX, Images.UBUNTU_HPC_2204, HPC_X, "hpc-x/ucx", List.of()),
            new SizeDefaults(NONE, LINUX, Images.UBUNTU_2204, OPEN_MPI, "open-mpi/tcp", List.of()),
            new SizeDefaults(
                    NETWORK_DIRECT,
                    WINDOWS,
                    Images.WINDOWS_SERVER_2012_R2,
                    MS_MPI,
                    "ms-mpi/network-direct",
                    List.of(Extensions.infiniBandDriverWindows())),
            new SizeDefaults(
                    SRIOV_INFINIBAND,
                    WINDOWS,
                    Images.WINDOWS_SERVER_2019_GEN2,
                    MS_MPI,
                    "ms-mpi/network-direct",
                    List.of(Extensions.infiniBandDriverWindows())),
            new SizeDefaults(NONE, WINDOWS, Images.WINDOWS_SERVER_2019, MS_MPI, "ms-mpi/tcp", List.of()));

    private final Interconnect interconnect;
    private final OperatingSystem operatingSystem;
    private final ImageReference image;
    private final MpiInstall mpi;
    private final String preset;
    private final List<ExtensionSpec> extensions;

    private SizeDefaults(
            Interconnect interconnect,
            OperatingSystem operatingSystem,
            ImageReference image,
            MpiInstall mpi,
            String preset,
            List<ExtensionSpec> extensions) {
        this.interconnect = interconnect;
        this.operatingSystem = operatingSystem;
        this.image = image;
        this.mpi = mpi;
        this.preset = preset;
        this.extensions = extensions;
    }

    /** All defaults, one row for each interconnect and operating system. */
    public static List<SizeDefaults> table() {
        return TABLE;
    }

    /** The defaults of a size. */
    public static SizeDefaults of(VmSizeFacts size, OperatingSystem operatingSystem) {
        return of(size.interconnect(), operatingSystem);
    }

    /** The defaults of an interconnect; one that no size of the catalog has gets those of a plain network. */
    public static SizeDefaults of(Interconnect interconnect, OperatingSystem operatingSystem) {
        return find(interconnect, operatingSystem)
                .or(() -> find(NONE, operatingSystem))
                .orElseThrow();
    }

    /** The image that a description boots: its own, or where that is {@code auto}, the one of its size. */
    public static ImageReference baseImage(ClusterSpec spec, VmSizes sizes) {
        ImageReference base = spec.image().base();
        Interconnect interconnect = spec.nodes()
                .size()
                .flatMap(sizes::find)
                .map(VmSizeFacts::interconnect)
                .orElse(NONE);
        return base instanceof ImageReference.Auto ? of(interconnect, spec.operatingSystem()).image : base;
    }

    /**
     * The placement of the nodes of a spec: its own, or what {@link Placement.Kind#AUTO} means. That is one scale set for spot
     * machines, and for more machines than an availability set holds; an availability set for others.
     */
    public static Placement.Kind placement(ClusterSpec spec, VmSizes sizes) {
        Placement.Kind kind = spec.placement().kind();
        if (kind != Placement.Kind.AUTO) {
            return kind;
        }
        return spec.nodes().spot().enabled() || spec.nodes().count() > AVAILABILITY_SET_MOST
                ? Placement.Kind.SCALE_SET
                : Placement.Kind.AVAILABILITY_SET;
    }

    private static Optional<SizeDefaults> find(Interconnect interconnect, OperatingSystem operatingSystem) {
        return TABLE.stream()
                .filter(row -> row.interconnect == interconnect && row.operatingSystem == operatingSystem)
                .findFirst();
    }

    /**
     * The MPI that is installed where a description names none: that of the size, whose image is taken as well. Empty where the
     * description names an MPI or another image, which may hold any, and where the catalog does not have the size.
     */
    public static Optional<MpiInstall> unnamedMpi(ClusterSpec spec, VmSizes sizes) {
        if (spec.image().customize().mpi().isPresent()) {
            return Optional.empty();
        }
        ImageReference base = spec.image().base();
        return spec.nodes()
                .size()
                .flatMap(sizes::find)
                .map(size -> of(size, spec.operatingSystem()))
                .filter(defaults -> base instanceof ImageReference.Auto || base.equals(defaults.image))
                .map(SizeDefaults::mpi);
    }

    /** The interconnect this row is for. */
    public Interconnect interconnect() {
        return interconnect;
    }

    /** The operating system this row is for. */
    public OperatingSystem operatingSystem() {
        return operatingSystem;
    }

    /** What {@code image.base: auto} means. */
    public ImageReference image() {
        return image;
    }

    /** The MPI where the spec names none; see {@link #unnamedMpi(ClusterSpec, VmSizes)}. */
    public MpiInstall mpi() {
        return mpi;
    }

    /** What {@code mpi.preset: auto} means when the spec names no MPI either. */
    public String preset() {
        return preset;
    }

    /** The extensions that the image needs on such a size, wherever it runs. */
    public List<ExtensionSpec> extensions() {
        return extensions;
    }
}
