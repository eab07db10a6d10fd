package io.clusterwright.examples.hpcpack;

import io.clusterwright.core.type.NodeSet;
import io.clusterwright.windows.hpcpack.HpcPackClient;
import io.clusterwright.windows.hpcpack.HpcPackTarget;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** A command that runs MPI jobs on nodes of a head node. */
@Command
abstract class TargetCommand extends HeadNodeCommand {
    @Option(
            names = "--group",
            paramLabel = "GROUP",
            description = "A node group, such as AzureNodes. Default: that of the spec, or all nodes but head nodes.")
    private @Nullable String group;

    @Option(names = "--on", paramLabel = "NODES", description = "Only these nodes, such as CN[001-004].")
    private @Nullable String nodes;

    @Option(
            names = "--template",
            paramLabel = "NAME",
            description = "The job template. Default: that of the spec, or none.")
    private @Nullable String template;

    /** Does the work on these nodes; returns the exit status. */
    abstract int run(HpcPackTarget target);

    @Override
    final int run(HpcPackClient client) {
        HpcPackTarget target = group != null
                ? HpcPackTarget.ofGroup(client, group)
                : head().spec().map(spec -> HpcPackTarget.of(client, spec)).orElseGet(() -> HpcPackTarget.of(client));
        target = head().runsAsLogin() ? target.runAs(head().user(), head().password()) : target;
        target = template == null ? target : target.template(template);
        return run(nodes == null ? target : target.only(NodeSet.expand(nodes)));
    }
}
