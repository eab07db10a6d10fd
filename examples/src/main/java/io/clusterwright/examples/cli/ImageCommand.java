package io.clusterwright.examples.cli;

import io.clusterwright.core.ClusterManager;
import io.clusterwright.core.CreateOptions;
import io.clusterwright.core.StoredImage;
import io.clusterwright.core.spec.ClusterSpec;
import io.clusterwright.examples.SharedAzure;
import io.clusterwright.examples.console.ExitCodes;
import io.clusterwright.examples.console.ProgressPrinter;
import io.clusterwright.examples.console.RefusedException;
import io.clusterwright.examples.options.AzureOptions;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
        name = "image",
        description = "Builds an image without a cluster, or deletes one; images lists them.",
        subcommands = {ImageCommand.Build.class, ImageCommand.Delete.class})
final class ImageCommand implements Callable<Integer> {
    @Override
    public Integer call() {
        throw new RefusedException(
                "no action was given: write clusterwright image build SPEC --on WHERE, or image delete NAME --on WHERE");
    }

    @Command(
            name = "build",
            description =
                    "Builds the image that the nodes of a spec boot from, tests it, and deletes everything else it needed."
                            + " On azure the machines of the build are billed meanwhile, and the image until it is deleted.")
    static final class Build extends SpecCommand {
        @Mixin
        private AzureOptions azure = new AzureOptions();

        @Option(
                names = "--on",
                required = true,
                paramLabel = "WHERE",
                description = "Provider: ${COMPLETION-CANDIDATES}.")
        private Provider on = Provider.LOCAL;

        @Option(names = "--fresh-image", description = "Build the image again even if one of the same recipe exists.")
        private boolean fresh;

        @Override
        public Integer call() {
            ClusterSpec spec = spec();
            CreateOptions options = CreateOptions.standard().listener(new ProgressPrinter());
            try (ClusterManager manager = manager(on, azure, SharedAzure.Want.MAKE)) {
                StoredImage image = manager.buildImage(spec, fresh ? options.freshImage() : options);
                if (json) {
                    print(ImagesCommand.json(on, image, manager.owns(image)));
                } else {
                    out.println(image.name());
                }
            }
            return ExitCodes.OK;
        }
    }

    @Command(
            name = "delete",
            description =
                    "Deletes one captured image; clusters that were created from it go on. Images that this library did not"
                            + " make are never deleted.")
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
                if (json) {
                    print(ImagesCommand.json(on, image, manager.owns(image)).put("deleted", true));
                } else {
                    out.println("deleted " + image.name());
                }
            }
            return ExitCodes.OK;
        }
    }
}
