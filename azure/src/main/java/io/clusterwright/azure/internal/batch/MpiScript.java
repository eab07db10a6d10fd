package io.clusterwright.azure.internal.batch;

import io.clusterwright.core.internal.text.PosixShell;
import io.clusterwright.core.spec.MpiFlavour;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * The launcher's command for the nodes that Batch gives a task, which are known only there. Batch tells no host keys, so that the ranks'
 * connections accept each node's at first contact and no other after that.
 */
public final class MpiScript {
    private static final String REMOTE = """
            cat >clusterwright-ssh <<'END'
            #!/bin/sh
            exec ssh -o BatchMode=yes -o LogLevel=ERROR -o StrictHostKeyChecking=accept-new -o UserKnownHostsFile="${0%/*}/known_hosts" "$@"
            END
            chmod 700 clusterwright-ssh
            """;

    private MpiScript() {}

    /**
     * The script.
     *
     * @param launcher the launcher, such as {@code mpirun} or its whole path
     * @throws IllegalArgumentException when jobs of this MPI cannot be started so
     */
    public static String of(
            MpiFlavour flavour,
            String launcher,
            int nodes,
            int ranksPerNode,
            int ranks,
            Map<String, String> environment,
            List<String> program) {
        return "set -e\n" + REMOTE
                + switch (flavour) {
                    case MPICH, INTEL_MPI -> hydra(launcher, ranksPerNode, ranks, environment, program);
                    case OPEN_MPI, HPC_X -> openMpi(launcher, ranksPerNode, ranks, environment, program);
                    case MVAPICH2, MS_MPI ->
                        throw new IllegalArgumentException("jobs of " + flavour + " are not started on " + nodes
                                + " nodes of Batch here; use mpich, intel-mpi, open-mpi or hpc-x");
                };
    }

    private static String hydra(
            String launcher, int perNode, int ranks, Map<String, String> environment, List<String> program) {
        List<String> words = new ArrayList<>(List.of("-ppn", "" + perNode, "-n", "" + ranks));
        environment.forEach((name, value) -> words.addAll(List.of("-genv", name, value)));
        words.addAll(program);
        return "exec " + PosixShell.quote(launcher)
                + " -launcher ssh -launcher-exec \"$PWD/clusterwright-ssh\" -hosts \"$AZ_BATCH_HOST_LIST\" "
                + PosixShell.quote(words) + "\n";
    }

    /**
     * Open MPI up to 4 and its successor with PRRTE read their settings from different variables. The agent's second name serves the other
     * nodes, which start nothing and yet refuse to run without one.
     */
    private static String openMpi(
            String launcher, int perNode, int ranks, Map<String, String> environment, List<String> program) {
        List<String> words = new ArrayList<>(List.of("-np", "" + ranks));
        environment.forEach((name, value) -> words.addAll(List.of("-x", name + "=" + value)));
        words.addAll(program);
        return """
                export OMPI_MCA_plm_rsh_agent="$PWD/clusterwright-ssh:ssh" OMPI_MCA_plm_rsh_no_tree_spawn=1
                export PRTE_MCA_plm_ssh_agent="$PWD/clusterwright-ssh:ssh" PRTE_MCA_plm_ssh_no_tree_spawn=1
                hosts=$(echo "$AZ_BATCH_HOST_LIST" | sed 's/,/:%1$d,/g;s/$/:%1$d/')
                exec %2$s --host "$hosts" %3$s
                """.formatted(perNode, PosixShell.quote(launcher), PosixShell.quote(words));
    }
}
