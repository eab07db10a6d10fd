package io.clusterwright.linux.internal.customize;

import io.clusterwright.core.Command;
import io.clusterwright.core.CommandResult;
import io.clusterwright.core.internal.text.PosixShell;
import io.clusterwright.core.spec.MpiInstall;
import io.clusterwright.core.spec.MpiInstall.MpiSource;
import io.clusterwright.core.type.ClusterwrightException;
import io.clusterwright.linux.internal.node.NodeSetup;
import io.clusterwright.linux.internal.packages.PackageManager;
import java.util.ArrayList;
import java.util.List;

/** Brings the MPI onto a node and makes sure that it is there; {@link MpiArchive} runs installers and answers their questions. */
final class MpiSetup {
    /** Distributions, HPC images and the installers of Intel and NVIDIA keep theirs in these places. */
    private static final String FIND = """
            chosen=$1
            kind=$2
            shift 2
            answers() { "$1" --version 2>&1 | grep -E "$kind" >/dev/null || return 1; echo "$1"; readlink -f "$1"; "$1" --version 2>&1; exit 0; }
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

    /** Ends a script with a message. */
    static final String FAIL = "fail() { echo \"$*\" >&2; exit 1; }\n";

    /** The pattern is matched on the node, whose files it is about. */
    private static final String MATCH = """
            IFS=
            set --
            for file in $pattern; do
                if [ -f "$file" ]; then set -- "$@" "$file"; fi
            done
            unset IFS
            [ $# -gt 0 ] || fail "no file matches $pattern (mpi.install.packages): check what the image holds"
            """;

    private MpiSetup() {}

    static void run(ImageCustomization on) {
        on.wanted().mpi().ifPresent(mpi -> {
            if (mpi.install() instanceof MpiSource.Archive archive) {
                new MpiArchive(mpi, archive).run(on.setup());
            } else if (mpi.install() instanceof MpiSource.Packages files) {
                on.packages().installFiles(FAIL + installFiles(files));
            }
            on.setup().report(mpi.flavour() + " is at " + requireLauncher(on.setup(), mpi));
        });
    }

    static void write(CloudConfig data) {
        data.customization().mpi().ifPresent(mpi -> {
            if (mpi.install() instanceof MpiSource.Archive archive) {
                new MpiArchive(mpi, archive).write(data);
            } else if (mpi.install() instanceof MpiSource.Packages files) {
                data.step(mpi.flavour() + " from the packages on the image", installFiles(files));
            }
            if (!(mpi.install() instanceof MpiSource.Image)) {
                data.step(
                        "where " + mpi.flavour() + " is",
                        PosixShell.quote(find(mpi).arguments()) + " ||\n    fail "
                                + PosixShell.quote(
                                        "the installation has no mpirun of " + mpi.flavour() + " in the usual folders")
                                + "\n");
            }
        });
    }

    private static String installFiles(MpiSource.Packages files) {
        return "pattern=" + PosixShell.quote(files.pattern()) + "\n" + MATCH
                + "case $1 in\n    *.deb) " + PosixShell.quote(PackageManager.APT.installFiles(List.of()))
                + " \"$@\" ;;\n"
                + "    *) " + PosixShell.quote(PackageManager.DNF.installFiles(List.of())) + " \"$@\" ;;\nesac\n";
    }

    private static String requireLauncher(NodeSetup setup, MpiInstall mpi) {
        CommandResult found = setup.session().run(find(mpi));
        if (!found.succeeded()) {
            throw new ClusterwrightException("on " + setup.session().node() + ", " + mpi.flavour() + " (mpi.install: "
                    + mpi.install() + ") has no mpirun in the usual folders: "
                    + (mpi.install() instanceof MpiSource.Image
                            ? "the image does not have it; choose another image.base or another mpi.install"
                            : "read the output of the installation above"));
        }
        String[] answer = found.stdout().split("\n", 3);
        mpi.version().ifPresent(version -> {
            // Intel MPI 5.0.3.048 calls itself 5.0 Update 3: its folder has the number.
            if (!answer[2].contains(version) && !answer[1].contains("/" + version + "/")) {
                throw new ClusterwrightException("on " + setup.session().node() + ", " + answer[0] + " is not "
                        + mpi.flavour() + " " + version + " (mpi.version); its output: "
                        + answer[2].strip().lines().limit(2).toList()
                        + ". Remove mpi.version to use the installed version");
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
