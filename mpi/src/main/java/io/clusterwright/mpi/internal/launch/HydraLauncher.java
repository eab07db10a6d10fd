package io.clusterwright.mpi.internal.launch;

import io.clusterwright.core.spec.Binding;
import io.clusterwright.core.spec.MpiFlavour;
import io.clusterwright.mpi.internal.launch.Hostfile.HostfileDialect;
import io.clusterwright.mpi.job.MpiInstallation;
import io.clusterwright.mpi.spi.JobFolder;
import io.clusterwright.mpi.spi.LaunchCommand;
import io.clusterwright.mpi.spi.LaunchRequest;
import io.clusterwright.mpi.spi.LaunchRequest.LaunchOption;
import io.clusterwright.mpi.spi.LaunchRequest.LaunchPart;
import io.clusterwright.mpi.spi.Launcher;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * Hydra, the launcher of MPICH and Intel MPI, and of MVAPICH2 where its {@code mpirun_rsh} is missing.
 *
 * <p>Runs under MPICH 4.0.2 prove the command; Intel MPI and MVAPICH2 are taken from their manuals. MPICH binds by
 * {@code -bind-to}; Intel MPI by the variables {@code I_MPI_PIN} and {@code I_MPI_PIN_DOMAIN} of its developer reference.
 */
public final class HydraLauncher implements Launcher {
    /** Hydra's own passing on ends the job when rank 0 reads slowly ("can't keep up"); rank 0 runs where the file lies. */
    private static final String READ_IN_RANK_0 =
            "if [ \"$PMI_RANK\" = 0 ]; then exec \"$@\" < \"$0\"; fi; exec \"$@\" < /dev/null";

    /** Creates the launcher; it has no state. */
    public HydraLauncher() {}

    @Override
    public boolean supports(MpiInstallation mpi) {
        return mpi.flavour() == MpiFlavour.MPICH
                || mpi.flavour() == MpiFlavour.INTEL_MPI
                || (mpi.flavour() == MpiFlavour.MVAPICH2 && !MpirunRshLauncher.isItsPath(mpi.mpirun()));
    }

    /** MPICH's only: whether Intel MPI's Hydra prints the same is not known. */
    @Override
    public boolean launchesOverSessions(MpiInstallation mpi) {
        return mpi.flavour() == MpiFlavour.MPICH;
    }

    @Override
    public boolean startsParts() {
        return true;
    }

    @Override
    public LaunchCommand command(LaunchRequest request) {
        JobFolder folder = request.folder();
        List<String> argv = new ArrayList<>();
        argv.add(request.mpi().mpirun());
        Hostfile hosts = Hostfile.of(request.nodes());
        boolean overSessions = request.has(LaunchOption.OVER_SESSIONS);
        if (overSessions) {
            String address = request.nodes().get(0).address().toString();
            argv.addAll(List.of("-launcher", "manual", "-localhost", address));
            argv.addAll(
                    List.of("-hosts", hosts.text(HostfileDialect.HYDRA).strip().replace('\n', ',')));
        } else {
            argv.addAll(List.of("-launcher", "ssh", "-launcher-exec", folder.path(SshAgent.FILE)));
            // Intel MPI reads the slots of a host behind -machinefile only; MPICH knows both words.
            boolean intel = request.mpi().flavour() == MpiFlavour.INTEL_MPI;
            argv.addAll(List.of(intel ? "-machinefile" : "-f", folder.path("hostfile")));
        }
        Iterator<LaunchPart> parts = request.parts().iterator();
        LaunchPart first = parts.next();
        argv.addAll(List.of("-n", Integer.toString(first.ranks())));
        if (request.mpi().flavour() == MpiFlavour.MPICH) {
            argv.add("-print-all-exitcodes");
        }
        Map<String, String> pinning = pinning(request);
        argv.addAll(placement(request));
        argv.addAll(request.launcherArguments());
        if (request.has(LaunchOption.LABEL_RANKS)) {
            argv.addAll(List.of("-prepend-pattern", label(folder, "%r")));
        }
        argv.addAll(List.of("-genv", JobFolder.VARIABLE, folder.token()));
        pinning.forEach((name, value) -> argv.addAll(List.of("-genv", name, value)));
        Map<String, String> hidden = request.hiddenVariables();
        request.environment().forEach((name, value) -> {
            if (!hidden.containsKey(name)) {
                argv.addAll(List.of("-genv", name, value));
            }
        });
        argv.addAll(part(request, first));
        parts.forEachRemaining(next -> {
            argv.addAll(List.of(":", "-n", Integer.toString(next.ranks())));
            argv.addAll(part(request, next));
        });
        LaunchCommand command = new LaunchCommand(argv).withVariables(inherited(request));
        return overSessions
                ? command
                : command.withFile("hostfile", hosts.text(HostfileDialect.HYDRA))
                        .withProgram(SshAgent.FILE, SshAgent.script(folder));
    }

    private static List<String> part(LaunchRequest request, LaunchPart part) {
        List<String> words = new ArrayList<>();
        if (!request.workingDirectory().isEmpty()) {
            words.addAll(List.of("-wdir", request.workingDirectory()));
        }
        if (request.has(LaunchOption.STDIN)) {
            words.addAll(
                    List.of("/bin/sh", "-c", READ_IN_RANK_0, request.folder().path(JobInput.FILE)));
        }
        words.addAll(request.rankProgram(part.program()));
        return words;
    }

    /** Hydra hands on all variables of its environment; Intel MPI's overwrites those that a node's login sets on request only. */
    private static Map<String, String> inherited(LaunchRequest request) {
        Map<String, String> all = new LinkedHashMap<>(request.launcherVariables());
        if (request.mpi().flavour() == MpiFlavour.INTEL_MPI && !all.isEmpty()) {
            all.putIfAbsent("I_MPI_HYDRA_ENV", "all");
        }
        return all;
    }

    /** Hydra's own {@code -prepend-rank} cannot be distinguished from a program's "[0] ": the job's token can. */
    @Override
    public Optional<Pattern> rankLabel(LaunchRequest request) {
        return Optional.of(Pattern.compile(label(request.folder(), "(\\d+)")));
    }

    private static String word(Binding binding) {
        return binding == Binding.L3 ? "l3cache" : binding.toString();
    }

    /**
     * The words that place and bind ranks, but those that the job gives itself: Hydra takes each option once. Empty for an
     * MPI that reads {@link #pinning}.
     */
    public static List<String> placement(LaunchRequest request) {
        if (request.binding() == Binding.DEFAULT || !pinning(request).isEmpty()) {
            return List.of();
        }
        List<String> words = new ArrayList<>();
        if (!request.hasLauncherOption("bind-to") && !request.hasLauncherOption("binding")) {
            String cores = request.coresPerRank() > 1 ? ":" + request.coresPerRank() : "";
            words.addAll(List.of("-bind-to", word(request.binding()) + cores));
        }
        if (request.binding() != Binding.NONE && !request.hasLauncherOption("map-by")) {
            request.ranksPerDomain().ifPresent(ranks -> words.addAll(List.of("-map-by", word(ranks.domain()))));
        }
        return words;
    }

    /** The variables by which an MPI places and binds ranks; empty for an MPI that reads {@link #placement}. */
    public static Map<String, String> pinning(LaunchRequest request) {
        boolean mvapich2 = request.mpi().flavour() == MpiFlavour.MVAPICH2
                && request.mpi().version().startsWith("2.");
        Map<String, String> variables = request.mpi().flavour() == MpiFlavour.INTEL_MPI
                ? intelMpi(request)
                : mvapich2 ? MpirunRshLauncher.binding(request, request.binding()) : Map.of();
        return MpirunRshLauncher.agreeing(request, variables);
    }

    private static Map<String, String> intelMpi(LaunchRequest request) {
        return switch (request.binding()) {
            case DEFAULT -> Map.of();
            case NONE -> Map.of("I_MPI_PIN", "0");
            case CORE -> {
                int cores = request.ranksPerDomain()
                        .map(ranks -> ranks.evenShare("Intel MPI"))
                        .orElse(request.coresPerRank());
                yield cores < 2 ? Map.of("I_MPI_PIN_DOMAIN", "core") : cells(cores);
            }
            case SOCKET -> Map.of("I_MPI_PIN_DOMAIN", "socket");
            case NUMA -> Map.of("I_MPI_PIN_DOMAIN", "numa");
            case L3 -> Map.of("I_MPI_PIN_DOMAIN", "cache3");
        };
    }

    private static Map<String, String> cells(int cores) {
        Map<String, String> variables = new LinkedHashMap<>();
        variables.put("I_MPI_PIN_CELL", "core");
        variables.put("I_MPI_PIN_DOMAIN", cores + ":compact");
        return variables;
    }

    private static String label(JobFolder folder, String rank) {
        return "<" + folder.token() + ":" + rank + ">";
    }
}
