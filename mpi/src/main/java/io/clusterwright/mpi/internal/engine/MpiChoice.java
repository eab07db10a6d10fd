package io.clusterwright.mpi.internal.engine;

import io.clusterwright.core.NodeSession;
import io.clusterwright.core.internal.service.Services;
import io.clusterwright.core.plan.Finding;
import io.clusterwright.core.spec.MpiFlavour;
import io.clusterwright.core.type.InvalidValueException;
import io.clusterwright.mpi.internal.engine.JobDescription.LaunchPath;
import io.clusterwright.mpi.internal.finding.MpiFinding;
import io.clusterwright.mpi.internal.launch.MpiDetection;
import io.clusterwright.mpi.job.MpiInstallation;
import io.clusterwright.mpi.job.MpiNotFoundException;
import io.clusterwright.mpi.preset.MpiPreset;
import io.clusterwright.mpi.spi.LaunchCommand;
import io.clusterwright.mpi.spi.LaunchRequest;
import io.clusterwright.mpi.spi.LaunchTarget;
import io.clusterwright.mpi.spi.Launcher;
import io.clusterwright.mpi.spi.NodeTarget;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The MPI a job is started with, and the launcher that writes its command.
 *
 * @param launcher one that writes nothing where a scheduler starts the job
 * @param findings findings about the choice
 */
public record MpiChoice(MpiInstallation installation, Launcher launcher, List<Finding> findings) {
    private static final Launcher NO_LAUNCHER = new Launcher() {
        @Override
        public boolean supports(MpiInstallation mpi) {
            return true;
        }

        @Override
        public LaunchCommand command(LaunchRequest request) {
            throw new IllegalStateException("a scheduler writes the command of this job");
        }
    };

    /**
     * The MPI that a job on this target is started with.
     *
     * @param given the installation that the job names, where it names one
     * @throws MpiNotFoundException when there is none
     */
    public static MpiInstallation installationOn(LaunchTarget target, @Nullable MpiInstallation given) {
        JobDescription job = new JobDescription(List.of("true"));
        job.installation = given;
        job.flavour = given == null ? null : given.flavour();
        if (!(target instanceof NodeTarget nodes)) {
            return ofScheduler(job, target).installation;
        }
        return onNodes(job, nodes, nodes.session(nodes.nodes().get(0).name())).installation;
    }

    static MpiChoice onNodes(JobDescription job, NodeTarget target, NodeSession session) {
        MpiInstallation given = job.installation;
        MpiFlavour asked = job.flavour;
        MpiFlavour flavour = asked != null
                ? asked
                : job.preset != null ? null : target.flavour().orElse(null);
        MpiPreset preset = job.preset;
        MpiDetection detection = given == null ? MpiDetection.of(session) : new MpiDetection(List.of(given), null);
        List<MpiInstallation> found = target.sharesOneMachine() && flavour == null && job.path != LaunchPath.SESSIONS
                ? openMpiFirst(detection.installations())
                : detection.installations();
        for (MpiInstallation mpi : found) {
            Launcher launcher = launcherOf(mpi, target).orElse(null);
            if (launcher != null
                    && (flavour == null || mpi.flavour() == flavour)
                    && (preset == null || preset.isFor(mpi.flavour()))) {
                List<Finding> findings = new ArrayList<>();
                if (flavour == null && preset == null && found.size() > 1) {
                    findings.add(MpiFinding.severalInstalled(mpi, detection.toString()));
                }
                if (target.sharesOneMachine() && MpiFinding.waitsInFinalize(mpi)) {
                    findings.add(MpiFinding.HANGS_ON_SHARED_CORES.of(mpi));
                }
                return new MpiChoice(job.withEnvironment ? mpi : mpi.withoutEnvironment(), launcher, findings);
            }
        }
        String wanted = given != null ? given.toString() : flavour != null ? MpiInstallation.title(flavour) : "MPI";
        if (preset != null) {
            wanted += " for preset " + preset;
        }
        throw new MpiNotFoundException(session.node(), wanted, found);
    }

    /** Ranks of MPICH spin while they wait, and before 4.2 one that comes late to its end may wait for ever. */
    private static List<MpiInstallation> openMpiFirst(List<MpiInstallation> all) {
        return all.stream()
                .sorted(Comparator.comparing(mpi -> !mpi.isOpenMpi()))
                .toList();
    }

    /**
     * The MPI of a scheduler's nodes.
     *
     * @throws MpiNotFoundException when it is not the one asked for
     */
    static MpiChoice ofScheduler(JobDescription job, LaunchTarget target) {
        MpiInstallation given = job.installation;
        MpiInstallation mpi = given == null ? target.installation().orElse(null) : given;
        if (mpi == null) {
            throw InvalidValueException.of(
                    "this scheduler does not report the MPI of its nodes",
                    "name the MPI (example: installation(new MpiInstallation(MpiFlavour.OPEN_MPI, \"4.1.4\", \"mpirun\")))");
        }
        MpiFlavour asked = job.flavour;
        MpiPreset preset = job.preset;
        if (asked != null && mpi.flavour() != asked || preset != null && !preset.isFor(mpi.flavour())) {
            String wanted = asked != null ? MpiInstallation.title(asked) : "MPI for preset " + preset;
            throw new MpiNotFoundException(target.nodes().get(0).name(), wanted, List.of(mpi));
        }
        return new MpiChoice(job.withEnvironment ? mpi : mpi.withoutEnvironment(), NO_LAUNCHER, List.of());
    }

    private static Optional<Launcher> launcherOf(MpiInstallation mpi, NodeTarget target) {
        return target.launcher().isPresent()
                ? target.launcher().filter(launcher -> launcher.supports(mpi))
                : Services.of(Launcher.class).stream()
                        .filter(launcher -> launcher.supports(mpi))
                        .findFirst();
    }
}
