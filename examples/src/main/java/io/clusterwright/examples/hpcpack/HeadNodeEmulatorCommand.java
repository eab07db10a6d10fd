package io.clusterwright.examples.hpcpack;

import io.clusterwright.core.Cluster;
import io.clusterwright.core.ClusterManager;
import io.clusterwright.core.internal.json.Json;
import io.clusterwright.core.type.ClusterName;
import io.clusterwright.core.type.NodeName;
import io.clusterwright.core.type.NodeSet;
import io.clusterwright.examples.console.ExitCodes;
import io.clusterwright.examples.console.RefusedException;
import io.clusterwright.linux.local.LocalMachines;
import io.clusterwright.mpi.job.JobTarget;
import io.clusterwright.windows.emulator.HpcPackEmulator;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** The command {@code hpcpack-emulator}. */
@Command(
        name = "hpcpack-emulator",
        description =
                "Serves an emulated head node of HPC Pack on loopback until interrupted. Its first output line has url, user and"
                        + " password.")
public final class HeadNodeEmulatorCommand implements Callable<Integer> {
    @Option(names = "--nodes", paramLabel = "NODES", description = "Its compute nodes; default: CN[001-002].")
    private @Nullable String nodes;

    @Option(names = "--cores", paramLabel = "N", description = "The cores of each node; default: 8.")
    private int cores = 8;

    @Option(names = "--group", paramLabel = "GROUP", description = "A node group of all nodes, such as AzureNodes.")
    private @Nullable String group;

    @Option(
            names = "--tasks-on",
            paramLabel = "CLUSTER",
            description =
                    "A cluster on this machine that runs the tasks; its nodes are the compute nodes. Default: no task is run.")
    private @Nullable String cluster;

    @Option(names = "--verbose", description = "Print the stack trace of an error.")
    boolean verbose;

    HeadNodeEmulatorCommand() {}

    @Override
    public Integer call() {
        if (cluster != null && (nodes != null || group != null)) {
            throw new RefusedException(
                    "the nodes of --tasks-on " + cluster + " are the compute nodes; leave --nodes and --group out");
        }
        HpcPackEmulator.Builder builder = HpcPackEmulator.builder().plainHttp();
        if (cluster == null) {
            List<NodeName> names = NodeSet.expand(nodes == null ? "CN[001-002]" : nodes);
            names.forEach(
                    name -> builder.addNode(name.value(), cores, group == null ? new String[0] : new String[] {group}));
            return serve(builder);
        }
        try (ClusterManager manager = ClusterManager.on(LocalMachines.create());
                Cluster open = manager.open(ClusterName.of(cluster))) {
            return serve(builder.tasksRunOn(JobTarget.of(open)));
        }
    }

    private static int serve(HpcPackEmulator.Builder builder) {
        PrintStream out = new PrintStream(System.out, true, StandardCharsets.UTF_8);
        try (HpcPackEmulator head = builder.start()) {
            out.println(Json.write(Json.object()
                    .put("url", head.url().toString())
                    .put("user", head.user())
                    .put("password", head.password().reveal())));
            new CountDownLatch(1).await();
        } catch (InterruptedException e) {
            // An interrupt is the usual end of this command.
            Thread.currentThread().interrupt();
        }
        return ExitCodes.OK;
    }
}
