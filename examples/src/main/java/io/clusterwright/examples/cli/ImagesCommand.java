package io.clusterwright.examples.cli;

import com.fasterxml.jackson.databind.node.ArrayNode;
import io.clusterwright.core.ClusterManager;
import io.clusterwright.core.StoredImage;
import io.clusterwright.core.catalog.ImageFacts;
import io.clusterwright.core.catalog.Images;
import io.clusterwright.core.type.ClusterwrightException;
import io.clusterwright.examples.console.ExitCodes;
import io.clusterwright.examples.console.RefusedException;
import io.clusterwright.linux.local.LocalMachines;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(name = "images", description = "Lists the images of the catalog and the captured ones, or deletes the latter.")
final class ImagesCommand implements Callable<Integer> {
    @Mixin
    private Common common = new Common();

    @Option(
            names = "--match",
            paramLabel = "REGEX",
            description = "Only those whose name matches, as grep -i finds them, such as 'suse.*hpc'.")
    private String match = "";

    @Option(names = "--captured", description = "Only those captured on this machine.")
    private boolean capturedOnly;

    @Option(names = "--prune", description = "Delete all captured images and the packages kept for them.")
    private boolean prune;

    @Option(names = "--add", paramLabel = "FILE.csv", description = "Rows of your own, which win over the catalog's.")
    private @Nullable Path add;

    @Override
    public Integer call() {
        if (prune && (!match.isEmpty() || add != null)) {
            throw new RefusedException("--prune deletes all captured images: leave --match and --add out");
        }
        Images catalog = add == null ? Images.standard() : Images.standard().plus(add);
        List<ImageFacts> matching = catalog.matching(match);
        List<ImageFacts> listed = capturedOnly || prune ? List.of() : matching;
        List<StoredImage> captured = captured();
        if (common.json) {
            ArrayNode array = Common.JSON.createArrayNode();
            listed.forEach(image -> array.add(CatalogJson.image(image)));
            captured.forEach(image -> array.add(CatalogJson.captured(image)));
            common.print(array);
            return ExitCodes.OK;
        }
        listed.forEach(this::print);
        captured.forEach(this::print);
        if (listed.isEmpty() && captured.isEmpty()) {
            common.out.println("no images");
        }
        return ExitCodes.OK;
    }

    /** The captured images; a store that cannot be read does not hide the catalog. */
    private List<StoredImage> captured() {
        Pattern pattern = Pattern.compile(match, Pattern.CASE_INSENSITIVE);
        try (ClusterManager manager = ClusterManager.on(new LocalMachines())) {
            List<StoredImage> images = prune ? manager.pruneImages() : manager.images();
            return images.stream()
                    .filter(image -> pattern.matcher(image.name()).find())
                    .toList();
        } catch (ClusterwrightException e) {
            if (prune || capturedOnly) {
                throw e;
            }
            System.err.println("captured images are not listed: " + e.getMessage());
            return List.of();
        }
    }

    private void print(ImageFacts image) {
        common.out.printf(
                "%-72s %-11s %s%s%n",
                image.name(), image.status(), image.distribution(), image.isPaid() ? " (support is charged)" : "");
    }

    private void print(StoredImage image) {
        common.out.printf(
                Locale.ROOT,
                "%s%-72s %-11s %s %.1f MB%n",
                prune ? "deleted " : "",
                "local:" + image.name(),
                image.proven() ? "captured" : "not proven",
                image.created(),
                image.sizeBytes() / 1e6);
    }
}
