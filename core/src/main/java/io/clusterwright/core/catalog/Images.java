package io.clusterwright.core.catalog;

import io.clusterwright.core.type.ImageReference;
import io.clusterwright.core.type.InvalidValueException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;

/**
 * The catalog of images. Immutable. Use it to find the images of a publisher, their drivers and their contents.
 *
 * <pre>{@code
 * for (ImageFacts image : Images.standard().matching("almalinux.*")) {
 *     System.out.println(image.name() + ": drivers for " + image.driversFor() + "; " + image.contents());
 * }
 * }</pre>
 */
public final class Images {
    /** Ubuntu 22.04 with OFED and MPI, for SR-IOV sizes. */
    public static final ImageReference UBUNTU_HPC_2204 = ImageReference.of("microsoft-dsvm:ubuntu-hpc:2204:latest");
    /** Ubuntu 24.04 with OFED and MPI, for SR-IOV sizes. */
    public static final ImageReference UBUNTU_HPC_2404 = ImageReference.of("microsoft-dsvm:ubuntu-hpc:2404:latest");
    /** AlmaLinux 8.10 with OFED and MPI, for SR-IOV sizes. */
    public static final ImageReference ALMALINUX_HPC_8 =
            ImageReference.of("almalinux:almalinux-hpc:8_10-hpc-gen2:latest");
    /** AlmaLinux 9 with OFED and MPI, for SR-IOV sizes. */
    public static final ImageReference ALMALINUX_HPC_9 = ImageReference.of("almalinux:almalinux-hpc:9-hpc-gen2:latest");
    /** Azure Linux 3 with OFED and MPI, for SR-IOV sizes. */
    public static final ImageReference AZURE_LINUX_HPC_3 = ImageReference.of("azure-hpc:azurelinux-hpc:3:latest");
    /** SLES 12 with Network Direct drivers and Intel MPI 5; whether it can still be had is not confirmed. */
    public static final ImageReference SLES_HPC_12 = ImageReference.of("SUSE:SLES-HPC:12:latest");
    /** Ubuntu 24.04 for Arm processors, as Canonical makes it, without RDMA. */
    public static final ImageReference UBUNTU_2404_ARM64 =
            ImageReference.of("Canonical:ubuntu-24_04-lts:server-arm64:latest");
    /** Ubuntu 22.04 as Canonical makes it, without RDMA, for machines of generation 1. */
    public static final ImageReference UBUNTU_2204 =
            ImageReference.of("Canonical:0001-com-ubuntu-server-jammy:22_04-lts:latest");
    /** Windows Server 2012 R2. */
    public static final ImageReference WINDOWS_SERVER_2012_R2 =
            ImageReference.of("MicrosoftWindowsServer:WindowsServer:2012-R2-Datacenter:latest");
    /** Windows Server 2019, for machines of generation 1. */
    public static final ImageReference WINDOWS_SERVER_2019 =
            ImageReference.of("MicrosoftWindowsServer:WindowsServer:2019-Datacenter:latest");
    /** Windows Server 2019, for machines of generation 2. */
    public static final ImageReference WINDOWS_SERVER_2019_GEN2 =
            ImageReference.of("MicrosoftWindowsServer:WindowsServer:2019-datacenter-gensecond:latest");
    /** The head node of HPC Pack 2019, on Windows Server 2019. */
    public static final ImageReference HPC_PACK_2019_HEAD_NODE =
            ImageReference.of("MicrosoftWindowsServerHPCPack:WindowsServerHPCPack:2019hn-ws2019:latest");

    private static final CatalogFile<ImageFacts> FILE = new CatalogFile<>(
            "classic_name publisher* offer* sku* os* generation architecture rdma_ready drivers_for mpi_preinstalled contents paid plan"
                    + " status source*",
            ImageFacts::new,
            row -> plain(ImageFacts.name(row)));
    private static final Pattern PAID = Pattern.compile("-priority\\b", Pattern.CASE_INSENSITIVE);
    private static final Images STANDARD = new Images(FILE.lateResource("images.csv"));

    private final CatalogEntries<ImageFacts> images;

    private Images(CatalogEntries<ImageFacts> images) {
        this.images = images;
    }

    /** The catalog that comes with the library: images for HPC and the plain ones beside them, as published. */
    public static Images standard() {
        return STANDARD;
    }

    /**
     * This catalog with the rows of a file, which win over rows of the same image.
     *
     * @param file CSV with the columns of the library's own {@code images.csv}; needed are {@code publisher},
     *     {@code offer}, {@code sku}, {@code os} and {@code source}
     * @throws io.clusterwright.core.spec.InvalidSpecException with every row that cannot be used, its line and what is allowed
     */
    public Images plus(Path file) {
        return new Images(images.plus(FILE.file(file)));
    }

    /** All images, in the order of the catalog. */
    public List<ImageFacts> all() {
        return images.all();
    }

    /**
     * The images whose name has a match somewhere, as {@code grep -i} finds them.
     *
     * @param regex a regular expression such as {@code suse.*hpc}; case does not matter
     * @throws InvalidValueException when it is not a regular expression
     */
    public List<ImageFacts> matching(String regex) {
        Pattern pattern;
        try {
            pattern = Pattern.compile(regex, Pattern.CASE_INSENSITIVE);
        } catch (PatternSyntaxException e) {
            throw new InvalidValueException(
                    "search for images", regex, "a valid regular expression: " + e.getDescription(), "suse.*hpc");
        }
        return images.all().stream()
                .filter(image -> pattern.matcher(image.name()).find())
                .toList();
    }

    /** Finds an image; its version and case do not matter. */
    public Optional<ImageFacts> find(ImageReference reference) {
        if (reference instanceof ImageReference.Classic image) {
            return find(image.name());
        }
        return reference instanceof ImageReference.Marketplace image
                ? find(String.join(":", image.publisher(), image.offer(), image.sku()))
                : Optional.empty();
    }

    /**
     * Replaces the name of a classic image by the image of the marketplace with the same content. Other references, and names of classic
     * images without such an image, are returned as they are.
     */
    public ImageReference withoutClassicName(ImageReference reference) {
        return reference instanceof ImageReference.Classic
                ? find(reference).flatMap(ImageFacts::reference).orElse(reference)
                : reference;
    }

    /** The same image without the publisher's paid support; empty for an image without it, and where the catalog has no such image. */
    public Optional<ImageFacts> withoutPaidSupport(ImageFacts image) {
        return image.isPaid() ? find(PAID.matcher(image.name()).replaceFirst("")) : Optional.empty();
    }

    /** Finds an image by its {@link ImageFacts#name()}; case does not matter. */
    public Optional<ImageFacts> find(String name) {
        return images.find(plain(name));
    }

    private static String plain(String name) {
        return name.toLowerCase(Locale.ROOT);
    }

    /** The number of images. */
    @Override
    public String toString() {
        return all().size() + " images";
    }
}
