package io.clusterwright.azure.internal.batch;

import io.clusterwright.core.internal.text.PosixShell;
import io.clusterwright.core.spec.Binding;
import io.clusterwright.core.spec.MpiFlavour;
import io.clusterwright.core.type.InvalidValueException;
import io.clusterwright.mpi.spi.LaunchRequest;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * The launcher's command for the nodes that Batch gives a task, which are known only there. Batch reports no host keys, so that the
 * ranks' connections accept each node's at first contact and no other after that.
 */
final class MpiScript {
    private static final String REMOTE = """
            cat >clusterwright-ssh <<'END'
            #!/bin/sh
            exec ssh -o BatchMode=yes -o LogLevel=ERROR -o StrictHostKeyChecking=accept-new -o UserKnownHostsFile="${0%/*}/known_hosts" "$@"
            END
            chmod 700 clusterwright-ssh
            """;

    private MpiScript() {}

    /**
     * The script of a job.
     *
     * @param exactly whether the ranks run on the nodes of the request, which are some of the task's
     * @throws InvalidValueException when jobs of this MPI cannot be started on Batch, or the job has options that the script cannot express
     */
    static String of(LaunchRequest request, boolean exactly) {
        require(request);
        String launcher = request.mpi().mpirun();
        int perNode = request.nodes().get(0).slots();
        List<String> words = new ArrayList<>(request.launcherArguments());
        boolean hydra =
                request.mpi().flavour() == MpiFlavour.MPICH || request.mpi().flavour() == MpiFlavour.INTEL_MPI;
        return "set -e\n" + REMOTE + hosts(request, exactly) + setUp(request) + exports(request) + found(launcher)
                + (hydra ? hydra(perNode, request, words) : openMpi(perNode, request, words));
    }

    private static String hosts(LaunchRequest request, boolean exactly) {
        if (!exactly) {
            return "cw_hosts=$AZ_BATCH_HOST_LIST\n";
        }
        List<String> addresses = request.usedNodes().stream()
                .map(node -> node.address().toString())
                .toList();
        return """
                for cw_host in %1$s; do
                    case ",$AZ_BATCH_HOST_LIST," in *",$cw_host,"*) ;; *)
                        echo "clusterwright: node $cw_host is not among the nodes of this task, $AZ_BATCH_HOST_LIST: the pool has changed" >&2
                        exit 1 ;;
                    esac
                done
                cw_hosts=%2$s
                """.formatted(String.join(" ", addresses), String.join(",", addresses));
    }

    /**
     * The scripts of an MPI are bash's. What they change goes to all ranks, by name under Open MPI's launcher; the
     * others hand on everything.
     */
    private static String setUp(LaunchRequest request) {
        return request.setUp().isEmpty()
                ? ""
                : "if [ -z \"${BASH_VERSION-}\" ] && command -v bash > /dev/null; then exec bash -c \"$"
                        + BatchBodies.SCRIPT
                        + "\"; fi\ncw_before=$(env)\nset +e\n" + request.setUp() + """
                        set -e
                        cw_set=$(env | grep -vxF "$cw_before" | sed -n 's/^\\([A-Za-z][A-Za-z0-9_]*\\)=.*/-x \\1/p' | grep -vxE -e '-x (SHLVL|PWD|OLDPWD)' || true)
                        """;
    }

    /** Every account of a node can read the launcher's command line, so the values of variables stand in its environment. */
    private static String exports(LaunchRequest request) {
        Map<String, String> all = request.hiddenVariables();
        boolean onRequest = request.mpi().flavour() == MpiFlavour.INTEL_MPI
                && (!all.isEmpty() || !request.setUp().isEmpty());
        return PosixShell.exports(all) + (onRequest ? "export I_MPI_HYDRA_ENV=\"${I_MPI_HYDRA_ENV:-all}\"\n" : "");
    }

    /** The launcher is named by its path, or found by its name after the scripts of its MPI have run. */
    private static String found(String launcher) {
        String name = PosixShell.quote(launcher);
        return "cw_mpirun=$(command -v " + name + ") || { echo \"clusterwright: \"" + name
                + "\" is no program on $(hostname) for $(id -un)\" >&2; exit 127; }\n";
    }

    private static void require(LaunchRequest request) {
        MpiFlavour flavour = request.mpi().flavour();
        if (flavour == MpiFlavour.MVAPICH2 || flavour == MpiFlavour.MS_MPI) {
            throw new InvalidValueException(
                    "MPI for Azure Batch", flavour, "mpich, intel-mpi, open-mpi or hpc-x", "hpc-x");
        }
        if (request.binding() != Binding.DEFAULT) {
            throw InvalidValueException.of(
                    "Azure Batch jobs cannot set a binding of ranks",
                    "leave the binding out, or set a variable of the MPI"
                            + " (example: environment(\"I_MPI_PIN_DOMAIN\", \"socket\"))");
        }
    }

    private static String hydra(int perNode, LaunchRequest request, List<String> words) {
        words.addAll(List.of("-ppn", "" + perNode, "-n", "" + request.ranks()));
        Map<String, String> hidden = request.hiddenVariables();
        request.environment().forEach((name, value) -> {
            if (!hidden.containsKey(name)) {
                words.addAll(List.of("-genv", name, value));
            }
        });
        words.addAll(request.rankProgram());
        return "exec \"$cw_mpirun\" -launcher ssh -launcher-exec \"$PWD/clusterwright-ssh\" -hosts \"$cw_hosts\" -wdir "
                + folder(request) + " "
                + PosixShell.quote(words) + "\n";
    }

    /**
     * Open MPI up to 4 and its successor with PRRTE read their settings from different variables. The agent's second name serves the other
     * nodes, which start nothing and yet refuse to run without one.
     */
    private static String openMpi(int perNode, LaunchRequest request, List<String> words) {
        if (leavesThreadsOnOneCore(request)) {
            words.addAll(List.of("--bind-to", "none"));
        }
        words.addAll(List.of("-np", "" + request.ranks()));
        Map<String, String> hidden = request.hiddenVariables();
        request.environment()
                .forEach((name, value) ->
                        words.addAll(List.of("-x", hidden.containsKey(name) ? name : name + "=" + value)));
        words.addAll(request.rankProgram());
        return """
                export OMPI_MCA_plm_rsh_agent="$PWD/clusterwright-ssh:ssh" OMPI_MCA_plm_rsh_no_tree_spawn=1
                export PRTE_MCA_plm_ssh_agent="$PWD/clusterwright-ssh:ssh" PRTE_MCA_plm_ssh_no_tree_spawn=1
                hosts=$(echo "$cw_hosts" | sed 's/,/:%1$d,/g;s/$/:%1$d/')
                exec "$cw_mpirun" --host "$hosts" -wdir %2$s ${cw_set-} %3$s
                """.formatted(perNode, folder(request), PosixShell.quote(words));
    }

    /** Open MPI binds each of up to two ranks to one core, and more ranks to a part of the node, unless an option changes that. */
    private static boolean leavesThreadsOnOneCore(LaunchRequest request) {
        return request.threadsPerRank() > 1
                && !request.hasLauncherOption("bind-to")
                && !request.hasLauncherOption("map-by")
                && request.environment().keySet().stream().noneMatch(name -> name.endsWith("_binding_policy"));
    }

    /** The folder of the task itself is not on every node; the shared one is, under the same path, and has the common files. */
    private static String folder(LaunchRequest request) {
        return request.workingDirectory().isEmpty()
                ? "\"$AZ_BATCH_TASK_SHARED_DIR\""
                : PosixShell.quote(request.workingDirectory());
    }
}
