package io.clusterwright.examples.cli;

import io.clusterwright.azure.emulator.ArmEmulator;
import io.clusterwright.azure.emulator.BatchEmulator;
import io.clusterwright.azure.emulator.SharedEmulator;
import io.clusterwright.core.Cluster;
import io.clusterwright.core.ClusterException;
import io.clusterwright.core.ClusterManager;
import io.clusterwright.core.internal.json.JsonFields;
import io.clusterwright.core.spi.MachineHost;
import io.clusterwright.core.type.AddressRange;
import io.clusterwright.core.type.ClusterName;
import io.clusterwright.core.type.ClusterwrightException;
import io.clusterwright.core.type.InvalidValueException;
import io.clusterwright.core.type.NodeName;
import io.clusterwright.core.type.NodeSet;
import io.clusterwright.core.type.Secret;
import io.clusterwright.linux.local.LocalMachines;
import io.clusterwright.mpi.job.JobTarget;
import io.clusterwright.windows.emulator.HpcPackEmulator;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

@Command(name = "emulator", description = "Serves an emulated Azure Resource Manager on loopback until interrupted.")
final class EmulatorCommand extends ProgramCommand {
    private static final int IDLE_SECONDS = 10;

    @Option(names = "--port", paramLabel = "N", description = "The port to listen on; default: any free one.")
    private int port;

    @Option(
            names = "--backed-by",
            paramLabel = "local",
            description =
                    "Back virtual machines with real nodes on this machine: local. Requests then need the token of the"
                            + " first output line. Default: the machines are records, and create --endpoint is refused.")
    private @Nullable Backing backedBy;

    @Option(names = "--realistic", description = "Use Azure's durations, default quotas, request limits and versions.")
    private boolean realistic;

    @Option(names = "--faults", paramLabel = "FILE", description = "A fault script: requests that fail, and how.")
    private @Nullable Path faults;

    @Option(names = "--record", paramLabel = "DIR", description = "Record every request and answer in this folder.")
    private @Nullable Path record;

    @Option(
            names = "--batch",
            arity = "0..1",
            paramLabel = "RANGE",
            fallbackValue = "10.0.0.0/16",
            description = "Serve an account of Azure Batch instead; its nodes have addresses of this range. Default:"
                    + " 10.0.0.0/16.")
    private @Nullable String batch;

    @Option(names = "--stop", description = "End the emulator that --on emulator uses, with all its clusters.")
    private boolean stop;

    /** Ends when no command uses it; {@code --on emulator} starts it so. */
    @Option(names = "--while-used", hidden = true)
    private boolean whileUsed;

    @Override
    public Integer call() {
        if (stop) {
            boolean ended = new SharedAzure().stop();
            return print(
                    () -> JsonFields.of("ended", ended), () -> out.println(ended ? "ended" : "no emulator is running"));
        }
        if (batch != null && (port != 0 || realistic || faults != null)) {
            throw new RefusedException(
                    "--batch serves an emulated Azure Batch, and --port, --realistic and --faults are for an emulated"
                            + " Resource Manager: remove --batch or these options");
        }
        try {
            if (batch != null) {
                serveBatch(batch);
            } else {
                serve();
            }
        } catch (InterruptedException e) {
            // The machines are deleted by now; an interrupt is the usual end of this command.
            Thread.currentThread().interrupt();
        }
        return ExitCodes.OK;
    }

    private void serve() throws InterruptedException {
        ArmEmulator.Builder builder = SharedAzure.builder().port(port);
        if (realistic) {
            builder.realistic();
        }
        if (record != null) {
            builder.recordTo(record);
        }
        if (faults != null) {
            readFaults(builder, faults);
        }
        if (backedBy != null) {
            serve(builder);
            return;
        }
        try (ArmEmulator emulator = builder.start()) {
            announce(emulator);
            new CountDownLatch(1).await();
        }
    }

    private void serveBatch(String range) throws InterruptedException {
        BatchEmulator.Builder builder = BatchEmulator.builder().addressSpace(AddressRange.of(range));
        if (record != null) {
            builder.recordTo(record);
        }
        if (backedBy != null) {
            builder.machinesBackedBy(LocalMachines.create().host());
        }
        try (BatchEmulator emulator = builder.start()) {
            out.println(JsonFields.of("url", emulator.url())
                    .and("token", emulator.token().map(Secret::reveal))
                    .and("storage", emulator.container("files", "rcwl").reveal()));
            new CountDownLatch(1).await();
        }
    }

    /** Serves the emulator with real machines, which {@code --on emulator} finds. */
    private void serve(ArmEmulator.Builder builder) throws InterruptedException {
        if (whileUsed) {
            // Nodes of this machine are named after their network, whose name holds the subscription.
            builder.subscriptionId(UUID.randomUUID().toString()).retryAfter(Duration.ZERO);
        }
        SharedEmulator shared = new SharedAzure().emulator();
        MachineHost host = LocalMachines.create().host();
        try (ArmEmulator served = whileUsed ? shared.serveWhileUsed(builder, host) : shared.serve(builder, host)) {
            if (!whileUsed) {
                announce(served);
            }
            CountDownLatch never = new CountDownLatch(1);
            do {
                never.await(IDLE_SECONDS, TimeUnit.SECONDS);
            } while (!whileUsed || !shared.retire());
        }
    }

    private void announce(ArmEmulator emulator) {
        out.println(JsonFields.of("url", emulator.url())
                .and("subscriptionId", emulator.subscriptionId())
                .and("token", emulator.token().map(Secret::reveal)));
    }

    private static void readFaults(ArmEmulator.Builder builder, Path file) {
        try {
            builder.faultsFrom(file);
        } catch (ClusterwrightException e) {
            throw new RefusedException((e instanceof InvalidValueException ? file + ": " : "") + e.getMessage());
        }
    }

    /** The values of {@code --backed-by}. */
    enum Backing {
        /** A node on this machine. */
        LOCAL;

        @Override
        public String toString() {
            return "local";
        }
    }

    /** The command {@code hpcpack-emulator}. */
    @Command(
            name = "hpcpack-emulator",
            description =
                    "Serves an emulated head node of HPC Pack on loopback until interrupted. Its first output line has"
                            + " url, user and password.")
    static final class HeadNode implements Callable<Integer> {
        @Option(names = "--nodes", paramLabel = "NODES", description = "The compute nodes; default: CN[001-002].")
        private @Nullable String nodes;

        @Option(names = "--cores", paramLabel = "N", description = "The cores of each node; default: 8.")
        private int cores = 8;

        @Option(names = "--group", paramLabel = "GROUP", description = "A node group of all nodes, such as AzureNodes.")
        private @Nullable String group;

        @Option(
                names = "--tasks-on",
                paramLabel = "CLUSTER",
                description =
                        "A cluster on this machine that runs the tasks; its nodes are the compute nodes. Default: tasks"
                                + " do not run.")
        private @Nullable String cluster;

        @Option(names = "--verbose", description = "Print the stack trace of an error.")
        boolean verbose;

        @Override
        public Integer call() {
            if (cluster != null && (nodes != null || group != null)) {
                throw new RefusedException(
                        "the nodes of --tasks-on " + cluster + " are the compute nodes: remove --nodes and --group");
            }
            HpcPackEmulator.Builder builder = HpcPackEmulator.builder().plainHttp();
            if (cluster == null) {
                List<NodeName> names = NodeSet.expand(nodes == null ? "CN[001-002]" : nodes);
                names.forEach(name ->
                        builder.addNode(name.value(), cores, group == null ? new String[0] : new String[] {group}));
                return serve(builder);
            }
            try (ClusterManager manager = ClusterManager.on(LocalMachines.create());
                    Cluster open = manager.open(ClusterName.of(cluster))) {
                return serve(builder.tasksRunOn(JobTarget.of(open)));
            } catch (ClusterException.NotFound e) {
                throw new RefusedException("--tasks-on " + cluster + ": " + e.getMessage());
            }
        }

        private static int serve(HpcPackEmulator.Builder builder) {
            PrintStream out = new PrintStream(System.out, true, StandardCharsets.UTF_8);
            try (HpcPackEmulator head = builder.start()) {
                out.println(JsonFields.of("url", head.url())
                        .and("user", head.user())
                        .and("password", head.password().reveal()));
                new CountDownLatch(1).await();
            } catch (InterruptedException e) {
                // An interrupt is the usual end of this command.
                Thread.currentThread().interrupt();
            }
            return ExitCodes.OK;
        }
    }
}
