package io.clusterwright.examples.cli;

import io.clusterwright.azure.AzureImage;
import io.clusterwright.azure.AzureMachines;
import io.clusterwright.azure.emulator.ArmEmulator;
import io.clusterwright.core.ClusterManager;
import io.clusterwright.core.CreateOptions;
import io.clusterwright.core.ImageRetention;
import io.clusterwright.core.StoredImage;
import io.clusterwright.core.catalog.ImageFacts;
import io.clusterwright.core.catalog.Images;
import io.clusterwright.core.internal.json.JsonFields;
import io.clusterwright.core.plan.PriceTable;
import io.clusterwright.core.spec.ClusterSpec;
import io.clusterwright.core.type.ClusterId;
import io.clusterwright.core.type.ClusterwrightException;
import java.math.BigDecimal;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
        name = "images",
        description = "Lists the images of the catalog and the captured images, or deletes captured images.")
final class ImagesCommand extends ProgramCommand {
    @Mixin
    private AzureOptions azure = new AzureOptions();

    @Option(
            names = "--on",
            paramLabel = "WHERE",
            description = "Where captured images are: ${COMPLETION-CANDIDATES}. Default: local.")
    private Provider on = Provider.LOCAL;

    @Option(
            names = "--match",
            paramLabel = "REGEX",
            description = "Only images whose name matches, ignoring case, such as 'suse.*hpc'.")
    private String match = "";

    @Option(names = "--captured", description = "Only captured images.")
    private boolean capturedOnly;

    @Option(
            names = "--prune",
            description =
                    "Delete the images captured from this state folder that no cluster uses, and the package cache after"
                            + " the last image. To delete one image, run image delete.")
    private boolean prune;

    @Option(
            names = "--everyone",
            description = "With --prune: also delete images of other users, even while they build or use them.")
    private boolean everyone;

    @Option(
            names = "--older-than",
            paramLabel = "AGE",
            description = "With --prune: only images that were last used longer ago, such as 30d or 12h.")
    private @Nullable String olderThan;

    @Option(
            names = "--keep",
            paramLabel = "N",
            description = "With --prune: keep the N images that were used last. Default: ${DEFAULT-VALUE}.")
    private int keep;

    @Option(
            names = "--prices",
            paramLabel = "FILE",
            description = "Prices as plan reads them; snapshotPerGibMonth is the price of a captured image on azure.")
    private @Nullable Path prices;

    @Option(
            names = "--live",
            paramLabel = "REGION",
            description =
                    "Search the marketplace of this region on azure or emulator instead of the catalog. --match is"
                            + " then PUBLISHER:OFFER:SKU, each a regular expression, such as 'suse:hpc'. One expression"
                            + " alone searches all three, in publishers of the catalog and in publishers that match.")
    private @Nullable String live;

    @Option(names = "--add", paramLabel = "FILE.csv", description = "More rows; they override rows of the catalog.")
    private @Nullable Path add;

    @Override
    public Integer call() {
        if (prune && (!match.isEmpty() || add != null)) {
            throw new RefusedException("--prune deletes all captured images of this state folder; remove --match and"
                    + " --add, or delete one: clusterwright image delete NAME --on " + on);
        }
        if (everyone && !prune) {
            throw new RefusedException("--everyone needs --prune: write --prune --everyone");
        }
        if ((keep != 0 || olderThan != null) && (!prune || everyone)) {
            throw new RefusedException("--older-than and --keep need --prune without --everyone: write images --prune"
                    + " --older-than 30d --keep 5");
        }
        if (live != null) {
            return search(live);
        }
        Images catalog = add == null ? Images.standard() : Images.standard().plus(add);
        List<ImageFacts> matching = catalog.matching(match);
        PriceTable table = prices == null ? null : SpecCommand.Prices.read(prices);
        List<Object> all = new ArrayList<>(capturedOnly || prune ? List.of() : matching);
        all.addAll(captured());
        return print(
                all,
                image -> image instanceof Captured captured ? captured.json(on, table) : json((ImageFacts) image),
                prune ? "no images were deleted" : "no images",
                image -> {
                    if (image instanceof Captured captured) {
                        print(captured, table);
                    } else {
                        print((ImageFacts) image);
                    }
                });
    }

    private int search(String region) {
        if (capturedOnly || prune || add != null) {
            throw new RefusedException("--live searches the marketplace; remove --captured, --prune and --add");
        }
        if (match.isEmpty()) {
            throw new RefusedException("--live needs --match, such as --match suse:hpc");
        }
        List<AzureImage> found;
        if (on == Provider.EMULATOR) {
            try (ArmEmulator emulator = SharedAzure.builder().start()) {
                found = AzureMachines.onLoopback(emulator.url(), emulator.subscriptionId())
                        .build()
                        .searchImages(region, match);
            }
        } else if (on == Provider.AZURE || azure.given()) {
            found = azure.machines().searchImages(region, match);
        } else {
            throw new RefusedException(
                    "--live searches azure or an emulator: write --on azure, --on emulator or --endpoint URL");
        }
        return print(
                found,
                image -> JsonFields.of("reference", image.reference())
                        .and("publisher", image.reference().publisher())
                        .and("offer", image.reference().offer())
                        .and("sku", image.reference().sku())
                        .and("version", image.reference().version())
                        .andIf(!image.generation().isEmpty(), "generation", image.generation())
                        .andIf(!image.plan().isEmpty(), "plan", image.plan())
                        .andIf(!image.plan().isEmpty(), "acceptTerms", image.acceptTerms()),
                "no images",
                image -> out.printf(
                        "%-72s %-3s%s%n",
                        image.reference(),
                        image.generation(),
                        image.plan().isEmpty() ? "" : " needs once: " + image.acceptTerms()));
    }

    /** The captured images; a store that cannot be read does not hide the catalog. */
    private List<Captured> captured() {
        Pattern pattern = Pattern.compile(match, Pattern.CASE_INSENSITIVE);
        try (ClusterManager manager = manager(on, azure, SharedAzure.Want.ASK)) {
            Map<String, List<ClusterId>> users = manager.imageUsers();
            List<StoredImage> images = prune ? prune(manager, users) : manager.images();
            return images.stream()
                    .filter(image -> pattern.matcher(image.name()).find())
                    .map(image -> new Captured(image, manager.owns(image), users.getOrDefault(image.name(), List.of())))
                    .toList();
        } catch (ClusterwrightException e) {
            if (prune || capturedOnly) {
                throw e;
            }
            System.err.println("captured images are not listed: " + e.getMessage());
            return List.of();
        }
    }

    private List<StoredImage> prune(ClusterManager manager, Map<String, List<ClusterId>> users) {
        ImageRetention retention = ImageRetention.none().keep(keep).unusedFor(olderThan == null ? "0s" : olderThan);
        List<StoredImage> deleted = everyone ? manager.pruneImagesOfEveryone() : manager.pruneImages(retention);
        List<StoredImage> left = manager.images();
        List<StoredImage> own =
                left.stream().filter(image -> everyone || manager.owns(image)).toList();
        report(own.stream().filter(image -> users.containsKey(image.name())), "a cluster uses it");
        List<StoredImage> surplus = everyone ? own : retention.surplus(own, Instant.now());
        report(
                surplus.stream().filter(image -> !users.containsKey(image.name())),
                "being made, or left by a command that was killed; destroy its cluster to undo it");
        report(
                left.stream().filter(image -> !everyone && !manager.owns(image)),
                "of others; delete one: clusterwright image delete NAME --on " + on
                        + "; delete all: clusterwright images --prune --everyone --on " + on);
        return deleted;
    }

    private static void report(Stream<StoredImage> left, String why) {
        String names = left.map(StoredImage::name).collect(Collectors.joining(", "));
        if (!names.isEmpty()) {
            System.err.println("left " + names + ": " + why);
        }
    }

    private void print(ImageFacts image) {
        out.printf(
                "%-72s %-11s %s%s%n",
                image.name(), image.status(), image.distribution(), image.isPaid() ? " (support is charged)" : "");
    }

    private void print(Captured captured, @Nullable PriceTable table) {
        StoredImage image = captured.image();
        String other = image.owner().isEmpty() ? "unmarked" : "other";
        out.printf(
                Locale.ROOT,
                "%s%-72s %-11s %s %.1f MB %s%n",
                prune ? "deleted " : "",
                on + ":" + image.name(),
                image.proven() ? "captured" : "not proven",
                local(image.created()),
                image.sizeBytes() / 1e6,
                captured.own() ? "own" : other);
        if (!prune) {
            out.println("    last used " + local(image.lastUsed())
                    + (captured.users().isEmpty()
                            ? ""
                            : ", now by "
                                    + captured.users().stream()
                                            .map(user -> user.name().value())
                                            .collect(Collectors.joining(", ")))
                    + "; " + cost(image, table));
        }
    }

    /** Size and cost of an image, without prices. */
    static String cost(StoredImage image) {
        return cost(image, null);
    }

    private static String cost(StoredImage image, @Nullable PriceTable prices) {
        String size = String.format(Locale.ROOT, "%.1f MB", image.sizeBytes() / 1e6);
        if (image.billedCopies() == 0) {
            return size + " on disk, not billed";
        }
        String billed = size + ", billed as " + image.billedCopies()
                + (image.billedCopies() == 1 ? " snapshot" : " snapshots") + " until it is deleted: ";
        return billed
                + Optional.ofNullable(prices)
                        .flatMap(table -> image.perMonth(table)
                                .map(price -> "at most " + price + " " + table.currency() + " per month"))
                        .orElse("price unknown, give one: clusterwright images --captured --prices FILE");
    }

    /** The JSON form of an image of the catalog; unknown facts are absent keys. */
    private static JsonFields json(ImageFacts image) {
        return JsonFields.of("name", image.name())
                .and("reference", image.reference())
                .and("captured", false)
                .and("classic", image.isClassic())
                .and("publisher", image.publisher())
                .and("distribution", image.distribution())
                .and("operatingSystem", image.operatingSystem())
                .and("generation", image.generation())
                .and("rdmaDrivers", image.rdmaDrivers())
                .andIf(!image.driversFor().isEmpty(), "driversFor", new TreeSet<>(image.driversFor()))
                .and("mpi", image.mpi())
                .andIf(!image.contents().isEmpty(), "contents", image.contents())
                .and("paid", image.isPaid())
                .and("plan", image.needsPlan())
                .and("status", image.status())
                .and("source", image.source());
    }

    /** A captured image, and whether the state folder of this program captured it. */
    private record Captured(StoredImage image, boolean own, List<ClusterId> users) {
        Captured(StoredImage image, boolean own) {
            this(image, own, List.of());
        }

        /** Its JSON form without prices. */
        JsonFields json(Provider on) {
            return json(on, null);
        }

        /** Its JSON form; the owner is absent where it has no mark, the price where it is unknown. */
        JsonFields json(Provider on, @Nullable PriceTable prices) {
            Optional<BigDecimal> price = Optional.ofNullable(prices).flatMap(image::perMonth);
            return JsonFields.of("name", image.name())
                    .and("reference", on + ":" + image.name())
                    .and("captured", true)
                    .and("proven", image.proven())
                    .and("created", image.created())
                    .and("lastUsed", image.lastUsed())
                    .and("bytes", image.sizeBytes())
                    .and("billedCopies", image.billedCopies())
                    .andIf(price.isPresent(), "pricePerMonth", price)
                    .andIf(prices != null, "currency", prices == null ? "" : prices.currency())
                    .and("users", JsonFields.list(users, user -> user.name().value()))
                    .and("own", own)
                    .andIf(!image.owner().isEmpty(), "owner", image.owner());
        }
    }

    /** The commands {@code image build} and {@code image delete}. */
    @Command(
            name = "image",
            description = "Builds an image without a cluster, or deletes one; images lists them.",
            subcommands = {Build.class, Delete.class})
    static final class OneImage implements Callable<Integer> {
        @Override
        public Integer call() {
            throw new RefusedException(
                    "no action was given: write clusterwright image build SPEC --on WHERE, or image delete NAME --on"
                            + " WHERE");
        }
    }

    @Command(
            name = "build",
            description =
                    "Builds and tests the image of a spec's nodes, and deletes the machines of the build. On azure the"
                            + " machines are billed during the build, and the image is billed until it is deleted.")
    static final class Build extends SpecCommand {
        @Mixin
        private Place place = new Place();

        @Option(
                names = "--fresh-image",
                description = "Build the image again even if an image of the same recipe exists.")
        private boolean fresh;

        @Override
        public Integer call() {
            ClusterSpec spec = spec();
            CreateOptions options = CreateOptions.standard().listener(new ProgressPrinter());
            try (ClusterManager manager = place.manager(SharedAzure.Want.MAKE)) {
                StoredImage image = manager.buildImage(spec, fresh ? options.freshImage() : options);
                return print(
                        () -> new Captured(image, manager.owns(image)).json(place.on), () -> out.println(image.name()));
            }
        }
    }

    @Command(
            name = "delete",
            description =
                    "Deletes one captured image; clusters of this image keep running. It deletes only images that this"
                            + " program captured.")
    static final class Delete extends ProgramCommand {
        @Mixin
        private AzureOptions azure = new AzureOptions();

        @Option(
                names = "--on",
                paramLabel = "WHERE",
                description = "Where the image is: ${COMPLETION-CANDIDATES}. Default: local.")
        private Provider on = Provider.LOCAL;

        @Parameters(paramLabel = "NAME", description = "The image's name, as images --captured lists it.")
        private String name = "";

        @Override
        public Integer call() {
            String prefix = on + ":";
            try (ClusterManager manager = manager(on, azure, SharedAzure.Want.ASK)) {
                StoredImage image =
                        manager.deleteImage(name.startsWith(prefix) ? name.substring(prefix.length()) : name);
                return print(
                        () -> new Captured(image, manager.owns(image)).json(on).and("deleted", true),
                        () -> out.println("deleted " + image.name()));
            }
        }
    }
}
