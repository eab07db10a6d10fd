package io.clusterwright.core.internal.render;

import io.clusterwright.core.spec.ClusterSpec;
import io.clusterwright.core.spec.HpcPackSpec;
import io.clusterwright.core.spec.OperatingSystem;
import io.clusterwright.core.spi.Facts;
import java.util.LinkedHashMap;
import java.util.Map;

/** The files that belong to a spec and the modules that render them, to report the missing ones. */
final class FileTable {
    private static final String LINUX = "linux";
    private static final String MPI = "mpi";
    private static final String WINDOWS = "windows";
    private static final String CLASSIC = "windows-classic";

    private FileTable() {}

    /** The files of a spec, with the module that renders each. */
    static Map<String, String> of(ClusterSpec spec, Facts facts) {
        Map<String, String> files = new LinkedHashMap<>();
        if (spec.operatingSystem() == OperatingSystem.WINDOWS) {
            add(
                    files,
                    WINDOWS,
                    "job-latency.cmd",
                    "job-throughput.cmd",
                    "task-view.cmd",
                    "job.xml",
                    "firewall.cmd",
                    "node-startup.cmd",
                    "node-group.ps1");
            spec.hpcPack().map(HpcPackSpec::scenario).ifPresent(scenario -> scenario(files, scenario));
            return files;
        }
        add(
                files,
                LINUX,
                "limits.conf",
                "99-clusterwright-memlock.conf",
                "ssh_config",
                "ssh_known_hosts",
                "hosts",
                "cloud-init.yaml");
        add(
                files,
                MPI,
                "hostfile.hydra",
                "hostfile.openmpi",
                "hostfile.mvapich2",
                "hostfile.slurm",
                "mpi.env",
                "mpirun.sh");
        if (!facts.local()) {
            template(files);
        }
        return files;
    }

    private static void scenario(Map<String, String> files, HpcPackSpec.Scenario scenario) {
        switch (scenario) {
            case IAAS ->
                add(files, CLASSIC, "HPCIaaSClusterConfig.xml", "New-HPCIaaSCluster.ps1.txt", "node-lifecycle.ps1");
            case BURST -> add(files, CLASSIC, "burst.ps1");
            case RESOURCE_MANAGER -> {
                add(files, WINDOWS, "hpcpack.bicepparam");
                template(files);
            }
        }
    }

    private static void template(Map<String, String> files) {
        add(files, "azure", "azuredeploy.json", "azuredeploy.parameters.json");
    }

    private static void add(Map<String, String> files, String module, String... names) {
        for (String name : names) {
            files.put(name, module);
        }
    }
}
