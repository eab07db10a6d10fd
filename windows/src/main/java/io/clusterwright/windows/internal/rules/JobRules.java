package io.clusterwright.windows.internal.rules;

import static io.clusterwright.core.spi.Rule.Where.EVERYWHERE;

import io.clusterwright.core.spec.ClusterSpec;
import io.clusterwright.core.spec.HpcPackSpec;
import io.clusterwright.core.spec.OperatingSystem;
import io.clusterwright.core.spi.Facts;
import io.clusterwright.core.spi.Rule;
import io.clusterwright.core.spi.RuleSet;
import io.clusterwright.core.type.InvalidValueException;
import io.clusterwright.windows.internal.jobs.Netmask;
import java.util.List;
import java.util.Map;

/** The rules of jobs of HPC Pack. */
public final class JobRules implements RuleSet {
    private static final String CLUSTER_MASK = "CCP_MPI_NETMASK";

    /** Creates the rules; they have no state. */
    public JobRules() {}

    @Override
    public List<Rule> rules() {
        return List.of(
                Rule.error(
                        "CW-HPCJOB-001",
                        EVERYWHERE,
                        "MS-MPI ignores a malformed netmask without a message",
                        "write mpi: {env: {MPICH_NETMASK: 172.16.0.0/255.255.0.0}}, or remove the variable",
                        JobRules::unreadable),
                Rule.warning(
                        "CW-HPCJOB-002",
                        EVERYWHERE,
                        "burst nodes ignore the netmask of the cluster",
                        "remove CCP_MPI_NETMASK; burst nodes find their network automatically",
                        JobRules::ignored));
    }

    private static void unreadable(ClusterSpec spec, Facts facts, Rule.Report report) {
        if (spec.operatingSystem() != OperatingSystem.WINDOWS) {
            return;
        }
        for (Map.Entry<String, String> variable : spec.mpi().env().entrySet()) {
            try {
                Netmask.checked(variable.getKey(), variable.getValue());
            } catch (InvalidValueException e) {
                report.add(
                        "mpi.env." + variable.getKey(),
                        variable.getValue() + " is not a netmask, and MS-MPI ignores it without a message");
            }
        }
    }

    private static void ignored(ClusterSpec spec, Facts facts, Rule.Report report) {
        boolean burst = spec.hpcPack()
                .filter(pack -> pack.scenario() == HpcPackSpec.Scenario.BURST)
                .isPresent();
        spec.mpi().env().keySet().stream()
                .filter(name -> burst && name.equalsIgnoreCase(CLUSTER_MASK))
                .forEach(name -> report.add(
                        "mpi.env." + name,
                        name + " has no effect: hpcPack.scenario is burst, and burst nodes ignore it"));
    }
}
