package io.clusterwright.examples.cli;

import com.fasterxml.jackson.databind.node.ArrayNode;
import io.clusterwright.core.manager.ClusterManager;
import io.clusterwright.core.spi.StoredImage;
import io.clusterwright.examples.console.Explanation;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(name = "images", description = "Lists the captured images, or deletes them.")
final class ImagesCommand implements Callable<Integer> {
    @Mixin
    private Common common = new Common();

    @Option(names = "--prune", description = "Delete all captured images and the packages kept for them.")
    private boolean prune;

    @Override
    public Integer call() {
        try (ClusterManager manager = common.manager(Common.On.LOCAL)) {
            List<StoredImage> images = prune ? manager.pruneImages() : manager.images();
            if (common.json) {
                ArrayNode array = Common.JSON.createArrayNode();
                images.forEach(image -> array.addObject()
                        .put("name", image.name())
                        .put("created", image.created().toString())
                        .put("bytes", image.sizeBytes()));
                common.print(array);
                return Explanation.OK;
            }
            for (StoredImage image : images) {
                common.out.printf(
                        Locale.ROOT,
                        "%s%-28s %s %8.1f MB%n",
                        prune ? "deleted " : "",
                        image.name(),
                        image.created(),
                        image.sizeBytes() / 1e6);
            }
            if (images.isEmpty()) {
                common.out.println("no images");
            }
            return Explanation.OK;
        }
    }
}
