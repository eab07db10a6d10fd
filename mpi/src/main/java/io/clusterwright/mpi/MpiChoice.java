package io.clusterwright.mpi;

import io.clusterwright.core.NodeSession;
import io.clusterwright.core.plan.Finding;
import io.clusterwright.core.spec.MpiFlavour;
import io.clusterwright.mpi.preset.MpiPreset;
import io.clusterwright.mpi.spi.Launcher;
import java.util.List;
import java.util.Optional;

/**
 * The MPI a job is started with, and who writes its command.
 *
 * @param findings what is to be said about the choice
 */
public record MpiChoice(MpiInstallation installation, Launcher launcher, List<Finding> findings) {

    public static MpiChoice make(MpiJob job, JobTarget target, NodeSession session, Iterable<Launcher> launchers) {
        MpiInstallation given = job.givenInstallation();
        MpiFlavour asked = job.wantedFlavour();
        MpiFlavour flavour = asked != null
                ? asked
                : job.wantedPreset() != null ? null : target.flavour().orElse(null);
        MpiPreset preset = job.wantedPreset();
        MpiDetection detection = given == null ? MpiDetector.examine(session) : new MpiDetection(List.of(given), null);
        List<MpiInstallation> found = detection.installations();
        Iterable<Launcher> candidates =
                target.launcher().<Iterable<Launcher>>map(List::of).orElse(launchers);
        for (MpiInstallation mpi : found) {
            Launcher launcher = launcherOf(mpi, candidates).orElse(null);
            if (launcher != null
                    && (flavour == null || mpi.flavour() == flavour)
                    && (preset == null || preset.isFor(mpi.flavour()))) {
                boolean named = flavour != null || preset != null;
                return new MpiChoice(mpi, launcher, findings(named, mpi, detection));
            }
        }
        String wanted = given != null ? given.toString() : flavour != null ? MpiInstallation.title(flavour) : "MPI";
        if (preset != null) {
            wanted += " for preset " + preset;
        }
        throw new MpiNotFoundException(session.node(), wanted, found);
    }

    /**
     * The MPI of a scheduler's nodes.
     *
     * @throws MpiNotFoundException when it is none of those asked for
     * @throws IllegalArgumentException when nobody can write its command
     */
    public static MpiChoice make(
            MpiJob job, JobTarget target, RemoteScheduler scheduler, Iterable<Launcher> launchers) {
        MpiInstallation given = job.givenInstallation();
        MpiInstallation mpi = given == null ? scheduler.installation() : given;
        MpiFlavour asked = job.wantedFlavour();
        MpiPreset preset = job.wantedPreset();
        if (asked != null && mpi.flavour() != asked || preset != null && !preset.isFor(mpi.flavour())) {
            String wanted = asked != null ? MpiInstallation.title(asked) : "MPI for preset " + preset;
            throw new MpiNotFoundException(target.nodes().get(0).name(), wanted, List.of(mpi));
        }
        Iterable<Launcher> candidates =
                target.launcher().<Iterable<Launcher>>map(List::of).orElse(launchers);
        Launcher launcher = launcherOf(mpi, candidates)
                .orElseThrow(() -> new IllegalArgumentException(
                        "no launcher here writes the command of " + mpi + ": add the module that does to the path"));
        return new MpiChoice(mpi, launcher, List.of());
    }

    private static List<Finding> findings(boolean named, MpiInstallation chosen, MpiDetection found) {
        return !named && found.installations().size() > 1
                ? List.of(MpiFindings.severalInstalled(chosen, found))
                : List.of();
    }

    private static Optional<Launcher> launcherOf(MpiInstallation mpi, Iterable<Launcher> launchers) {
        for (Launcher launcher : launchers) {
            if (launcher.supports(mpi)) {
                return Optional.of(launcher);
            }
        }
        return Optional.empty();
    }
}
