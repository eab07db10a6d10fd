package io.clusterwright.core.catalog;

import io.clusterwright.core.spec.ClusterSpec;
import io.clusterwright.core.spec.ExtensionSpec;
import io.clusterwright.core.spec.MpiFlavour;
import io.clusterwright.core.spec.MpiInstall;
import io.clusterwright.core.spec.MpiInstall.MpiSource;
import io.clusterwright.core.spec.OperatingSystem;
import io.clusterwright.core.spec.Placement;
import io.clusterwright.core.type.ImageReference;
import io.clusterwright.core.type.ImageReference.Marketplace;
import io.clusterwright.core.type.Interconnect;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The default image, MPI, extensions and placement of a spec, by the size of its nodes: interconnect, GPU, processors
 * and generation. Use it to show what a spec gets that names neither image nor MPI.
 *
 * <pre>{@code
 * SizeDefaults defaults = SizeDefaults.of(Interconnect.SRIOV_INFINIBAND, OperatingSystem.LINUX);
 * System.out.println(defaults.image() + ", " + defaults.mpi() + ", " + defaults.preset());
 * }</pre>
 */
public final class SizeDefaults {
    /** The capacity of an availability set. Source: the limits of the subscription service. */
    private static final int AVAILABILITY_SET_MOST = 200;

    private static final CatalogFile<SizeDefaults> FILE = new CatalogFile<>(
            "interconnect* os* gpu architecture generation image* mpi* mpi_version mpi_from* preset* extensions source*",
            SizeDefaults::new,
            row -> row.interconnects("interconnect").iterator().next() + " " + row.text("os") + " "
                    + Stream.of("gpu", "architecture", "generation")
                            .map(row::text)
                            .filter(text -> !text.isEmpty())
                            .findFirst()
                            .orElse(""));
    private static final List<SizeDefaults> TABLE =
            List.copyOf(FILE.resource("size-defaults.csv").values());

    private final Interconnect interconnect;
    private final OperatingSystem operatingSystem;
    private final @Nullable String gpu;
    private final @Nullable Architecture architecture;
    private final boolean generation1;
    private final ImageReference image;
    private final MpiInstall mpi;
    private final String preset;
    private final List<ExtensionSpec> extensions;

    private SizeDefaults(CatalogRow row) {
        row.required("source");
        interconnect = row.interconnects("interconnect").iterator().next();
        operatingSystem = row.oneOf("os", List.of(OperatingSystem.values()));
        gpu = row.value("gpu", text -> text).orElse(null);
        architecture = row.value("architecture", text -> row.oneOf("architecture", List.of(Architecture.values())))
                .orElse(null);
        generation1 = row.oneOf("generation", List.of("gen1", "")).equals("gen1");
        image = ImageReference.of(row.required("image"));
        mpi = mpi(row);
        preset = row.required("preset");
        extensions = row.words("extensions").stream().map(ExtensionSpec::named).toList();
    }

    private static MpiInstall mpi(CatalogRow row) {
        MpiInstall.Builder install = MpiInstall.builder()
                .flavour(row.oneOf("mpi", List.of(MpiFlavour.values())))
                .install(
                        switch (row.required("mpi_from")) {
                            case "image" -> MpiSource.image();
                            case "distribution" -> MpiSource.distribution();
                            default -> MpiSource.packages(row.text("mpi_from"));
                        });
        row.value("mpi_version", text -> text).ifPresent(install::version);
        return install.build();
    }

    /** All defaults; the first row that fits a size is taken. */
    public static List<SizeDefaults> table() {
        return TABLE;
    }

    /** The defaults of a size. */
    public static SizeDefaults of(VmSizeFacts size, OperatingSystem operatingSystem) {
        return rows(size.interconnect(), operatingSystem)
                .filter(row -> row.fits(size))
                .findFirst()
                .orElseGet(() -> of(size.interconnect(), operatingSystem));
    }

    /**
     * The defaults of an interconnect, for x64 processors, without regard to GPUs, and of generation 2 where there is a choice; one
     * that no size of the catalog has gets the defaults of a plain network.
     */
    public static SizeDefaults of(Interconnect interconnect, OperatingSystem operatingSystem) {
        return Stream.of(interconnect, Interconnect.NONE)
                .flatMap(one -> rows(one, operatingSystem))
                .filter(row -> row.machine().isEmpty())
                .findFirst()
                .orElseThrow();
    }

    private static Stream<SizeDefaults> rows(Interconnect interconnect, OperatingSystem operatingSystem) {
        return TABLE.stream().filter(row -> row.interconnect == interconnect && row.operatingSystem == operatingSystem);
    }

    private boolean fits(VmSizeFacts size) {
        return (gpu == null || gpu.equals(size.gpu().orElse("")))
                && (architecture == null || architecture == size.architecture())
                && (!generation1 || size.isGeneration1Only());
    }

    /**
     * The image that a spec boots: its own, or where that is {@code auto}, the one of its size. For the name of a classic image it is the
     * image of the marketplace with the same content, where the catalog knows it.
     */
    public static ImageReference baseImage(ClusterSpec spec, VmSizes sizes) {
        ImageReference base = spec.image().base();
        return base instanceof ImageReference.Auto
                ? sizes.ofNodes(spec)
                        .map(size -> of(size, spec.operatingSystem()))
                        .orElseGet(() -> of(Interconnect.NONE, spec.operatingSystem()))
                        .image
                : Images.standard().withoutClassicName(base);
    }

    /**
     * The placement of the nodes of a spec: its own, or what {@link Placement.Kind#AUTO} means. That is one scale set for Linux nodes of a
     * size with RDMA, which Azure allocates on one fabric or not at all, for spot machines, and for more machines than an availability set
     * holds; an availability set for others. Instances of a scale set get their addresses from Azure, so that nodes
     * with RDMA whose addresses
     * {@code network.firstAddress} fixes are in an availability set, too.
     */
    public static Placement.Kind placement(ClusterSpec spec, VmSizes sizes) {
        Placement.Kind kind = spec.placement().kind();
        if (kind != Placement.Kind.AUTO) {
            return kind;
        }
        boolean fabric = spec.operatingSystem() == OperatingSystem.LINUX
                && spec.network().firstAddress().isEmpty()
                && sizes.ofNodes(spec)
                        .filter(size -> size.interconnect().isRdma())
                        .isPresent();
        return fabric || spec.nodes().spot().enabled() || spec.nodes().count() > AVAILABILITY_SET_MOST
                ? Placement.Kind.SCALE_SET
                : Placement.Kind.AVAILABILITY_SET;
    }

    /**
     * The MPI that is installed where a spec names none: the MPI of the size, whose image is taken as well. Empty where the
     * spec names an MPI or another image, which may hold any, and where the catalog does not have the size.
     */
    public static Optional<MpiInstall> unnamedMpi(ClusterSpec spec, VmSizes sizes) {
        if (spec.image().customize().mpi().isPresent()) {
            return Optional.empty();
        }
        ImageReference base = withoutPaidSupport(baseImage(spec, sizes));
        return sizes.ofNodes(spec)
                .map(size -> of(size, spec.operatingSystem()))
                .filter(defaults -> base.equals(defaults.image))
                .map(SizeDefaults::mpi);
    }

    /**
     * The driver extension that is installed where a spec names none: for a size with RDMA whose image, by the catalog, lacks the
     * driver or needs its update. Empty where the spec names an extension with drivers or HPC Pack, which installs them; in the
     * regions where the extension must not be applied; on images that its publisher does not support; and where the catalog does not
     * have the size or the image.
     */
    public static Optional<ExtensionSpec> unnamedDriver(ClusterSpec spec, VmSizes sizes) {
        Optional<VmSizeFacts> size =
                sizes.ofNodes(spec).filter(one -> one.interconnect().isRdma());
        if (size.isEmpty()
                || spec.hpcPack().isPresent()
                || spec.extensions().stream().anyMatch(SizeDefaults::drives)) {
            return Optional.empty();
        }
        ImageReference base = baseImage(spec, sizes);
        Interconnect network = size.get().interconnect();
        boolean lacking = Images.standard()
                .find(base)
                .flatMap(ImageFacts::rdmaDrivers)
                .filter(inside -> !inside)
                .isPresent();
        String region = spec.region().orElse("").replace(" ", "").toLowerCase(Locale.ROOT);
        SizeDefaults defaults = of(size.get(), spec.operatingSystem());
        Stream<ExtensionSpec> ofImage =
                sameImage(withoutPaidSupport(base), defaults.image) ? defaults.extensions.stream() : Stream.empty();
        Stream<ExtensionSpec> ofSystem = lacking
                ? Stream.of(Extensions.infiniBandDriverLinux(), Extensions.infiniBandDriverWindows())
                : Stream.empty();
        return Stream.concat(ofImage, ofSystem)
                .filter(extension -> Extensions.standard()
                        .find(extension)
                        .filter(facts -> facts.operatingSystem() == spec.operatingSystem()
                                && facts.driversFor().contains(network)
                                && facts.supports(base)
                                && !facts.excludedRegions().contains(region))
                        .isPresent())
                .findFirst();
    }

    private static boolean drives(ExtensionSpec extension) {
        return Extensions.standard()
                .find(extension)
                .filter(facts -> !facts.driversFor().isEmpty())
                .isPresent();
    }

    /** An image with paid support has the content of the image without it. */
    private static ImageReference withoutPaidSupport(ImageReference image) {
        Images images = Images.standard();
        return images.find(image)
                .flatMap(images::withoutPaidSupport)
                .flatMap(ImageFacts::reference)
                .orElse(image);
    }

    /** Whether two images differ in their versions at most. */
    private static boolean sameImage(ImageReference one, ImageReference other) {
        return one instanceof Marketplace a
                && other instanceof Marketplace b
                && (a.publisher() + a.offer() + a.sku()).equalsIgnoreCase(b.publisher() + b.offer() + b.sku());
    }

    /** The interconnect this row is for. */
    public Interconnect interconnect() {
        return interconnect;
    }

    /** The operating system this row is for. */
    public OperatingSystem operatingSystem() {
        return operatingSystem;
    }

    /**
     * The sizes of the interconnect that this row is for: a GPU such as {@code v100}, {@code arm64}, or {@code gen1} for those that boot
     * generation 1 only. Empty for all others.
     */
    public String machine() {
        if (gpu != null) {
            return gpu;
        }
        return architecture != null ? architecture.toString() : generation1 ? "gen1" : "";
    }

    /** The meaning of {@code image.base: auto}. */
    public ImageReference image() {
        return image;
    }

    /** The MPI where the spec names none; see {@link #unnamedMpi(ClusterSpec, VmSizes)}. */
    public MpiInstall mpi() {
        return mpi;
    }

    /** The meaning of {@code mpi.preset: auto} in a spec without an MPI. */
    public String preset() {
        return preset;
    }

    /** The extensions that the image needs on such a size; see {@link #unnamedDriver(ClusterSpec, VmSizes)}. */
    public List<ExtensionSpec> extensions() {
        return extensions;
    }

    /** The interconnect, the system and the sizes of this row. */
    @Override
    public String toString() {
        return (interconnect + " " + operatingSystem + " " + machine()).strip();
    }
}
