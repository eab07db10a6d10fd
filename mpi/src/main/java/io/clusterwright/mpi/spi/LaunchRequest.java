package io.clusterwright.mpi.spi;

import io.clusterwright.core.type.AddressRange;
import io.clusterwright.mpi.Arguments;
import io.clusterwright.mpi.Binding;
import io.clusterwright.mpi.JobFolder;
import io.clusterwright.mpi.MpiInstallation;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Everything a launcher needs to write its command.
 *
 * @param mpi the installation on the launch node
 * @param nodes the nodes in rank order; their slots are the ranks each takes
 * @param ranks the size of the world, 1 to the sum of the slots
 * @param program the program and its arguments; they reach every rank unchanged
 * @param environment the variables of every rank
 * @param workingDirectory the folder ranks start in; empty for the launcher's own default
 * @param networks the networks MPI traffic may take; empty for all
 * @param options the circumstances
 * @param launcherArguments further options for the launcher itself, as a preset gives them
 * @param folder the job's folder on the launch node
 * @param binding what ranks are bound to
 */
public record LaunchRequest(
        MpiInstallation mpi,
        List<LaunchNode> nodes,
        int ranks,
        List<String> program,
        Map<String, String> environment,
        String workingDirectory,
        List<AddressRange> networks,
        Set<LaunchOption> options,
        List<String> launcherArguments,
        JobFolder folder,
        Binding binding) {

    /** A request that says nothing about binding. */
    public LaunchRequest(
            MpiInstallation mpi,
            List<LaunchNode> nodes,
            int ranks,
            List<String> program,
            Map<String, String> environment,
            String workingDirectory,
            List<AddressRange> networks,
            Set<LaunchOption> options,
            List<String> launcherArguments,
            JobFolder folder) {
        this(
                mpi,
                nodes,
                ranks,
                program,
                environment,
                workingDirectory,
                networks,
                options,
                launcherArguments,
                folder,
                Binding.DEFAULT);
    }

    /**
     * Copies the collections and checks what launchers would misread.
     *
     * @throws IllegalArgumentException when the ranks do not fit the slots, the program's name starts with {@code -}, an
     *     argument is a lone {@code :} (launchers read it as the start of another program), or a variable's name is not
     *     one
     */
    public LaunchRequest {
        nodes = List.copyOf(nodes);
        program = List.copyOf(program);
        environment = Collections.unmodifiableMap(new LinkedHashMap<>(environment));
        networks = List.copyOf(networks);
        options = Set.copyOf(options);
        launcherArguments = List.copyOf(launcherArguments);
        int slots = nodes.stream().mapToInt(LaunchNode::slots).sum();
        if (ranks < 1 || ranks > slots) {
            throw new IllegalArgumentException(
                    ranks + " ranks do not fit the " + slots + " slots of " + nodes.size() + " nodes");
        }
        Arguments.check(program, environment);
    }

    public boolean has(LaunchOption option) {
        return options.contains(option);
    }
}
