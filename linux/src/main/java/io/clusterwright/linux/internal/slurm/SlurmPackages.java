package io.clusterwright.linux.internal.slurm;

import io.clusterwright.core.Command;
import io.clusterwright.core.spec.Scheduler;
import io.clusterwright.core.type.ClusterwrightException;
import io.clusterwright.linux.internal.node.Site;
import io.clusterwright.linux.internal.packages.PackageManager;
import io.clusterwright.linux.internal.packages.Packages;
import java.util.List;
import java.util.function.Supplier;

/** Brings Slurm onto a node, with no key and no running service. */
public final class SlurmPackages {
    private static final String COMPLETE = SlurmProbe.PATH + """
            for program in munged slurmctld slurmd srun; do command -v $program >/dev/null || exit 1; done
            """;

    /** A package makes its own key and starts services with it, which every machine of an image would share. */
    private static final String AT_REST = SlurmProbe.PATH + """
            if [ -d /run/systemd/system ]; then
                systemctl --quiet disable --now slurmd slurmctld munge
            fi
            rm -f /etc/munge/munge.key
            """;

    private SlurmPackages() {}

    /** After the packages that the description names, among which may be one that makes a repository known. */
    public static void run(Site site, Supplier<Packages> packages) {
        if (site.spec().scheduler() != Scheduler.SLURM) {
            return;
        }
        if (site.session().run(Command.of("/bin/sh", "-uc", COMPLETE)).succeeded()) {
            site.say("Slurm is there");
        } else {
            PackageManager manager = packages.get().manager();
            List<String> names = manager.slurm();
            if (names.isEmpty()) {
                throw new ClusterwrightException(
                        "on " + site.session().node() + ", the distribution's " + manager.name()
                                + " has no package of Slurm: choose another image.base, or one that holds Slurm, or write scheduler: none");
            }
            packages.get().install(names);
            site.say("packages " + String.join(", ", names));
        }
        site.runAsRoot(AT_REST);
    }
}
