package io.clusterwright.linux.internal.customize;

import io.clusterwright.core.Command;
import io.clusterwright.core.CommandResult;
import io.clusterwright.core.spec.MpiInstall;
import io.clusterwright.core.spec.MpiInstall.MpiSource;
import io.clusterwright.core.type.ClusterwrightException;
import io.clusterwright.linux.internal.node.Site;
import io.clusterwright.linux.internal.packages.PackageManager;
import io.clusterwright.linux.internal.packages.Packages;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/** Brings the MPI onto a node and makes sure that it is there. */
final class MpiSetup {
    /** Distributions, HPC images and the installers of Intel and NVIDIA keep theirs in these places. */
    private static final String FIND = """
            chosen=$1
            kind=$2
            shift 2
            answers() { "$1" --version 2>&1 | grep -E "$kind" >/dev/null || return 1; echo "$1"; "$1" --version 2>&1; exit 0; }
            for launcher in "$@"; do
                if path=$(command -v "$launcher"); then answers "$path" || :; fi
            done
            for place in "$chosen"/impi/*/bin64 "$chosen"/*/bin "$chosen"/bin /usr/lib64/*/bin /usr/lib64/mpi/gcc/*/bin /usr/lib/*/bin /opt/intel/impi*/bin64 /opt/intel/impi/*/bin64 \\
                /opt/intel/impi/*/intel64/bin /opt/intel/compilers_and_libraries*/linux/mpi/intel64/bin \\
                /opt/intel/oneapi/mpi/*/bin /opt/*/ompi/bin /opt/*/bin; do
                for launcher in "$@"; do
                    if [ -x "$place/$launcher" ]; then answers "$place/$launcher" || :; fi
                done
            done
            exit 1
            """;

    /** The answer that tells Intel's installer where to install. */
    private static final String INTEL_FOLDER = "PSET_INSTALL_DIR";

    private MpiSetup() {}

    static void run(Site site, Supplier<Packages> packages) {
        site.customization().mpi().ifPresent(mpi -> {
            install(site, mpi, packages);
            site.say(mpi.flavour() + " is at " + requireLauncher(site, mpi));
        });
    }

    private static void install(Site site, MpiInstall mpi, Supplier<Packages> packages) {
        MpiSource source = mpi.install();
        if (source instanceof MpiSource.Archive archive) {
            new MpiArchive(site, mpi, archive).install();
        } else if (source instanceof MpiSource.Packages files) {
            packages.get().installFiles(matching(site, files.pattern()));
        }
    }

    /** The packages of the distribution that hold the MPI, if it is to come from there. */
    static List<String> fromDistribution(Site site, Supplier<Packages> packages) {
        MpiInstall mpi = site.customization().mpi().orElse(null);
        if (mpi == null || !(mpi.install() instanceof MpiSource.Distribution)) {
            return List.of();
        }
        PackageManager manager = packages.get().manager();
        List<String> names = manager.mpi(mpi.flavour());
        if (names.isEmpty()) {
            throw new ClusterwrightException("on " + site.session().node() + ", the distribution's "
                    + manager.name() + " has no package of " + mpi.flavour()
                    + ": set mpi.install to image where the image holds it, or to an archive with its sha256");
        }
        return names;
    }

    /** The pattern is matched on the node, whose files it is about. */
    private static List<String> matching(Site site, String pattern) {
        String found = site.run(Command.of(
                "sh",
                "-euc",
                "IFS=; for file in $1; do if [ -f \"$file\" ]; then printf '%s\\n' \"$file\"; fi; done",
                "sh",
                pattern));
        List<String> files = found.lines().toList();
        if (files.isEmpty()) {
            throw new ClusterwrightException("on " + site.session().node() + ", no file matches " + pattern
                    + " (mpi.install.packages): check what the image holds");
        }
        return files;
    }

    private static String requireLauncher(Site site, MpiInstall mpi) {
        CommandResult found = site.session().run(find(mpi));
        if (!found.succeeded()) {
            throw new ClusterwrightException("on " + site.session().node() + ", " + mpi.flavour() + " (mpi.install: "
                    + mpi.install() + ") has no mpirun in any of the usual places: "
                    + (mpi.install() instanceof MpiSource.Image
                            ? "the image does not hold it; choose another base or another way to install it"
                            : "the installation left none; look at its output above"));
        }
        String[] answer = found.stdout().split("\n", 2);
        mpi.version().ifPresent(version -> {
            if (!answer[1].contains(version)) {
                throw new ClusterwrightException("on " + site.session().node() + ", " + answer[0] + " is not "
                        + mpi.flavour() + " " + version + " (mpi.version); it says: "
                        + answer[1].strip().lines().limit(2).toList()
                        + ". Leave mpi.version out to take what there is");
            }
        });
        return answer[0];
    }

    /** What a launcher says of itself tells one MPI from another that is called mpirun as well. */
    private static Command find(MpiInstall mpi) {
        String chosen = mpi.install() instanceof MpiSource.Archive archive
                ? archive.answers().getOrDefault(INTEL_FOLDER, "")
                : "";
        List<String> kindAndNames = switch (mpi.flavour()) {
            case MPICH -> List.of("HYDRA|MPICH", "mpirun.mpich", "mpiexec.mpich", "mpiexec.hydra", "mpirun");
            case OPEN_MPI, HPC_X ->
                List.of("Open ?MPI|OpenRTE|PRRTE|open-mpi", "mpirun.openmpi", "orterun", "prterun", "mpirun");
            case MVAPICH2 -> List.of("HYDRA|MVAPICH|mpirun_rsh", "mpirun_rsh", "mpirun");
            case INTEL_MPI -> List.of("Intel.*MPI", "mpirun", "mpiexec.hydra");
            case MS_MPI -> List.of("Microsoft MPI", "mpiexec");
        };
        List<String> words = new ArrayList<>(List.of("sh", "-uc", FIND, "sh", chosen));
        words.addAll(kindAndNames);
        return Command.of(words);
    }
}
