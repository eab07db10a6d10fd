package io.clusterwright.core.internal.render;

import io.clusterwright.core.plan.RenderedFiles.NotMade;
import io.clusterwright.core.spec.ClusterSpec;
import io.clusterwright.core.spec.HpcPackSpec;
import io.clusterwright.core.spec.OperatingSystem;
import io.clusterwright.core.spi.Facts;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/** The files that belong to a spec and the modules that render them, to report the missing ones. */
public final class FileTable {
    private static final String LINUX = "linux";
    private static final String MPI = "mpi";
    private static final String AZURE = "azure";
    private static final String WINDOWS = "windows";
    private static final List<NotMade> TEMPLATE = by(AZURE, "azuredeploy.json", "azuredeploy.parameters.json");

    private FileTable() {}

    /** The files that were not rendered. */
    public static List<NotMade> missing(ClusterSpec spec, Facts facts, Set<String> made) {
        return of(spec, facts).stream()
                .filter(file -> !made.contains(file.name().toLowerCase(Locale.ROOT)))
                .toList();
    }

    private static List<NotMade> of(ClusterSpec spec, Facts facts) {
        List<NotMade> files = new ArrayList<>();
        if (spec.operatingSystem() == OperatingSystem.WINDOWS) {
            files.addAll(by(
                    WINDOWS,
                    "job-latency.cmd",
                    "job-throughput.cmd",
                    "task-view.cmd",
                    "job.xml",
                    "firewall.cmd",
                    "node-startup.cmd",
                    "node-group.ps1"));
            spec.hpcPack().map(HpcPackSpec::scenario).ifPresent(scenario -> files.addAll(scenario(scenario)));
            return files;
        }
        files.addAll(by(
                LINUX,
                "limits.conf",
                "99-clusterwright-memlock.conf",
                "ssh_config",
                "ssh_known_hosts",
                "hosts",
                "cloud-init.yaml"));
        files.addAll(by(
                MPI,
                "hostfile.hydra",
                "hostfile.openmpi",
                "hostfile.mvapich2",
                "hostfile.slurm",
                "mpi.env",
                "mpirun.sh"));
        if (!facts.local()) {
            files.addAll(TEMPLATE);
        }
        return files;
    }

    private static List<NotMade> scenario(HpcPackSpec.Scenario scenario) {
        return switch (scenario) {
            case IAAS -> by(WINDOWS, "HPCIaaSClusterConfig.xml", "New-HPCIaaSCluster.ps1.txt", "node-lifecycle.ps1");
            case BURST -> by(WINDOWS, "burst.ps1");
            case RESOURCE_MANAGER -> {
                List<NotMade> files = new ArrayList<>(by(WINDOWS, "hpcpack.bicepparam"));
                files.addAll(TEMPLATE);
                yield files;
            }
        };
    }

    private static List<NotMade> by(String module, String... names) {
        return List.of(names).stream().map(name -> new NotMade(name, module)).toList();
    }
}
