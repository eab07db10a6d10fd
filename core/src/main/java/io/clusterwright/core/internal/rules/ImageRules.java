package io.clusterwright.core.internal.rules;

import static io.clusterwright.core.spi.Rule.Where.CLOUD;
import static io.clusterwright.core.spi.Rule.Where.EVERYWHERE;

import io.clusterwright.core.catalog.ImageFacts;
import io.clusterwright.core.catalog.SizeDefaults;
import io.clusterwright.core.spec.ClusterSpec;
import io.clusterwright.core.spec.Customization;
import io.clusterwright.core.spec.HpcPackSpec;
import io.clusterwright.core.spec.ImageSpec.Deprovision;
import io.clusterwright.core.spi.Facts;
import io.clusterwright.core.spi.Rule;
import io.clusterwright.core.type.ImageReference;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.regex.Pattern;

/** The image against the machines, and what is kept of it. */
final class ImageRules {
    private static final io.clusterwright.core.catalog.Images CATALOG = io.clusterwright.core.catalog.Images.standard();

    private static final Set<String> AZURE = Set.of("azure", "emulator");

    private ImageRules() {}

    static List<Rule> rules() {
        return List.of(
                Rule.error(
                        "CW-IMAGE-001",
                        CLOUD,
                        "the size cannot boot an image of this generation",
                        "choose the image for the other generation, or write image: {base: auto}",
                        ImageRules::generation),
                Rule.error(
                        "CW-IMAGE-002",
                        CLOUD,
                        "the image's RDMA drivers do not fit the adapter of the size",
                        "write image: {base: auto}, which chooses an image for the size",
                        ImageRules::otherDriver),
                Rule.warning(
                        "CW-IMAGE-003",
                        CLOUD,
                        "the image has no RDMA driver, so MPI silently runs over TCP",
                        "write image: {base: auto}, or extensions: [{name: InfiniBandDriverLinux}]",
                        ImageRules::noDriver),
                Rule.info(
                        "CW-IMAGE-004",
                        CLOUD,
                        "image version latest: another day may bring another image",
                        "if runs must be repeatable, write a version in place of latest",
                        ImageRules::latest),
                Rule.warning(
                        "CW-IMAGE-005",
                        EVERYWHERE,
                        "no image is captured, so every node is customised separately",
                        "write image: {capture: true}",
                        ImageRules::notCaptured),
                Rule.warning(
                        "CW-IMAGE-006",
                        EVERYWHERE,
                        "the login user stays in the captured image with its password",
                        "write image: {deprovision: remove-user}, or login.publicKeys instead of the password",
                        ImageRules::passwordStays),
                Rule.error(
                        "CW-IMAGE-007",
                        CLOUD,
                        "the image is for another processor architecture than the size",
                        "write image: {base: auto}, which chooses an image for the size",
                        ImageRules::otherProcessors),
                Rule.info(
                        "CW-IMAGE-008",
                        CLOUD,
                        "image.base is the name of a classic image, which Azure boots no more",
                        "nothing to do; or write the image that the finding names",
                        ImageRules::classicName),
                Rule.error(
                        "CW-IMAGE-009",
                        CLOUD,
                        "image.base is the name of a classic image, and the catalog knows no image of the marketplace for it",
                        "write image: {base: auto} or image: {base: \"SUSE:SLES-HPC:12:latest\"}; to list the images run:"
                                + " clusterwright images (Images.standard)",
                        ImageRules::unknownClassicName),
                Rule.warning(
                        "CW-IMAGE-010",
                        CLOUD,
                        "the image includes paid support by its publisher, which is charged beside the price of the machine",
                        "write the image without paid support that the finding names",
                        ImageRules::paidSupport),
                Rule.error(
                        "CW-IMAGE-011",
                        CLOUD,
                        "image.base is an image of local nodes, which Azure does not have",
                        "write image: {base: auto}, or write this base for local nodes only, under on: {local: {image: …}}",
                        ImageRules::localImage));
    }

    private static void generation(ClusterSpec spec, Facts facts, Rule.Report report) {
        boolean first = Images.firstGeneration(SpecQueries.marketplace(spec));
        int generation = known(spec)
                .map(ImageFacts::generation)
                .orElse(OptionalInt.empty())
                .orElse(first ? 1 : 0);
        facts.size(spec)
                .filter(size ->
                        generation == 1 && size.isGeneration2Only() || generation == 2 && size.isGeneration1Only())
                .ifPresent(size -> report.add(
                        "image.base",
                        spec.image().base() + " is an image of generation " + generation + ", and " + size
                                + " boots generation " + (3 - generation)));
    }

    private static void otherProcessors(ClusterSpec spec, Facts facts, Rule.Report report) {
        known(spec)
                .ifPresent(image -> facts.size(spec)
                        .filter(size -> size.architecture() != image.architecture())
                        .ifPresent(size -> report.add(
                                "image.base",
                                spec.image().base() + " is an image for " + image.architecture() + ", and " + size
                                        + " is " + size.architecture())));
    }

    private static Optional<ImageFacts> known(ClusterSpec spec) {
        return CATALOG.find(spec.image().base());
    }

    private static void otherDriver(ClusterSpec spec, Facts facts, Rule.Report report) {
        String image = SpecQueries.marketplace(spec);
        boolean modern = SpecQueries.networkDirect(spec, facts) && Images.sriovOnly(image);
        boolean old = SpecQueries.sriov(spec, facts) && Images.networkDirectOnly(image);
        if (modern || old) {
            report.add(
                    "image.base",
                    spec.image().base() + " has drivers for " + (modern ? "SR-IOV" : "network-direct")
                            + " sizes, and " + spec.nodes().requireSize() + " is a "
                            + (modern ? "network-direct" : "SR-IOV") + " size");
        }
    }

    private static void noDriver(ClusterSpec spec, Facts facts, Rule.Report report) {
        ImageReference image = SizeDefaults.baseImage(spec, facts.sizes());
        if (SpecQueries.rdma(spec, facts)
                && Images.plain(image.toString().toLowerCase(Locale.ROOT))
                && SizeDefaults.unnamedDriver(spec, facts.sizes()).isEmpty()
                && !(SpecQueries.sriov(spec, facts) && SpecQueries.hasExtension(spec, "InfiniBandDriverLinux"))) {
            report.add(
                    "image.base",
                    image + " has no driver for the RDMA adapter of "
                            + spec.nodes().requireSize() + ", so MPI silently runs over TCP");
        }
    }

    private static void localImage(ClusterSpec spec, Facts facts, Rule.Report report) {
        ImageReference base = spec.image().base();
        boolean ofNodes = base instanceof ImageReference.Local || base instanceof ImageReference.SystemFile;
        if (ofNodes && facts.provider().filter(AZURE::contains).isPresent()) {
            report.add("image.base", base + " is an image of local nodes, which Azure does not have");
        }
    }

    private static void latest(ClusterSpec spec, Facts facts, Rule.Report report) {
        if (spec.image().base() instanceof ImageReference.Marketplace image && image.isLatest()) {
            report.add("image.base", image + " may be another image tomorrow");
        }
    }

    private static void classicName(ClusterSpec spec, Facts facts, Rule.Report report) {
        ImageReference base = spec.image().base();
        ImageReference today = CATALOG.withoutClassicName(base);
        if (!today.equals(base)) {
            report.add(
                    "image.base",
                    base + " is the name of a classic image: the machines boot " + today + " instead",
                    "nothing to do; or write image: {base: \"" + today + "\"}");
        }
    }

    private static void unknownClassicName(ClusterSpec spec, Facts facts, Rule.Report report) {
        ImageReference today = CATALOG.withoutClassicName(spec.image().base());
        if (today instanceof ImageReference.Classic) {
            report.add(
                    "image.base",
                    today
                            + " is the name of a classic image, which Azure boots no more, and the catalog knows no image of the"
                            + " marketplace for it");
        }
    }

    private static void paidSupport(ClusterSpec spec, Facts facts, Rule.Report report) {
        paidSupport("image.base", CATALOG.find(spec.image().base()), report);
        spec.hpcPack()
                .flatMap(HpcPackSpec::linuxNodes)
                .ifPresent(nodes -> paidSupport("hpcPack.linuxNodes.image", CATALOG.find(nodes.image()), report));
    }

    private static void paidSupport(String path, Optional<ImageFacts> image, Rule.Report report) {
        image.filter(ImageFacts::isPaid)
                .ifPresent(paid -> report.add(
                        path,
                        paid + " includes paid support by " + paid.publisher()
                                + ", which is charged beside the price of the machines: the catalog has no price of it, so"
                                + " neither the price in the plan nor costCap includes it",
                        CATALOG.withoutPaidSupport(paid)
                                .map(free ->
                                        "to boot the image without paid support, write " + path + ": " + writable(free))
                                .orElse("")));
    }

    /** The image as a field of a spec takes it. */
    private static String writable(ImageFacts image) {
        return image.isClassic() ? image.name() : image.name() + ":latest";
    }

    private static void notCaptured(ClusterSpec spec, Facts facts, Rule.Report report) {
        Customization wanted = spec.image().customize();
        boolean work = !wanted.packages().isEmpty()
                || !wanted.scripts().isEmpty()
                || !wanted.files().isEmpty()
                || wanted.mpi().isPresent();
        if (!spec.image().capture() && work && spec.nodes().count() > 1) {
            report.add(
                    "image.capture",
                    "image.capture is false, so packages, MPI and scripts are installed "
                            + spec.nodes().count() + " times");
        }
    }

    private static void passwordStays(ClusterSpec spec, Facts facts, Rule.Report report) {
        if (spec.image().capture()
                && spec.image().deprovision() == Deprovision.KEEP_USER
                && SpecQueries.linux(spec)
                && spec.login().password().isPresent()) {
            report.add(
                    "image.deprovision",
                    "the captured image keeps the user " + spec.login().user() + " and its password");
        }
    }

    /** Properties of marketplace images, by their names in lower case. */
    static final class Images {
        private static final Set<String> LINUX = Set.of(
                "microsoft-dsvm",
                "canonical",
                "almalinux",
                "openlogic",
                "suse",
                "redhat",
                "resf",
                "azure-hpc",
                "debian");
        private static final Pattern OLD_CENTOS = Pattern.compile("openlogic:centos-hpc:(6[._]\\d+|7[._][0-4]).*");
        private static final Pattern SRIOV_READY = Pattern.compile(
                "(microsoft-dsvm:ubuntu-hpc|almalinux:almalinux-hpc|azure-hpc:azurelinux-hpc):.*|openlogic:centos-hpc:7[._][6-9].*");
        private static final Pattern PLAIN = Pattern.compile("canonical:(?!.*hpc).*|debian:.*|resf:.*|redhat:rhel:.*"
                + "|almalinux:almalinux-x86_64:.*|openlogic:centos:.*|suse:sles-\\d+-sp\\d+:.*");
        private static final Pattern FIRST_GENERATION = Pattern.compile(
                ".*[:-]gen1|openlogic:centos-hpc:7[._]\\d|microsoftwindowsserver:windowsserver:\\d{4}(-r2)?-datacenter");

        private Images() {}

        static boolean knownLinux(String image) {
            return LINUX.contains(image.split(":")[0]);
        }

        /** Whether it holds drivers for network-direct sizes, and none for SR-IOV. */
        static boolean networkDirectOnly(String image) {
            return OLD_CENTOS.matcher(image).matches() || image.matches("suse:sles-hpc(-priority)?:12.*");
        }

        /** Whether it holds drivers for SR-IOV sizes, and none for network-direct. */
        static boolean sriovOnly(String image) {
            return SRIOV_READY.matcher(image).matches();
        }

        /** Whether it holds no RDMA driver at all. */
        static boolean plain(String image) {
            return PLAIN.matcher(image).matches();
        }

        static boolean firstGeneration(String image) {
            return FIRST_GENERATION.matcher(image).matches();
        }
    }
}
