package io.clusterwright.examples.cli;

import io.clusterwright.core.Cluster;
import io.clusterwright.core.ClusterManager;
import io.clusterwright.core.CreateOptions;
import io.clusterwright.core.plan.Plan;
import io.clusterwright.core.spec.ClusterSpec;
import io.clusterwright.core.type.ClusterName;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** A command about a cluster that exists, on the provider that has it. */
abstract class ClusterCommand extends ProgramCommand {
    @Parameters(index = "0", paramLabel = "NAME", description = "The cluster's name.")
    private String name = "";

    @Mixin
    private AzureOptions azure = new AzureOptions();

    /** Does the work; returns the exit status. */
    abstract int run(ClusterManager manager);

    @Override
    public Integer call() {
        try (ClusterManager manager = managerOf(name(), azure)) {
            return run(manager);
        }
    }

    /** The name, validated. */
    final ClusterName name() {
        return ClusterName.of(name);
    }

    /** A command that uses the nodes of a cluster. */
    abstract static class OnNodes extends ClusterCommand {
        /** Does the work; returns the exit status. */
        abstract int run(ClusterManager manager, Cluster open);

        @Override
        final int run(ClusterManager manager) {
            try (Cluster open = manager.open(name())) {
                return run(manager, open);
            }
        }
    }

    /** The option of the commands that converge a cluster. */
    private static final class Unreachable {
        @Option(
                names = "--replace-unreachable",
                description = "Replace running nodes that do not answer, with their disks. Default: report them.")
        private boolean replaced;

        CreateOptions options() {
            return replaced ? CreateOptions.standard().replaceUnreachable() : CreateOptions.standard();
        }
    }

    @Command(name = "create", description = "Creates a cluster, or converges an existing one to its spec.")
    static final class Create extends SpecCommand {
        @Mixin
        private Place place = new Place();

        @Option(names = "--keep-on-failure", description = "Keep resources on failure, for debugging.")
        private boolean keepOnFailure;

        @Option(names = "--fresh-image", description = "Build the image again even if a cached one fits.")
        private boolean freshImage;

        @Option(
                names = "--no-capture",
                description = "Boot the nodes from the base image, and customise each; as image: {capture: false}.")
        private boolean noCapture;

        @Mixin
        private Unreachable unreachable = new Unreachable();

        @Override
        public Integer call() {
            if (noCapture && freshImage) {
                throw new RefusedException(
                        "--no-capture uses no image, and --fresh-image builds one: write one of them");
            }
            ClusterSpec spec = noCapture
                    ? spec().forProvider(place.on.toString()).toBuilder()
                            .image(image -> image.capture(false))
                            .build()
                    : spec();
            CreateOptions kept = keepOnFailure ? unreachable.options().keepOnFailure() : unreachable.options();
            CreateOptions options = freshImage ? kept.freshImage() : kept;
            try (ClusterManager manager = place.manager(SharedAzure.Want.MAKE)) {
                Plan plan = manager.plan(spec);
                return change(manager, progress -> manager.create(plan, options.listener(progress)));
            }
        }
    }

    @Command(name = "show", description = "Shows the nodes of a cluster, with addresses and states.")
    static final class Show extends ClusterCommand {
        @Override
        int run(ClusterManager manager) {
            return show(manager, name());
        }
    }

    @Command(
            name = "stop",
            description = "Stops the nodes of a cluster and keeps their disks. On Azure they are deallocated; disks and"
                    + " addresses stay billed.")
    static final class Stop extends ClusterCommand {
        @Override
        int run(ClusterManager manager) {
            ProgressPrinter progress = new ProgressPrinter();
            NodeChoice.warnOfJobs(manager, name(), "stop ends it", progress);
            manager.stop(name(), progress);
            return show(manager, name());
        }
    }

    @Command(name = "start", description = "Starts the nodes of a stopped cluster. On Azure they are billed again.")
    static final class Start extends ClusterCommand {
        @Override
        int run(ClusterManager manager) {
            return change(manager, progress -> manager.start(name(), progress));
        }
    }

    @Command(name = "resize", description = "Grows or shrinks a cluster to COUNT nodes; the other nodes keep running.")
    static final class Resize extends ClusterCommand {
        @Parameters(index = "1", paramLabel = "COUNT", description = "Target node count.")
        private int count;

        @Mixin
        private Unreachable unreachable = new Unreachable();

        @Override
        int run(ClusterManager manager) {
            NodeChoice.warnOfJobs(
                    manager, name(), "nodes that resize removes are taken from it", new ProgressPrinter());
            CreateOptions options = unreachable.options();
            return change(manager, progress -> manager.resize(name(), count, options.listener(progress)));
        }
    }
}
