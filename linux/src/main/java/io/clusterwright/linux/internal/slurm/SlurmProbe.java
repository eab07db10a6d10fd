package io.clusterwright.linux.internal.slurm;

import io.clusterwright.core.CommandResult;
import io.clusterwright.core.Node;
import io.clusterwright.core.internal.text.PrintableText;
import io.clusterwright.core.type.ClusterwrightException;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;

/**
 * Slurm on a node: version, plugins and resources.
 *
 * @param node its CPUs and memory
 * @param version the version of Slurm
 * @param cgroups whether Slurm can confine jobs in control groups
 * @param plugins the plugins of interest that are installed, such as {@code mpi_pmix}
 */
record SlurmProbe(SlurmConf.Node node, String version, boolean cgroups, Set<String> plugins) {
    /** What is missing, or what slurmd itself finds, and which plugins there are. */
    static final String SCRIPT = SlurmSetup.PATH + """
            for program in munged slurmctld slurmd srun sinfo; do
                command -v $program >/dev/null || echo "missing=$program"
            done
            command -v slurmd >/dev/null || exit 0
            slurmd -C | head -n 1 | tr ' ' '\\n'
            echo "version=$(slurmd -V | cut -d ' ' -f 2)"
            plugins=,
            for folder in /usr/lib64/slurm /usr/lib/slurm /usr/lib/*/slurm-wlm /usr/lib/*/slurm; do
                for plugin in mpi_pmi2 mpi_pmix proctrack_cgroup cgroup_v2; do
                    if [ -e "$folder/$plugin.so" ]; then plugins=$plugins$plugin,; fi
                done
            done
            echo "plugins=$plugins"
            needed=cgroup
            if [ -e /sys/fs/cgroup/cgroup.controllers ]; then needed=cgroup_v2; fi
            if [ -d /run/systemd/system ] && [ -w /sys/fs/cgroup ] && [ "${plugins#*$needed,}" != "$plugins" ]; then
                echo cgroups=yes
            fi
            """;

    /** A machine of the same kind, or the same one after an update, may find a little less; that much less is no failure. */
    private static final int PARTS = 50;

    SlurmProbe {
        plugins = Set.copyOf(plugins);
    }

    /** Reads what the script printed on this node. */
    static SlurmProbe parse(Node node, CommandResult result) {
        Map<String, String> values = new HashMap<>();
        result.stdout().lines().map(line -> line.split("=", 2)).forEach(pair -> {
            if (pair.length == 2) {
                values.merge(pair[0], pair[1].strip(), (one, other) -> one + ", " + other);
            }
        });
        if (values.containsKey("missing")) {
            throw new ClusterwrightException("on " + node.name() + ", Slurm lacks " + values.get("missing")
                    + ": this spec did not customise the image, or its distribution has more packages of Slurm;"
                    + " add the missing packages to image.customize.packages");
        }
        try {
            long memory = number(values, "RealMemory");
            SlurmConf.Node described = new SlurmConf.Node(
                    node.name(),
                    node.address(),
                    number(values, "CPUs"),
                    number(values, "SocketsPerBoard") * number(values, "Boards"),
                    number(values, "CoresPerSocket"),
                    number(values, "ThreadsPerCore"),
                    memory - memory / PARTS);
            return new SlurmProbe(
                    described,
                    values.getOrDefault("version", ""),
                    values.containsKey("cgroups"),
                    Set.of(values.getOrDefault("plugins", "").split(",")));
        } catch (NumberFormatException e) {
            throw new ClusterwrightException(
                    "on " + node.name() + ", \"slurmd -C\" did not print the node's CPUs and memory: "
                            + PrintableText.output(result.stdout() + result.stderr()),
                    e);
        }
    }

    private static int number(Map<String, String> values, String name) {
        return Integer.parseInt(values.getOrDefault(name, ""));
    }
}
