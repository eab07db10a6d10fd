package io.clusterwright.core.internal.rules;

import static io.clusterwright.core.spi.Rule.Where.EVERYWHERE;

import io.clusterwright.core.spec.ClusterSpec;
import io.clusterwright.core.spec.MpiFlavour;
import io.clusterwright.core.spec.MpiInstall;
import io.clusterwright.core.spi.Facts;
import io.clusterwright.core.spi.Rule;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Environment variables that contradict the preset or one another. */
final class VariableRules {
    private static final Map<String, Set<MpiFlavour>> OWNERS = Map.of(
            "I_MPI_", Set.of(MpiFlavour.INTEL_MPI),
            "OMPI_", Set.of(MpiFlavour.OPEN_MPI, MpiFlavour.HPC_X),
            "PRTE_", Set.of(MpiFlavour.OPEN_MPI, MpiFlavour.HPC_X),
            "MV2_", Set.of(MpiFlavour.MVAPICH2),
            "MSMPI_", Set.of(MpiFlavour.MS_MPI));
    private static final List<String> SELECTORS =
            List.of("I_MPI_FABRICS", "I_MPI_OFI_PROVIDER", "FI_PROVIDER", "OMPI_MCA_pml", "OMPI_MCA_btl", "UCX_TLS");

    private VariableRules() {}

    static List<Rule> rules() {
        return List.of(
                Rule.warning(
                        "CW-ENV-001",
                        EVERYWHERE,
                        "a variable contradicts the preset",
                        "leave the variable out, or choose the preset that it means",
                        VariableRules::contradictsPreset),
                Rule.warning(
                        "CW-ENV-002",
                        EVERYWHERE,
                        "a variable was removed from this version of Intel MPI",
                        "leave the variable out",
                        VariableRules::removed),
                Rule.warning(
                        "CW-ENV-003",
                        EVERYWHERE,
                        "a variable is for another MPI than the one that is used",
                        "leave the variable out",
                        VariableRules::otherMpi),
                Rule.warning(
                        "CW-ENV-004",
                        EVERYWHERE,
                        "two variables contradict each other",
                        "keep one of them",
                        VariableRules::contradictEachOther));
    }

    private static void contradictsPreset(ClusterSpec spec, Facts facts, Rule.Report report) {
        String preset = spec.mpi().preset();
        for (String name : SELECTORS) {
            String value = spec.mpi().env().getOrDefault(name, "").toLowerCase(Locale.ROOT);
            if (!value.isEmpty() && !fits(preset, value)) {
                report.say("mpi.env." + name, name + "=" + value + " undoes what the preset " + preset + " sets");
            }
        }
    }

    private static boolean fits(String preset, String value) {
        boolean tcp = value.matches("(.*[:,])?(tcp|sockets|ob1)([;,].*)?") && !value.startsWith("^");
        String fabric = preset.substring(preset.indexOf('/') + 1);
        return switch (fabric) {
            case Presets.AUTO, "ofi" -> true;
            case "tcp" -> tcp || value.startsWith("shm:ofi") || value.equals("ofi");
            case "network-direct" -> value.contains("dapl");
            case "mlx" -> !tcp && !value.contains("dapl") && !value.equals("verbs");
            default -> !tcp && !value.contains("dapl");
        };
    }

    private static void removed(ClusterSpec spec, Facts facts, Rule.Report report) {
        boolean ofiOnly =
                FabricRules.intelYear(spec).filter(year -> year >= 2019).isPresent()
                        || spec.mpi().preset().equals("intel-mpi/mlx")
                        || spec.mpi().preset().equals("intel-mpi/ucx");
        if (ofiOnly) {
            spec.mpi().env().keySet().stream()
                    .filter(name -> name.startsWith("I_MPI_DAPL_")
                            || name.equals("I_MPI_DYNAMIC_CONNECTION")
                            || name.equals("I_MPI_FABRICS_LIST"))
                    .forEach(name -> report.say("mpi.env." + name, "Intel MPI 2019 and later do not know " + name));
        }
    }

    private static void otherMpi(ClusterSpec spec, Facts facts, Rule.Report report) {
        Optional<MpiFlavour> used = Presets.find(spec.mpi().preset())
                .map(Presets.Preset::flavour)
                .or(() -> spec.image().customize().mpi().map(MpiInstall::flavour));
        used.ifPresent(flavour -> spec.mpi()
                .env()
                .keySet()
                .forEach(name -> OWNERS.forEach((prefix, owners) -> {
                    if (name.startsWith(prefix) && !owners.contains(flavour)) {
                        report.say("mpi.env." + name, flavour + " does not know " + name);
                    }
                })));
    }

    private static void contradictEachOther(ClusterSpec spec, Facts facts, Rule.Report report) {
        Map<String, String> env = spec.mpi().env();
        String fabrics = env.getOrDefault("I_MPI_FABRICS", "");
        if (!fabrics.isEmpty() && !fabrics.contains("dapl") && env.containsKey("I_MPI_DAPL_PROVIDER")) {
            report.say("mpi.env.I_MPI_FABRICS", "I_MPI_FABRICS=" + fabrics + " makes no use of I_MPI_DAPL_PROVIDER");
        }
        if (env.getOrDefault("OMPI_MCA_pml", "").equals("ob1") && env.containsKey("UCX_NET_DEVICES")) {
            report.say("mpi.env.OMPI_MCA_pml", "OMPI_MCA_pml=ob1 makes no use of UCX_NET_DEVICES");
        }
        String ofi = env.getOrDefault("I_MPI_OFI_PROVIDER", "");
        String fi = env.getOrDefault("FI_PROVIDER", ofi);
        if (!ofi.isEmpty() && !ofi.equals(fi)) {
            report.say(
                    "mpi.env.FI_PROVIDER",
                    "FI_PROVIDER=" + fi + " and I_MPI_OFI_PROVIDER=" + ofi + " name two providers");
        }
        if (env.getOrDefault("MSMPI_DISABLE_SOCK", "").equals("1")
                && env.getOrDefault("MSMPI_DISABLE_ND", "").equals("1")) {
            report.say(
                    "mpi.env.MSMPI_DISABLE_SOCK", "with sockets and NetworkDirect both off nothing connects the nodes");
        }
    }
}
