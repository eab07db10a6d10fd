package io.clusterwright.linux.internal.customize;

import io.clusterwright.core.Command;
import io.clusterwright.core.spec.Scheduler;
import io.clusterwright.core.type.ClusterwrightException;
import io.clusterwright.linux.internal.node.NodeSetup;
import io.clusterwright.linux.internal.packages.PackageManager;
import io.clusterwright.linux.internal.slurm.SlurmSetup;
import java.util.List;

/** Brings Slurm onto a node, with no key and no running service. */
final class SlurmPackages {
    private static final String COMPLETE = SlurmSetup.PATH + """
            for program in munged slurmctld slurmd srun; do command -v $program >/dev/null || exit 1; done
            """;

    /** A package makes its own key and starts services with it, which every machine of an image would share. */
    private static final String AT_REST = SlurmSetup.PATH + """
            if [ -d /run/systemd/system ]; then
                systemctl --quiet disable --now slurmd slurmctld munge
            fi
            rm -f /etc/munge/munge.key
            """;

    private SlurmPackages() {}

    /** After the packages that the spec names, among which may be one that makes a repository known. */
    static void run(ImageCustomization on) {
        NodeSetup setup = on.setup();
        if (setup.spec().scheduler() != Scheduler.SLURM) {
            return;
        }
        if (setup.session().run(Command.of("/bin/sh", "-uc", COMPLETE)).succeeded()) {
            setup.report("Slurm is there");
        } else {
            PackageManager manager = on.packages().manager();
            List<String> names = manager.slurm();
            if (names.isEmpty()) {
                throw new ClusterwrightException(
                        "on " + setup.session().node() + ", the distribution's " + manager
                                + " has no package of Slurm: choose an image.base with Slurm or such a package, or write scheduler: none");
            }
            on.packages().install(names);
            setup.report("packages " + String.join(", ", names));
        }
        setup.runAsRoot(AT_REST);
    }

    static void write(CloudConfig data) {
        if (data.input().spec().scheduler() == Scheduler.SLURM) {
            data.note("Slurm is not set up: its services need a common secret key, which this file must not hold, and a"
                    + " configuration with all nodes. Install and configure it by hand, or use create");
        }
    }
}
