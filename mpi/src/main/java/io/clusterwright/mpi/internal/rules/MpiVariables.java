package io.clusterwright.mpi.internal.rules;

import io.clusterwright.core.plan.Finding;
import io.clusterwright.core.plan.Severity;
import io.clusterwright.core.spec.MpiFlavour;
import io.clusterwright.core.spi.FindingKind;
import io.clusterwright.mpi.internal.data.DataFile;
import io.clusterwright.mpi.preset.MpiPreset;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * Finds mistakes in environment variables for MPI: what a version removed, ignores or deprecates, what contradicts the preset or
 * another variable, and what belongs to another MPI.
 */
public final class MpiVariables {
    private static final FindingKind CONTRADICTS_PRESET = kind(
            "CW-ENV-001",
            "a variable contradicts the preset, or mpi.threadsPerRank",
            "remove the variable from mpi.env, or choose another preset");
    private static final FindingKind REMOVED = kind(
            "CW-ENV-002",
            "this version of the MPI no longer has a variable or its value",
            "remove the variable from mpi.env");
    private static final FindingKind OTHER_MPI = kind(
            "CW-ENV-003", "a variable is for another MPI than the MPI of the job", "remove the variable from mpi.env");
    private static final FindingKind CONTRADICTION =
            kind("CW-ENV-004", "two variables contradict each other", "remove one of the two variables from mpi.env");
    private static final FindingKind IGNORED =
            kind("CW-ENV-005", "this version of the MPI ignores a variable", "remove the variable from mpi.env");
    private static final FindingKind DISCOURAGED = kind(
            "CW-ENV-006",
            "this version of the MPI deprecates a variable or its value",
            "write the variable or value that the finding names, such as FI_PROVIDER=ucx");

    private static final Map<String, Set<MpiFlavour>> OWNERS = new TreeMap<>(Map.of(
            "I_MPI_", Set.of(MpiFlavour.INTEL_MPI),
            "OMPI_", Set.of(MpiFlavour.OPEN_MPI, MpiFlavour.HPC_X),
            "PRTE_", Set.of(MpiFlavour.OPEN_MPI, MpiFlavour.HPC_X),
            "MV2_", Set.of(MpiFlavour.MVAPICH2),
            "MSMPI_", Set.of(MpiFlavour.MS_MPI)));
    private static final List<String> SELECTORS = List.of(
            "I_MPI_FABRICS",
            "I_MPI_OFI_PROVIDER",
            "FI_PROVIDER",
            "OMPI_MCA_pml",
            "OMPI_MCA_btl",
            "OMPI_MCA_opal_common_ucx_tls",
            "UCX_TLS");

    private static final String THREADS = "OMP_NUM_THREADS";

    private MpiVariables() {}

    /** The kinds of findings there are. */
    public static List<FindingKind> kinds() {
        return List.of(CONTRADICTS_PRESET, REMOVED, OTHER_MPI, CONTRADICTION, IGNORED, DISCOURAGED);
    }

    private static FindingKind kindOf(String code) {
        return kinds().stream()
                .filter(kind -> kind.code().equals(code))
                .findFirst()
                .orElseThrow();
    }

    /**
     * Findings about variables for an MPI.
     *
     * @param version such as {@code 2021.9}; empty when it is not known, and then only what holds for every version is said
     */
    public static List<Finding> check(MpiFlavour flavour, String version, Map<String, String> environment) {
        return Stream.concat(otherMpi(flavour, environment), rules(Set.of(flavour), version, environment))
                .toList();
    }

    /**
     * Findings about variables that are set beside the variables of a preset.
     *
     * @param version of the MPI; empty when it is not known, and then the preset's assumed one
     */
    public static List<Finding> check(MpiPreset preset, String version, Map<String, String> environment) {
        List<Finding> findings = new ArrayList<>();
        SELECTORS.forEach(name -> {
            String value = environment.getOrDefault(name, "").toLowerCase(Locale.ROOT);
            if (!value.isEmpty() && !fits(preset, value)) {
                String message = name + "=" + value + " contradicts the preset " + preset;
                findings.add(VariableRule.finding(CONTRADICTS_PRESET, name, message, ""));
            }
        });
        findings.addAll(check(preset.flavour(), version.isEmpty() ? preset.assumedVersion() : version, environment));
        return findings;
    }

    /** The finding about a number of threads that is not the number of cores of a rank. */
    static List<Finding> checkThreads(OptionalInt threads, Map<String, String> environment) {
        String given = environment.getOrDefault(THREADS, "").strip();
        return threads.isEmpty() || given.isEmpty() || given.equals(Integer.toString(threads.getAsInt()))
                ? List.of()
                : List.of(VariableRule.finding(
                        CONTRADICTS_PRESET,
                        THREADS,
                        THREADS + "=" + given + " contradicts mpi.threadsPerRank, which is " + threads.getAsInt(),
                        "remove " + THREADS + " from mpi.env, or write its number in mpi.threadsPerRank"));
    }

    /** Findings about variables whatever the MPI: those that contradict each other. */
    public static List<Finding> check(Map<String, String> environment) {
        return rules(Set.of(), "", environment).toList();
    }

    private static Stream<Finding> rules(Set<MpiFlavour> flavours, String version, Map<String, String> environment) {
        return Table.RULES.stream()
                .filter(rule -> rule.isFor(flavours, version))
                .flatMap(rule -> rule.findings(environment).stream());
    }

    private static Stream<Finding> otherMpi(MpiFlavour flavour, Map<String, String> environment) {
        return OWNERS.entrySet().stream()
                .filter(owner -> !owner.getValue().contains(flavour))
                .flatMap(owner -> environment.keySet().stream().filter(name -> name.startsWith(owner.getKey())))
                .map(name -> VariableRule.finding(OTHER_MPI, name, flavour + " does not know " + name, ""));
    }

    private static boolean fits(MpiPreset preset, String value) {
        boolean tcp = value.matches("(.*[:,])?(tcp|sockets|ob1|any)([;,].*)?") && !value.startsWith("^");
        String fabric = preset.name().substring(preset.name().indexOf('/') + 1);
        return switch (fabric) {
            case "ofi" -> true;
            case "tcp" -> tcp || value.startsWith("shm:ofi") || value.equals("ofi");
            case "network-direct" -> value.contains("dapl");
            case "mlx" -> !tcp && !value.contains("dapl") && !value.equals("verbs");
            default -> !tcp && !value.contains("dapl");
        };
    }

    private static FindingKind kind(String code, String subject, String remedy) {
        return new FindingKind(code, Severity.WARNING, subject, remedy);
    }

    /** Read when variables are checked for the first time. */
    private static final class Table {
        static final List<VariableRule> RULES = DataFile.read(MpiVariables.class, "variables.yaml").stream()
                .map(row -> new VariableRule(row, kindOf(row.text("code"))))
                .toList();
    }
}
