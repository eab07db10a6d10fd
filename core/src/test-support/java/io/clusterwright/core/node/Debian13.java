package io.clusterwright.core.node;

import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

/**
 * A Debian 13 with MPI and Slurm in a folder, for nodes beside those of this machine's Debian 12. It is made once per machine, by
 * debootstrap from the mirror of this machine, which takes two minutes; a list of other packages makes another folder.
 */
public final class Debian13 {
    private static final String PACKAGES = "openssh-server,sudo,procps,openmpi-bin,mpich,slurmctld,slurmd,slurm-client,munge,"
            + "python3-mpi4py,hpcc";
    private static final Path FOLDER =
            Path.of("/var/cache/clusterwright-tests", "trixie-" + Integer.toHexString(PACKAGES.hashCode()));
    private static final String MAKE = """
            set -eu
            [ ! -d "$1" ] || exit 0
            mkdir -p "${1%/*}"
            exec 9> "$1.lock"
            flock 9
            [ ! -d "$1" ] || exit 0
            mirror=$(apt-get indextargets --format '$(ORIGIN) $(REPO_URI)' | sed -n 's/^Debian //p' | head -n 1)
            rm -rf "$1.part"
            debootstrap --variant=minbase --include="$2" trixie "$1.part" "$mirror" 9>&-
            mv "$1.part" "$1"
            """;

    private static final long PATIENCE_MINUTES = 10;

    private Debian13() {}

    /** The root folder, which no test changes. */
    public static Path root() {
        try {
            Process make = new ProcessBuilder("sh", "-c", MAKE, "sh", FOLDER.toString(), PACKAGES)
                    .redirectErrorStream(true)
                    .redirectOutput(Path.of("target", "debootstrap.log").toFile())
                    .start();
            if (!make.waitFor(PATIENCE_MINUTES, TimeUnit.MINUTES) || make.exitValue() != 0) {
                make.destroy();
                throw new AssertionError(
                        "no Debian 13 could be made in " + FOLDER + "; see target/debootstrap.log of this module");
            }
            return FOLDER;
        } catch (IOException | InterruptedException e) {
            throw new AssertionError("no Debian 13 could be made in " + FOLDER, e);
        }
    }
}
