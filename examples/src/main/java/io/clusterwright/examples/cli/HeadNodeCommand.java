package io.clusterwright.examples.cli;

import io.clusterwright.core.type.NodeSet;
import io.clusterwright.windows.hpcpack.HpcPackClient;
import io.clusterwright.windows.hpcpack.HpcPackTarget;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParentCommand;

/** A command that a head node of HPC Pack carries out. */
abstract class HeadNodeCommand extends ProgramCommand {
    /** The head node's address and login. */
    @ParentCommand
    HpcPackCommand head = new HpcPackCommand();

    /** Does the work; returns the exit status. */
    abstract int run(HpcPackClient client);

    /** Refuses arguments before the head node is asked. */
    void check() {}

    @Override
    public Integer call() {
        json |= head.json;
        check();
        try (HpcPackClient client = head.open()) {
            return run(client);
        }
    }

    /** A command that runs MPI jobs on nodes of a head node. */
    abstract static class OnNodes extends HeadNodeCommand {
        @Option(
                names = "--group",
                paramLabel = "GROUP",
                description =
                        "A node group, such as AzureNodes. Default: that of the spec, or all nodes but head nodes.")
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
                    : head.spec().map(spec -> HpcPackTarget.of(client, spec)).orElseGet(() -> HpcPackTarget.of(client));
            target = head.runsAsLogin() ? target.runAs(head.user(), head.password()) : target;
            target = template == null ? target : target.template(template);
            return run(nodes == null ? target : target.only(NodeSet.parse(nodes)));
        }
    }
}
