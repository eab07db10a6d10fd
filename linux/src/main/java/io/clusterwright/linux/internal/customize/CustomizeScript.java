package io.clusterwright.linux.internal.customize;

import io.clusterwright.core.internal.text.PosixShell;
import io.clusterwright.core.spec.Customization.Updates;
import io.clusterwright.core.spec.Customization.Updates.Install;
import io.clusterwright.core.spec.Customization.Updates.Kernel;
import io.clusterwright.core.spec.MpiInstall;
import io.clusterwright.core.spec.MpiInstall.MpiSource;
import io.clusterwright.core.spi.NodeBackend.PackageFeed.Supply;
import io.clusterwright.linux.internal.customize.MpiArchive.InstallerAnswers;
import io.clusterwright.linux.internal.packages.Apt;
import io.clusterwright.linux.internal.packages.Dnf;
import io.clusterwright.linux.internal.packages.PackageManager;
import io.clusterwright.linux.internal.packages.Rpm;
import io.clusterwright.linux.internal.packages.Zypper;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/**
 * The part of a customisation that user data has no words for, as a script that a machine runs once, as root. The package manager
 * is chosen on the machine, since an image may be known by its id only.
 */
final class CustomizeScript {
    private static final String START = """
            #!/bin/sh
            # Customises this machine, once. What it prints is in /var/log/cloud-init-output.log.
            set -eu
            export HOME=/root LC_ALL=C DEBIAN_FRONTEND=noninteractive NEEDRESTART_MODE=a UCF_FORCE_CONFFOLD=1
            export PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin
            say() { echo "clusterwright: $*"; }
            fail() {
                echo "clusterwright: $*" >&2
                exit 1
            }
            """;

    /** zypper says in its exit status that a reboot is due, or that it updated itself and should run again. */
    private static final String ZYPPER = """
            zypper_run() {
                status=0
                zypper --non-interactive "$@" || status=$?
                case $status in
                    0 | 102) ;;
                    103) zypper --non-interactive "$@" || [ $? -eq 102 ] ;;
                    *) fail "zypper $* ended with status $status" ;;
                esac
            }
            """;

    private static final String NO_MANAGER = "fail 'there is neither apt-get, zypper, dnf nor tdnf on this machine'";

    private final StringBuilder script = new StringBuilder();
    private boolean zypper;

    /** Takes the new limits over for services that start from now on. */
    void reloadServiceLimits() {
        script.append("""

                say 'limits of locked memory'
                if [ -d /run/systemd/system ]; then systemctl daemon-reexec; fi
                """);
    }

    /** Brings the system up to date; a held kernel is locked first. */
    void update(Updates updates) {
        if (updates.install() == Install.NONE) {
            return;
        }
        boolean hold = updates.kernel() == Kernel.HOLD;
        boolean security = updates.install() == Install.SECURITY;
        step((security ? "security updates" : "updates") + (hold ? ", with the kernel as it is" : ""));
        perManager(
                List.of(
                        hold
                                ? "dpkg-query -W -f '${db:Status-Status} ${Package}\\n' | sed -n -E 's/^installed ("
                                        + Apt.KERNEL + ")$/\\1/p' |" + "\n        xargs -r apt-mark hold"
                                : "",
                        "apt-get -q update",
                        "apt-get -s -q dist-upgrade | sed -n '/^Inst [^ ]* \\[/p'"
                                + (security ? " | grep -e '-[Ss]ecurity' | cut -d ' ' -f 2 |" : " | cut -d ' ' -f 2 |")
                                + "\n        xargs -r "
                                + PosixShell.quote(
                                        new Apt().update(updates.install(), hold, List.of(), Supply.ONLINE))),
                List.of(
                        hold ? "zypper_run addlock " + PosixShell.quote(Rpm.KERNEL) : "",
                        zypper(new Zypper().update(updates.install(), hold, List.of(), Supply.ONLINE))),
                name -> List.of(
                        PosixShell.quote(new Dnf(name).update(updates.install(), hold, List.of(), Supply.ONLINE))));
    }

    /** Installs the MPI; answers what has to be done by hand, if anything. */
    List<String> mpi(MpiInstall mpi) {
        MpiSource source = mpi.install();
        if (source instanceof MpiSource.Distribution) {
            step(mpi.flavour() + " from the distribution");
            perManager(
                    fromDistribution(new Apt(), mpi),
                    fromDistribution(new Zypper(), mpi),
                    name -> fromDistribution(new Dnf(name), mpi));
        } else if (source instanceof MpiSource.Packages files) {
            step(mpi.flavour() + " from the packages on the image");
            script.append("pattern=").append(PosixShell.quote(files.pattern())).append("""

                    set --
                    for file in $pattern; do
                        if [ -f "$file" ]; then set -- "$@" "$file"; fi
                    done
                    [ $# -gt 0 ] || fail "no file matches $pattern: check what the image holds"
                    case $1 in
                        *.deb) dpkg --force-depends --force-confdef --force-confold -i "$@" ;;
                        *) rpm -v -i --nodeps "$@" ;;
                    esac
                    """);
        } else if (source instanceof MpiSource.Archive archive) {
            return archive(mpi, archive);
        }
        return List.of();
    }

    private List<String> archive(MpiInstall mpi, MpiSource.Archive archive) {
        if (MpiArchive.isLocal(archive.archive())) {
            return List.of(mpi.flavour() + " is not installed: the archive " + archive.archive()
                    + " lies on your machine; copy it to the nodes and run its installer, or give its URL");
        }
        step(mpi.flavour() + " from " + archive.archive());
        script.append("folder=$(mktemp -d)\nfetch() {\n")
                .append(MpiArchive.DOWNLOAD.indent(4))
                .append("}\nunpack() (\n")
                .append(MpiArchive.UNPACK.indent(4))
                .append(")\nfetch ")
                .append(PosixShell.quote(archive.archive().toString()))
                .append(" \"$folder/archive\"\necho ")
                .append(PosixShell.quote(archive.sha256() + "  "))
                .append("\"$folder/archive\" | sha256sum -c - || fail 'the archive is not the one that was named'\n")
                .append("inside=$(unpack \"$folder\")\n");
        InstallerAnswers answers = InstallerAnswers.of(mpi.flavour(), archive.answers());
        if (answers.answers().isEmpty()) {
            script.append("(cd \"$folder/$inside\" && ./install.sh)\n");
        } else {
            script.append("cat >\"$folder/answers\" <<'END'\n")
                    .append(answers.text())
                    .append("END\n(cd \"$folder/$inside\" && ./install.sh --silent \"$folder/answers\")\n");
        }
        script.append("rm -rf \"$folder\"\n");
        return List.of();
    }

    /** Runs a script that lies on the machine. */
    void run(String name, String path, long seconds, String user) {
        step("script " + name);
        String command = "timeout " + seconds + " " + PosixShell.quote(path);
        script.append(
                        user.equals("root")
                                ? command
                                : "su -s /bin/sh " + PosixShell.quote(user) + " -c "
                                        + PosixShell.quote("cd && exec " + command))
                .append('\n');
    }

    boolean isEmpty() {
        return script.isEmpty();
    }

    String text() {
        return START + (zypper ? ZYPPER : "") + script + "\nsay 'this machine is customised'\n";
    }

    private List<String> fromDistribution(PackageManager manager, MpiInstall mpi) {
        List<String> names = manager.mpi(mpi.flavour());
        if (names.isEmpty()) {
            return List.of("fail "
                    + PosixShell.quote(manager.name() + " has no package of " + mpi.flavour()
                            + ": set image.customize.mpi.install to image where the image holds it, or to an archive"));
        }
        List<String> install = manager.install(names, Supply.ONLINE);
        return manager instanceof Zypper
                ? List.of(zypper(install))
                : List.of(PosixShell.quote(manager.refresh()), PosixShell.quote(install));
    }

    private String zypper(List<String> words) {
        zypper = true;
        return "zypper_run " + PosixShell.quote(words.subList(words.indexOf("--non-interactive") + 1, words.size()));
    }

    private void step(String title) {
        script.append("\nsay ").append(PosixShell.quote(title)).append('\n');
    }

    private void perManager(List<String> apt, List<String> suse, Function<String, List<String>> redHat) {
        branch("if", "apt-get", apt);
        branch("elif", "zypper", suse);
        branch("elif", "dnf", redHat.apply("dnf"));
        branch("elif", "tdnf", redHat.apply("tdnf"));
        script.append("else\n    ").append(NO_MANAGER).append("\nfi\n");
    }

    private void branch(String keyword, String program, List<String> commands) {
        script.append(keyword).append(" command -v ").append(program).append(" >/dev/null; then\n");
        List<String> given = new ArrayList<>(commands);
        given.removeIf(String::isEmpty);
        given.forEach(command -> script.append("    ").append(command).append('\n'));
    }
}
