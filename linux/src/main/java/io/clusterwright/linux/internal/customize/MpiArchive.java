package io.clusterwright.linux.internal.customize;

import io.clusterwright.core.Command;
import io.clusterwright.core.CommandException;
import io.clusterwright.core.CommandResult;
import io.clusterwright.core.internal.text.Nonce;
import io.clusterwright.core.internal.text.PosixShell;
import io.clusterwright.core.spec.MpiFlavour;
import io.clusterwright.core.spec.MpiInstall;
import io.clusterwright.core.spec.MpiInstall.MpiSource.Archive;
import io.clusterwright.core.type.ClusterwrightException;
import io.clusterwright.linux.internal.node.NodeSetup;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;

/** Installs an MPI from an archive with an installer, without questions. */
final class MpiArchive {
    private static final Duration LONG = Duration.ofMinutes(30);

    /** Leaves an archive that was copied here before; nothing of it runs before its digest is known to be right. */
    private static final String FETCH = """
            if [ ! -e archive ]; then
                if command -v curl >/dev/null; then
                    curl --fail --silent --show-error --location --retry 3 --output archive -- "$url"
                else
                    wget --quiet --tries=3 --output-document=archive -- "$url"
                fi
            fi
            found=$(sha256sum <archive | cut -d ' ' -f 1)
            [ "$found" = "$sha256" ] ||
                fail "the archive $url has the SHA-256 $found, expected is $sha256: nothing of it was run. If the publisher" \\
                    "replaced the archive, check where it comes from and change mpi.install.sha256"
            """;

    /** The installer lies at the top of the archive or in its only folder; its standard input is empty, whatever it asks. */
    private static final String UNPACK = """
            tar -xf archive --no-same-owner
            installer=$(find . -maxdepth 2 -type f -name install.sh | sort | head -n 1)
            [ -n "$installer" ] || fail "there is no install.sh in the archive; it holds: $(ls)"
            chmod +x "$installer"
            """;

    private final MpiInstall mpi;
    private final Archive source;

    MpiArchive(MpiInstall mpi, Archive source) {
        this.mpi = mpi;
        this.source = source;
    }

    void run(NodeSetup setup) {
        String folder = Nonce.temporaryPath();
        setup.run(Command.of("mkdir", "-m", "700", "--", folder));
        try {
            if (source.file().isPresent()) {
                Path local = setup.spec().resolve(source.file().get());
                setup.report("copying " + local.getFileName());
                setup.session().upload(local, folder + "/archive", 0600);
            } else {
                setup.report("fetching " + source.archive());
            }
            setup.run(in(folder, fetching()));
            setup.report("installing " + mpi.flavour() + " without questions");
            CommandResult result = setup.stream(in(folder, installing()));
            if (!result.succeeded()) {
                throw new ClusterwrightException(
                        "the installer of " + mpi.flavour() + " failed: "
                                + new CommandException.Failed(result).getMessage()
                                + "; answer its questions in mpi.install.answers",
                        new CommandException.Failed(result));
            }
        } finally {
            setup.session().run(Command.of("rm", "-rf", "--", folder).elevate());
        }
    }

    private static Command in(String folder, String script) {
        return Command.shell(MpiSetup.FAIL + "cd " + folder + "\n" + script)
                .elevate()
                .timeout(LONG);
    }

    void write(CloudConfig data) {
        if (source.file().isPresent()) {
            data.note(
                    mpi.flavour() + " is not installed: the archive " + source.archive()
                            + " is on your machine; copy it to the nodes and run its installer, or write its URL in mpi.install.archive");
            return;
        }
        data.step(mpi.flavour() + " from " + source.archive(), "folder=$(mktemp -d)\ncd \"$folder\"\n" + fetching());
        data.step("installing " + mpi.flavour() + " without questions", installing() + "cd /\nrm -rf \"$folder\"\n");
    }

    private String fetching() {
        return "url=" + PosixShell.quote(source.archive().toString()) + "\nsha256=" + source.sha256() + "\n" + FETCH;
    }

    private String installing() {
        String answers = answers(mpi.flavour(), source.answers());
        return answers.isEmpty()
                ? UNPACK + "(cd \"$(dirname \"$installer\")\" && ./install.sh </dev/null)\n"
                : UNPACK + "cat >answers <<'END'\n" + answers
                        + "END\nanswers=$PWD/answers\n"
                        + "(cd \"$(dirname \"$installer\")\" && ./install.sh --silent \"$answers\" </dev/null)\n";
    }

    /**
     * Answers to an installer's questions, in the form of a silent configuration file: one {@code NAME=value} on a line.
     *
     * <p>The defaults suit Intel MPI 5, {@code install.sh --silent FILE}: the licence is accepted, everything goes to
     * {@code /opt/intel}. Naming an archive accepts its licence; the answers of the spec come last
     * and win.
     */
    static String answers(MpiFlavour flavour, Map<String, String> given) {
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
        StringBuilder text = new StringBuilder();
        answers.forEach(
                (name, value) -> text.append(name).append('=').append(value).append('\n'));
        return text.toString();
    }
}
