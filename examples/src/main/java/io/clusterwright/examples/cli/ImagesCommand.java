package io.clusterwright.examples.cli;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.clusterwright.azure.AzureImage;
import io.clusterwright.azure.AzureMachines;
import io.clusterwright.azure.emulator.ArmEmulator;
import io.clusterwright.core.ClusterManager;
import io.clusterwright.core.StoredImage;
import io.clusterwright.core.catalog.ImageFacts;
import io.clusterwright.core.catalog.Images;
import io.clusterwright.core.internal.json.Json;
import io.clusterwright.core.type.ClusterwrightException;
import io.clusterwright.core.type.Interconnect;
import io.clusterwright.examples.SharedAzure;
import io.clusterwright.examples.console.ExitCodes;
import io.clusterwright.examples.console.RefusedException;
import io.clusterwright.examples.options.AzureOptions;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(
        name = "images",
        description = "Lists the images of the catalog and the captured images, or deletes the captured ones.")
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
                    "Delete the images that were captured with this state folder, and the packages cached for images where none"
                            + " is left; image delete deletes one.")
    private boolean prune;

    @Option(
            names = "--everyone",
            description = "With --prune: also the images of other users, which they may be making or using now.")
    private boolean everyone;

    @Option(
            names = "--live",
            paramLabel = "REGION",
            description =
                    "Search the marketplace of this region on azure or emulator instead of the catalog. --match is then"
                            + " PUBLISHER:OFFER:SKU, each a regular expression, such as 'suse:hpc'; a single one is searched in all"
                            + " three, of the publishers in the catalog and of those whose name it finds.")
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
            throw new RefusedException("--everyone says whose images --prune deletes; add --prune");
        }
        if (live != null) {
            return search(live);
        }
        Images catalog = add == null ? Images.standard() : Images.standard().plus(add);
        List<ImageFacts> matching = catalog.matching(match);
        List<ImageFacts> listed = capturedOnly || prune ? List.of() : matching;
        List<Captured> captured = captured();
        if (json) {
            ArrayNode array = Json.array();
            listed.forEach(image -> array.add(json(image)));
            captured.forEach(image -> array.add(json(on, image.image(), image.own())));
            print(array);
            return ExitCodes.OK;
        }
        listed.forEach(this::print);
        captured.forEach(this::print);
        if (listed.isEmpty() && captured.isEmpty()) {
            out.println(prune ? "no images were deleted" : "no images");
        }
        return ExitCodes.OK;
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
        if (found.isEmpty() && !json) {
            out.println("no images");
        }
        print(
                found,
                ImagesCommand::json,
                image -> out.printf(
                        "%-72s %-3s%s%n",
                        image.reference(),
                        image.generation(),
                        image.plan().isEmpty() ? "" : " needs once: " + image.acceptTerms()));
        return ExitCodes.OK;
    }

    private static ObjectNode json(AzureImage image) {
        ObjectNode json = Json.object()
                .put("reference", image.reference().toString())
                .put("publisher", image.reference().publisher())
                .put("offer", image.reference().offer())
                .put("sku", image.reference().sku())
                .put("version", image.reference().version());
        if (!image.generation().isEmpty()) {
            json.put("generation", image.generation());
        }
        return image.plan().isEmpty() ? json : json.put("plan", image.plan()).put("acceptTerms", image.acceptTerms());
    }

    /** The captured images; a store that cannot be read does not hide the catalog. */
    private List<Captured> captured() {
        Pattern pattern = Pattern.compile(match, Pattern.CASE_INSENSITIVE);
        try (ClusterManager manager = manager(on, azure, SharedAzure.Want.ASK)) {
            List<StoredImage> images = prune ? prune(manager) : manager.images();
            return images.stream()
                    .filter(image -> pattern.matcher(image.name()).find())
                    .map(image -> new Captured(image, manager.owns(image)))
                    .toList();
        } catch (ClusterwrightException e) {
            if (prune || capturedOnly) {
                throw e;
            }
            System.err.println("captured images are not listed: " + e.getMessage());
            return List.of();
        }
    }

    private List<StoredImage> prune(ClusterManager manager) {
        List<StoredImage> deleted = everyone ? manager.pruneImagesOfEveryone() : manager.pruneImages();
        List<StoredImage> left = manager.images();
        report(
                left.stream().filter(image -> everyone || manager.owns(image)),
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

    private void print(Captured captured) {
        StoredImage image = captured.image();
        String other = image.owner().isEmpty() ? "unmarked" : "other";
        out.printf(
                Locale.ROOT,
                "%s%-72s %-11s %s %.1f MB %s%n",
                prune ? "deleted " : "",
                on + ":" + image.name(),
                image.proven() ? "captured" : "not proven",
                image.created(),
                image.sizeBytes() / 1e6,
                captured.own() ? "own" : other);
    }

    /** The JSON form of an image of the catalog; unknown facts are absent keys. */
    private static ObjectNode json(ImageFacts image) {
        ObjectNode json = Json.object().put("name", image.name());
        image.reference().ifPresent(reference -> json.put("reference", reference.toString()));
        json.put("captured", false)
                .put("classic", image.isClassic())
                .put("publisher", image.publisher())
                .put("distribution", image.distribution())
                .put("operatingSystem", image.operatingSystem().toString());
        image.generation().ifPresent(generation -> json.put("generation", generation));
        image.rdmaDrivers().ifPresent(yes -> json.put("rdmaDrivers", yes));
        if (!image.driversFor().isEmpty()) {
            ArrayNode drivers = json.putArray("driversFor");
            new TreeSet<Interconnect>(image.driversFor()).forEach(one -> drivers.add(one.toString()));
        }
        image.mpi().ifPresent(yes -> json.put("mpi", yes));
        if (!image.contents().isEmpty()) {
            json.put("contents", image.contents());
        }
        return json.put("paid", image.isPaid())
                .put("plan", image.needsPlan())
                .put("status", image.status().toString())
                .put("source", image.source());
    }

    /** The JSON form of a captured image; the owner is absent where it has no mark. */
    static ObjectNode json(Provider on, StoredImage image, boolean own) {
        ObjectNode json = Json.object()
                .put("name", image.name())
                .put("reference", on + ":" + image.name())
                .put("captured", true)
                .put("proven", image.proven())
                .put("created", image.created().toString())
                .put("bytes", image.sizeBytes())
                .put("own", own);
        return image.owner().isEmpty() ? json : json.put("owner", image.owner());
    }

    /** A captured image, and whether the state folder of this program captured it. */
    private record Captured(StoredImage image, boolean own) {}
}
