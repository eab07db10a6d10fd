package io.clusterwright.mpi;

import io.clusterwright.core.cluster.NodeSession;
import io.clusterwright.core.plan.Finding;
import io.clusterwright.core.spec.MpiFlavour;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The MPI a job is started with, and who writes its command.
 *
 * @param findings what is to be said about the choice
 */
record MpiChoice(MpiInstallation installation, Launcher launcher, List<Finding> findings) {

    static MpiChoice make(MpiJob job, LaunchTarget target, NodeSession session, Iterable<Launcher> launchers) {
        MpiInstallation given = job.givenInstallation();
        MpiFlavour asked = job.wantedFlavour();
        MpiFlavour flavour = asked != null ? asked : target.flavour().orElse(null);
        List<MpiInstallation> found = given == null ? MpiDetector.detect(session) : List.of(given);
        for (MpiInstallation mpi : found) {
            Launcher launcher = launcherOf(mpi, launchers).orElse(null);
            if (launcher != null && (flavour == null || mpi.flavour() == flavour)) {
                return new MpiChoice(mpi, launcher, findings(flavour, mpi, found));
            }
        }
        String wanted = given != null ? given.toString() : flavour != null ? MpiInstallation.title(flavour) : "MPI";
        throw new MpiNotFoundException(session.node(), wanted, found);
    }

    private static List<Finding> findings(
            @Nullable MpiFlavour asked, MpiInstallation chosen, List<MpiInstallation> found) {
        return asked == null && found.size() > 1 ? List.of(MpiFindings.severalInstalled(chosen, found)) : List.of();
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
