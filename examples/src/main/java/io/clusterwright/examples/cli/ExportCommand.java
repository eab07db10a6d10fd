package io.clusterwright.examples.cli;

import io.clusterwright.core.Cluster;
import io.clusterwright.core.ClusterManager;
import io.clusterwright.core.internal.json.JsonFields;
import io.clusterwright.core.spec.MpiFlavour;
import io.clusterwright.core.spec.Scheduler;
import io.clusterwright.linux.AnsibleInventory;
import io.clusterwright.linux.SshClientConfig;
import io.clusterwright.mpi.job.JobTarget;
import java.nio.file.Path;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

@Command(
        name = "export",
        description = "Prints the cluster for other tools: ssh config, Ansible inventory, hostfile or slurm.conf.")
final class ExportCommand extends ClusterCommand {
    private static final Map<String, MpiFlavour> DIALECTS =
            Map.of("hydra", MpiFlavour.MPICH, "openmpi", MpiFlavour.OPEN_MPI, "mvapich2", MpiFlavour.MVAPICH2);
    private static final String SLURM = "slurm";

    @ArgGroup(multiplicity = "1")
    private Form form = new Form();

    @Option(names = "--output", paramLabel = "FILE", description = "Write to this file instead of standard output.")
    private @Nullable Path output;

    /** The file that is asked for. */
    static final class Form {
        @Option(names = "--ansible", description = "An inventory for Ansible, with groups head and compute.")
        private boolean ansible;

        @Option(names = "--ssh-config", description = "A configuration for ssh -F, scp -F, rsync and editors.")
        private boolean sshConfig;

        @Option(
                names = "--hostfile",
                paramLabel = "DIALECT",
                description = "A host file of mpirun: hydra (MPICH, Intel MPI), openmpi (Open MPI, HPC-X), mvapich2 or"
                        + " slurm (names only).")
        private @Nullable String hostfile;

        @Option(names = "--slurm", description = "The slurm.conf of a cluster with scheduler: slurm.")
        private boolean slurm;
    }

    @Override
    public Integer call() {
        String dialect = form.hostfile;
        if (dialect != null && !dialect.equals(SLURM) && !DIALECTS.containsKey(dialect)) {
            throw new RefusedException("invalid --hostfile \"" + dialect + "\": use hydra, openmpi, mvapich2 or slurm");
        }
        return super.call();
    }

    @Override
    int run(ClusterManager manager) {
        String text = text(manager);
        if (output != null) {
            write(output, text);
        }
        return print(() -> JsonFields.of("text", text), () -> out.print(output == null ? text : ""));
    }

    private String text(ClusterManager manager) {
        if (form.sshConfig) {
            return SshClientConfig.reaching(manager.sshAccess(name())).text();
        }
        try (Cluster open = manager.open(name())) {
            if (form.ansible) {
                return AnsibleInventory.of(open, manager.sshAccess(name())).text();
            }
            if (form.slurm) {
                return slurmConf(open);
            }
            String dialect = String.valueOf(form.hostfile);
            JobTarget target = JobTarget.of(open);
            return dialect.equals(SLURM)
                    ? target.nodeNames().stream().map(node -> node + "\n").collect(Collectors.joining())
                    : target.hostfile(DIALECTS.getOrDefault(dialect, MpiFlavour.MPICH));
        }
    }

    private static String slurmConf(Cluster open) {
        if (open.spec().scheduler() != Scheduler.SLURM) {
            throw new RefusedException(
                    "cluster " + open.name() + " has no Slurm; write scheduler: slurm in its spec and create it again");
        }
        return open.session(open.head().name())
                .run(io.clusterwright.core.Command.of("cat", "/etc/slurm/slurm.conf"))
                .orThrow()
                .stdout();
    }
}
