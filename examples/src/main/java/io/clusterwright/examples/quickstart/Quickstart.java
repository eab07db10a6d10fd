package io.clusterwright.examples.quickstart;

import io.clusterwright.azure.emulator.SharedEmulator;
import io.clusterwright.core.Cluster;
import io.clusterwright.core.ClusterManager;
import io.clusterwright.core.CreateOptions;
import io.clusterwright.core.DestroyReport;
import io.clusterwright.core.Machines;
import io.clusterwright.core.StoredImage;
import io.clusterwright.core.plan.Plan;
import io.clusterwright.core.plan.Step;
import io.clusterwright.core.spec.ClusterSpec;
import io.clusterwright.core.spec.SpecReader;
import io.clusterwright.core.type.AddressRange;
import io.clusterwright.examples.cli.ExitCodes;
import io.clusterwright.examples.cli.Interrupts;
import io.clusterwright.examples.cli.ProgressPrinter;
import io.clusterwright.examples.cli.RefusedException;
import io.clusterwright.examples.cli.SharedAzure;
import io.clusterwright.examples.cli.Style;
import io.clusterwright.examples.cli.TerminalOutput;
import io.clusterwright.linux.local.LocalMachines;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Creates the cluster of the article on this machine, proves and measures it, and deletes it. */
@Command(
        name = "quickstart",
        description = "Creates a real MPI cluster on this machine, proves it, measures it, and deletes it.",
        mixinStandardHelpOptions = true)
public final class Quickstart implements Callable<Integer> {
    @Option(
            names = "--spec",
            paramLabel = "FILE",
            description = "The cluster spec; default: examples/specs/quickstart.yaml.")
    private @Nullable Path specFile;

    @Option(names = "--nodes", paramLabel = "N", description = "Number of nodes; default: as in the spec.")
    private @Nullable Integer nodes;

    @Option(names = "--name", paramLabel = "NAME", description = "Cluster name; default: as in the spec.")
    private @Nullable String name;

    @Option(
            names = "--address-space",
            paramLabel = "CIDR",
            description = "Address space, such as 10.33.0.0/16; default: as in the spec.")
    private @Nullable String addressSpace;

    @Option(
            names = "--on",
            paramLabel = "WHERE",
            description =
                    "local, or emulator: the same nodes, as virtual machines of an emulated Azure. Default: local.")
    private String on = LocalMachines.NAME;

    @Option(
            names = "--plot",
            paramLabel = "FILE",
            description = "Plot of the ping-pong, as SVG; default: ${DEFAULT-VALUE}.")
    private Path plot = Path.of("pingpong.svg");

    @Option(
            names = "--reuse-image",
            description = "Use the cached image of an unchanged recipe instead of building it.")
    private boolean reuseImage;

    @Option(names = "--keep", description = "Leave the cluster running; `clusterwright destroy NAME` deletes it.")
    private boolean keep;

    private final ProgressPrinter progress = new ProgressPrinter();

    private Quickstart() {}

    /** Runs the program and ends the JVM with its exit status. */
    public static void main(String[] arguments) {
        TerminalOutput.install();
        Interrupts.run(() -> new CommandLine(new Quickstart())
                .setExecutionExceptionHandler(
                        (error, command, parsed) -> ExitCodes.of("quickstart", error, command.getErr(), false))
                .execute(arguments));
    }

    @Override
    public Integer call() {
        ClusterSpec spec = spec();
        Instant start;
        boolean good;
        try (ClusterManager manager = ClusterManager.on(provider())) {
            prepare(manager, spec);
            start = Instant.now();
            Plan plan = manager.plan(spec);
            CreateOptions options = CreateOptions.standard().skipChecks().listener(progress);
            boolean created = false;
            try (Cluster cluster = manager.create(plan, reuseImage ? options : options.freshImage())) {
                created = true;
                good = new Tour(cluster, progress, plot).run();
            } finally {
                if (created && !keep) {
                    destroy(manager, spec);
                }
            }
        }
        progress.line("whole run     " + Style.seconds(Duration.between(start, Instant.now())));
        return ExitCodes.ofWork(good);
    }

    private Machines provider() {
        return switch (on) {
            case LocalMachines.NAME -> LocalMachines.create();
            case SharedEmulator.PROVIDER -> new SharedAzure().provider(SharedAzure.Want.MAKE);
            default -> throw new RefusedException("--on " + on + ": write local or emulator");
        };
    }

    /** Builds the updated base image, which every run uses until the package lists change. */
    private void prepare(ClusterManager manager, ClusterSpec spec) {
        Plan plan = manager.plan(spec);
        if (plan.steps().stream().anyMatch(step -> step.step() == Step.UPDATES)) {
            progress.line("Once: install the distribution's updates in the base image (about a minute).");
            manager.buildUpdatedBase(plan.spec(), CreateOptions.standard().listener(progress));
        }
    }

    private ClusterSpec spec() {
        Path file = specFile == null
                ? Path.of(System.getProperty("clusterwright.examples", "examples"), "specs", "quickstart.yaml")
                : specFile;
        ClusterSpec read = SpecReader.read(file);
        ClusterSpec.Builder spec = read.toBuilder();
        if (name != null) {
            spec.name(name);
        }
        Integer count = nodes;
        if (count != null) {
            spec.nodes(group -> group.count(count));
        }
        if (addressSpace != null) {
            AddressRange range = AddressRange.of(addressSpace);
            AddressRange subnet = new AddressRange(range.network(), Math.max(24, range.prefixLength()));
            int index = read.nodes().pattern().firstIndex();
            spec.network(network -> network.addressSpace(range)
                    .subnet(read.network().subnet().toBuilder().range(subnet).build())
                    .firstAddress(subnet.address(index)));
        }
        return spec.build();
    }

    private void destroy(ClusterManager manager, ClusterSpec spec) {
        boolean interrupted = Thread.interrupted();
        try {
            DestroyReport report = manager.destroy(spec.name(), progress);
            progress.line("deleted       " + report.deleted().size() + " resources; left: "
                    + (report.left().isEmpty() ? "nothing" : report.left()));
            if (!on.equals(LocalMachines.NAME)) {
                return;
            }
            List<StoredImage> images =
                    manager.images().stream().filter(manager::owns).toList();
            if (!images.isEmpty()) {
                long bytes = images.stream().mapToLong(StoredImage::sizeBytes).sum();
                progress.line("image cache   " + images.size() + " images, " + bytes / 1_000_000
                        + " MB; `examples/clusterwright images --prune` empties it");
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
