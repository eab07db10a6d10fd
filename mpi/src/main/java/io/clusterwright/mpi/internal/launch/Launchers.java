package io.clusterwright.mpi.internal.launch;

import io.clusterwright.mpi.MpiInstallation;
import io.clusterwright.mpi.spi.JobFolder;
import io.clusterwright.mpi.spi.LaunchCommand;
import io.clusterwright.mpi.spi.LaunchRequest;
import io.clusterwright.mpi.spi.Launcher;
import java.util.Optional;
import java.util.ServiceLoader;
import java.util.regex.Pattern;

/** Finds the launcher of an MPI. */
public final class Launchers {
    /** The launcher of jobs whose command a scheduler writes; its output has no labels. */
    public static final Launcher NONE = new Launcher() {
        @Override
        public boolean supports(MpiInstallation mpi) {
            return true;
        }

        @Override
        public LaunchCommand command(LaunchRequest request) {
            throw new IllegalStateException("a scheduler writes the command of this job");
        }

        @Override
        public Optional<Pattern> rankLabel(JobFolder folder) {
            return Optional.empty();
        }
    };

    private Launchers() {}

    /** The first service that knows the command line of an installation. */
    public static Optional<Launcher> of(MpiInstallation mpi) {
        for (Launcher launcher : ServiceLoader.load(Launcher.class, Launcher.class.getClassLoader())) {
            if (launcher.supports(mpi)) {
                return Optional.of(launcher);
            }
        }
        return Optional.empty();
    }
}
