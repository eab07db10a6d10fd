package io.clusterwright.mpi.internal.render;

import io.clusterwright.core.internal.text.PosixShell;
import io.clusterwright.core.spi.RenderInput;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.stream.Collectors;

/** A script that runs a program over the hostfile beside it, in the environment beside it. */
final class LaunchScript {
    private LaunchScript() {}

    static String text(JobEnvironment environment, RenderInput input) {
        String variables = String.join(" ", environment.names());
        String arguments =
                environment.launcherArguments().stream().map(PosixShell::quote).collect(Collectors.joining(" "));
        String launcher = switch (environment.installed()) {
            case MPICH -> "mpich";
            case INTEL_MPI -> "intel";
            case OPEN_MPI, HPC_X -> "openmpi";
            case MVAPICH2 -> "mvapich2";
            case MS_MPI -> throw new IllegalStateException("MS-MPI has no shell script");
        };
        String hostfile = switch (environment.installed()) {
            case OPEN_MPI, HPC_X -> "hostfile.openmpi";
            case MVAPICH2 -> "hostfile.mvapich2";
            default -> "hostfile.hydra";
        };
        return (read("mpirun-start.sh") + read("mpirun-" + launcher + ".sh"))
                .replace("@OPTIONS@\n", read("mpirun-options.sh"))
                .replace("@HOSTFILE@", hostfile)
                .replace("@CLUSTER@", input.spec().name().value())
                .replace("@PRESET@", environment.preset().name())
                .replace(" @VARIABLES@", variables.isEmpty() ? "" : " " + variables)
                .replace(" @ARGUMENTS@", arguments.isEmpty() ? "" : " " + arguments)
                .replace(" @BINDING@", input.facts().local() ? " --bind-to none" : "");
    }

    private static String read(String name) {
        try (InputStream in = LaunchScript.class.getResourceAsStream(name)) {
            if (in == null) {
                throw new IllegalStateException("resource " + name + " is missing from this module");
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
