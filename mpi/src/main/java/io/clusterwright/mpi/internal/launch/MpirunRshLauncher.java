package io.clusterwright.mpi.internal.launch;

import io.clusterwright.core.spec.Binding;
import io.clusterwright.core.spec.MpiFlavour;
import io.clusterwright.core.type.InvalidValueException;
import io.clusterwright.mpi.internal.launch.Hostfile.HostfileDialect;
import io.clusterwright.mpi.job.MpiInstallation;
import io.clusterwright.mpi.spi.JobFolder;
import io.clusterwright.mpi.spi.LaunchCommand;
import io.clusterwright.mpi.spi.LaunchRequest;
import io.clusterwright.mpi.spi.LaunchRequest.LaunchOption;
import io.clusterwright.mpi.spi.Launcher;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * {@code mpirun_rsh}, MVAPICH2's own launcher.
 *
 * <p>Not proven by a run: taken from the MVAPICH2 user guide ({@code -ssh -np -hostfile}, variables as {@code NAME=VALUE} right before
 * the program, {@code MV2_ENABLE_AFFINITY}, {@code MV2_CPU_BINDING_LEVEL}) and from how its sources hand arguments on: as words of a
 * shell's command line, quoted at most by blanks. It cannot label output, cannot be given another ssh to call (so a node that is not
 * reached is known by its own end or the job's time only), and has no option for a working directory or standard input. What it
 * would change or cannot do is refused; MVAPICH2's Hydra ({@code mpiexec.hydra}) has no such limits.
 */
public final class MpirunRshLauncher implements Launcher {
    private static final Pattern PLAIN = Pattern.compile("[A-Za-z0-9_./:=,+@%^-]+");
    private static final String REMEDY =
            "use MVAPICH2's Hydra, by installation(new MpiInstallation(MpiFlavour.MVAPICH2, version,"
                    + " \".../bin/mpiexec.hydra\")), or call a script that is on every node";

    /** Creates the launcher; it has no state. */
    public MpirunRshLauncher() {}

    static boolean isItsPath(String mpirun) {
        return mpirun.endsWith("mpirun_rsh");
    }

    @Override
    public boolean supports(MpiInstallation mpi) {
        return mpi.flavour() == MpiFlavour.MVAPICH2 && isItsPath(mpi.mpirun());
    }

    @Override
    public LaunchCommand command(LaunchRequest request) {
        refuseWhatItCannot(request);
        JobFolder folder = request.folder();
        List<String> argv = new ArrayList<>();
        argv.addAll(List.of(request.mpi().mpirun(), "-ssh"));
        argv.addAll(request.launcherArguments());
        argv.addAll(List.of("-np", Integer.toString(request.ranks()), "-hostfile", folder.path("hostfile")));
        argv.add(JobFolder.VARIABLE + "=" + folder.token());
        Binding binding = request.binding() == Binding.DEFAULT && request.has(LaunchOption.SHARED_MACHINE)
                ? Binding.NONE
                : request.binding();
        agreeing(request, binding(request, binding)).forEach((name, value) -> argv.add(name + "=" + value));
        request.environment().forEach((name, value) -> {
            if (!isInstalled(request, name, value) || PLAIN.matcher(value).matches()) {
                argv.add(name + "=" + value);
            }
        });
        argv.addAll(request.program());
        String hosts = Hostfile.of(request.nodes()).text(HostfileDialect.MVAPICH2);
        return new LaunchCommand(argv)
                .withFile("hostfile", hosts)
                .withVariables(request.mpi().environment());
    }

    private static boolean isInstalled(LaunchRequest request, String name, String value) {
        return value.equals(request.mpi().environment().get(name));
    }

    static Map<String, String> binding(LaunchRequest request, Binding binding) {
        if (request.ranksPerDomain().isPresent()) {
            throw InvalidValueException.of(
                    "MVAPICH2 cannot place ranks by "
                            + request.ranksPerDomain().get().domain(),
                    "set the ranks of each node (example: --ppn 4, or ranksPerNode(4))");
        }
        if (binding == Binding.CORE && request.coresPerRank() > 1) {
            Map<String, String> variables = new LinkedHashMap<>();
            variables.put("MV2_CPU_BINDING_POLICY", "hybrid");
            variables.put("MV2_THREADS_PER_PROCESS", Integer.toString(request.coresPerRank()));
            return variables;
        }
        return switch (binding) {
            case DEFAULT -> Map.of();
            case NONE -> Map.of("MV2_ENABLE_AFFINITY", "0");
            case CORE -> Map.of("MV2_CPU_BINDING_LEVEL", "core");
            case SOCKET -> Map.of("MV2_CPU_BINDING_LEVEL", "socket");
            case NUMA -> Map.of("MV2_CPU_BINDING_LEVEL", "numanode");
            case L3 -> throw binding.unsupported("MVAPICH2", Binding.CORE, Binding.SOCKET, Binding.NUMA);
        };
    }

    /** Variables for a binding, which the job must not set otherwise. */
    static Map<String, String> agreeing(LaunchRequest request, Map<String, String> variables) {
        variables.forEach((name, value) -> {
            String own = request.environment().getOrDefault(name, value);
            if (!own.equals(value)) {
                throw InvalidValueException.of(
                        "binding " + request.binding() + " of " + request.mpi() + " sets " + name + "=" + value
                                + ", and the job sets " + name + "=" + own,
                        "remove the binding or the variable");
            }
        });
        return variables;
    }

    private static void refuseWhatItCannot(LaunchRequest request) {
        if (request.has(LaunchOption.REPORT_BINDING)) {
            throw InvalidValueException.of(
                    "mpirun_rsh cannot report where ranks run", "remove --report-binding (reportBinding())");
        }
        if (request.program().contains(":")) {
            throw InvalidValueException.of("mpirun_rsh cannot pass a lone ':' as an argument", REMEDY);
        }
        request.program().forEach(argument -> requirePlain(argument, "argument"));
        request.environment().forEach((name, value) -> {
            if (!isInstalled(request, name, value)) {
                requirePlain(value, "value of variable " + name);
            }
        });
        if (request.program().get(0).contains("=")) {
            throw InvalidValueException.of(
                    "mpirun_rsh takes the program \"" + request.program().get(0)
                            + "\" for a variable, because of its '='",
                    REMEDY);
        }
        if (!request.workingDirectory().isEmpty()) {
            throw InvalidValueException.of("mpirun_rsh cannot set a working directory", REMEDY);
        }
        if (request.has(LaunchOption.STDIN)) {
            throw InvalidValueException.of("mpirun_rsh is not known to pass standard input to rank 0", REMEDY);
        }
    }

    private static void requirePlain(String text, String what) {
        if (!PLAIN.matcher(text).matches()) {
            throw InvalidValueException.of(
                    "mpirun_rsh cannot pass the " + what + " \"" + text
                            + "\" unchanged: a shell reads it, and only letters, digits and _./:=,+@%^- are safe",
                    REMEDY);
        }
    }
}
