package io.clusterwright.linux.internal.customize;

import io.clusterwright.core.Command;
import io.clusterwright.core.CommandFailedException;
import io.clusterwright.core.CommandResult;
import io.clusterwright.core.spec.MpiFlavour;
import io.clusterwright.core.spec.MpiInstall;
import io.clusterwright.core.spec.MpiInstall.MpiSource.Archive;
import io.clusterwright.core.type.ClusterwrightException;
import io.clusterwright.linux.internal.node.Site;
import io.clusterwright.linux.internal.ssh.Nonce;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Installs an MPI from an archive with an installer, without questions. */
final class MpiArchive {
    private static final Duration LONG = Duration.ofMinutes(30);

    /** The installer lies at the top of the archive or in its only folder. */
    static final String UNPACK = """
            cd "$1"
            tar -xf archive
            installer=$(find . -maxdepth 2 -type f -name install.sh | sort | head -n 1)
            [ -n "$installer" ] || { echo "there is no install.sh in the archive; it holds:" >&2; ls >&2; exit 1; }
            chmod +x "$installer"
            dirname "$installer"
            """;

    static final String DOWNLOAD = """
            if command -v curl >/dev/null; then
                curl --fail --silent --show-error --location --retry 3 --output "$2" -- "$1"
            else
                wget --quiet --tries=3 --output-document="$2" -- "$1"
            fi
            """;

    private final Site site;
    private final MpiInstall mpi;
    private final Archive source;

    MpiArchive(Site site, MpiInstall mpi, Archive source) {
        this.site = site;
        this.mpi = mpi;
        this.source = source;
    }

    void install() {
        String folder = Nonce.temporaryPath();
        site.run(Command.of("mkdir", "-m", "700", "--", folder));
        try {
            fetch(folder + "/archive");
            requireDigest(folder + "/archive");
            String inside = site.run(
                            Command.of("sh", "-euc", UNPACK, "sh", folder).timeout(LONG))
                    .strip();
            runInstaller(folder + "/" + inside, folder + "/answers");
        } finally {
            site.session().run(Command.of("rm", "-rf", "--", folder).elevate());
        }
    }

    private void fetch(String there) {
        URI archive = source.archive();
        if (isLocal(archive)) {
            Path local = archive.getScheme() == null ? site.spec().resolve(archive.getPath()) : Path.of(archive);
            site.say("copying " + local.getFileName());
            site.session().upload(local, there, 0600);
            return;
        }
        site.say("fetching " + archive);
        site.run(Command.of("sh", "-euc", DOWNLOAD, "sh", archive.toString(), there)
                .timeout(LONG));
    }

    static boolean isLocal(URI archive) {
        return archive.getScheme() == null || archive.getScheme().equals("file");
    }

    private void requireDigest(String there) {
        String found =
                site.run(Command.of("sha256sum", "-b", there)).split(" ")[0].replace("\\", "");
        if (!found.equals(source.sha256())) {
            throw new ClusterwrightException("the archive " + source.archive() + " has the SHA-256 " + found
                    + ", expected is " + source.sha256()
                    + ": nothing of it was run. If the publisher replaced the archive,"
                    + " check where it comes from and change mpi.install.sha256");
        }
    }

    private void runInstaller(String folder, String answers) {
        InstallerAnswers silent = InstallerAnswers.of(mpi.flavour(), source.answers());
        List<String> arguments = silent.answers().isEmpty() ? List.of() : List.of("--silent", answers);
        if (!silent.answers().isEmpty()) {
            site.session().write(silent.text().getBytes(StandardCharsets.UTF_8), answers, 0600);
        }
        List<String> words =
                new ArrayList<>(List.of("sh", "-euc", "cd \"$1\"; shift; exec ./install.sh \"$@\"", "sh", folder));
        words.addAll(arguments);
        site.say("installing " + mpi.flavour() + " without questions");
        CommandResult result = site.stream(Command.of(words).elevate().timeout(LONG));
        if (!result.succeeded()) {
            throw new ClusterwrightException(
                    "the installer of " + mpi.flavour() + " failed: " + new CommandFailedException(result).getMessage()
                            + "; its questions are answered by mpi.install.answers",
                    new CommandFailedException(result));
        }
    }

    /**
     * Answers to an installer's questions, in the form of a silent configuration file.
     *
     * <p>The defaults are those of Intel MPI 5, {@code install.sh --silent FILE}: the licence is accepted, everything goes to
     * {@code /opt/intel}. Naming an archive accepts its licence; the answers of the description come last
     * and win.
     */
    record InstallerAnswers(Map<String, String> answers) {

        static InstallerAnswers of(MpiFlavour flavour, Map<String, String> given) {
            Map<String, String> answers = new LinkedHashMap<>();
            if (flavour == MpiFlavour.INTEL_MPI) {
                answers.put("ACCEPT_EULA", "accept");
                answers.put("CONTINUE_WITH_OPTIONAL_ERROR", "yes");
                answers.put("CONTINUE_WITH_INSTALLDIR_OVERWRITE", "yes");
                answers.put("PSET_INSTALL_DIR", "/opt/intel");
                answers.put("PSET_MODE", "install");
                answers.put("ACTIVATION_TYPE", "no_license");
                answers.put("ARCH_SELECTED", "ALL");
                answers.put("COMPONENTS", "ALL");
            }
            answers.putAll(given);
            return new InstallerAnswers(answers);
        }

        /** The file, one {@code NAME=value} on a line. */
        String text() {
            StringBuilder text = new StringBuilder();
            answers.forEach(
                    (name, value) -> text.append(name).append('=').append(value).append('\n'));
            return text.toString();
        }
    }
}
