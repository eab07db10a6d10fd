package io.clusterwright.linux.internal.packages;

import io.clusterwright.core.spec.Customization.Updates.Install;
import io.clusterwright.core.spec.MpiFlavour;
import io.clusterwright.core.spi.NodeBackend.PackageFeed.Supply;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The package managers of the distributions: their commands as argument lists, and parsers of their output. Pure. */
public enum PackageManager {
    /** Debian and Ubuntu. What is staged goes into a layer that is thrown away or captured as a whole: no need to sync each file. */
    APT(
            "apt-get -y -q -o Dpkg::Options::=--force-confdef -o Dpkg::Options::=--force-confold -o DPkg::Lock::Timeout=60",
            "-o Dpkg::Options::=--force-unsafe-io --no-download",
            "update",
            "install --",
            "LC_ALL=C DEBIAN_FRONTEND=noninteractive NEEDRESTART_MODE=a UCF_FORCE_CONFFOLD=1"),
    /** SUSE. Security updates are patches here, which have their own names. */
    ZYPPER(
            "zypper --non-interactive",
            "--no-refresh",
            "refresh",
            "install --auto-agree-with-licenses --",
            "LC_ALL=C ZYPP_LOCK_TIMEOUT=60"),
    /** The Red Hat family. */
    DNF("dnf -y", "--cacheonly", "makecache", "install", "LC_ALL=C"),
    /** Azure Linux: a small dnf. */
    TDNF("tdnf -y", "--cacheonly", "makecache", "install", "LC_ALL=C");

    /** The names of Debian's packages that hold a kernel or are built for one, as an extended regular expression. */
    public static final String DEBIAN_KERNEL =
            "linux-(image|headers|modules|modules-extra|kbuild|azure|generic|virtual|gcp|aws|signed)(-.*)?";

    /** Every package of a kernel is called so, on every distribution with RPM. */
    public static final String RPM_KERNEL = "kernel*";

    private static final Predicate<String> IS_DEBIAN_KERNEL =
            Pattern.compile(DEBIAN_KERNEL).asMatchPredicate();

    /** {@code Inst libc6 [2.36-9] (2.36-10 Debian:12/stable, Debian-Security:12/stable-security [amd64])}. */
    private static final Pattern APT_UPDATE =
            Pattern.compile("^Inst (\\S+) \\[[^]\n]*\\] \\(\\S+ ([^\\[\n]*?)(?: \\[[^)\n]*)?\\)", Pattern.MULTILINE);

    private static final Pattern APT_INSTALLED =
            Pattern.compile("^(?:install|hold) ok installed (\\S+) (\\S+)$", Pattern.MULTILINE);

    /** {@code bash.x86_64  5.1.8-6.el9_1  baseos}. */
    private static final Pattern DNF_UPDATE = Pattern.compile(
            "^[ \t]*([A-Za-z0-9][^\\s.]*(?:\\.[^\\s.]+)*)\\.[a-z0-9_]+[ \t]+\\S+[ \t]+\\S+[ \t]*$", Pattern.MULTILINE);

    /** Of zypper(8): it is locked; a reboot is needed; zypper itself was updated and should run again. */
    private static final int ZYPPER_LOCKED = 7;

    private static final int ZYPPER_REBOOT_NEEDED = 102;
    private static final int ZYPPER_RUN_AGAIN = 103;

    /** Of {@code dnf check-update}: there are updates. */
    private static final int DNF_UPDATES_EXIST = 100;

    private final String program;
    private final String staged;
    private final String refresh;
    private final String install;
    private final String environment;

    PackageManager(String program, String staged, String refresh, String install, String environment) {
        this.program = program;
        this.staged = staged;
        this.refresh = refresh;
        this.install = install;
        this.environment = environment;
    }

    /** {@code apt}, {@code zypper}, {@code dnf} or {@code tdnf}. */
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** The program whose presence tells that this is the machine's manager. */
    public String program() {
        return program.split(" ")[0];
    }

    /** Environment that prevents questions. */
    Map<String, String> environment() {
        return Stream.of(environment.split(" "))
                .map(variable -> variable.split("="))
                .collect(Collectors.toMap(pair -> pair[0], pair -> pair[1]));
    }

    /** The environment of all managers, as the words of a shell's {@code export}. */
    public static String environments() {
        return Stream.of(values())
                .flatMap(manager -> Stream.of(manager.environment.split(" ")))
                .distinct()
                .collect(Collectors.joining(" "));
    }

    /** Fetches the lists of packages. */
    public List<String> refresh() {
        return words(List.of(), program, refresh);
    }

    /** Installs packages and what they need. */
    public List<String> install(List<String> packages, Supply supply) {
        return words(packages, program, supply == Supply.STAGED ? staged : "", install);
    }

    /** Installs package files that lie on the node, without asking for what they need. */
    public List<String> installFiles(List<String> files) {
        return words(
                files, this == APT ? "dpkg --force-depends --force-confdef --force-confold -i" : "rpm -v -i --nodeps");
    }

    /** Prints which of these packages are installed; fails when some are not, and prints the others all the same. */
    List<String> listInstalled(List<String> packages) {
        return this == APT
                ? with(List.of("dpkg-query", "-W", "-f", "${db:Status-Status} ${Package}\\n", "--"), packages)
                : words(packages, "rpm -q --qf %{NAME}\\n --");
    }

    /** The packages of {@link #listInstalled}' answer; rpm reports one that is not installed in a sentence. */
    List<String> parseInstalled(String answer) {
        return this == APT
                ? answer.lines()
                        .filter(line -> line.startsWith("installed "))
                        .map(line -> line.substring("installed ".length()))
                        .toList()
                : answer.lines()
                        .map(String::strip)
                        .filter(line -> !line.contains(" "))
                        .toList();
    }

    /** Prints what an update would change. */
    List<String> listUpdates(Install which) {
        boolean security = which == Install.SECURITY;
        return switch (this) {
            case APT -> words(List.of(), "apt-get -s -q dist-upgrade");
            case ZYPPER ->
                words(List.of(), program, "--quiet", security ? "list-patches --category security" : "list-updates");
            case DNF, TDNF -> words(List.of(), this + " -q check-update", security ? "--security" : "");
        };
    }

    /** The packages of {@link #listUpdates}' answer, without the packages of the kernel when it is held. */
    public List<String> parseUpdates(Install which, boolean holdKernel, String answer) {
        Stream<String> names = switch (this) {
            case APT ->
                APT_UPDATE
                        .matcher(answer)
                        .results()
                        .filter(update -> which == Install.ALL
                                || update.group(2).contains("-Security:")
                                || update.group(2).contains("-security"))
                        .map(update -> update.group(1));
            case ZYPPER -> names(answer);
            case DNF, TDNF ->
                DNF_UPDATE
                        .matcher(answer.split("(?m)^Obsoleting", 2)[0])
                        .results()
                        .map(update -> update.group(1));
        };
        return names.filter(name -> !(holdKernel && isKernel(name))).toList();
    }

    /** The column Name of a table of columns between {@code |}. */
    private static Stream<String> names(String table) {
        List<List<String>> rows = table.lines()
                .filter(line -> line.contains("|"))
                .map(line -> Stream.of(line.split("\\|", -1)).map(String::strip).toList())
                .dropWhile(row -> !row.contains("Name"))
                .toList();
        int column = rows.isEmpty() ? -1 : rows.get(0).indexOf("Name");
        return rows.stream().skip(1).filter(row -> row.size() > column).map(row -> row.get(column));
    }

    private boolean isKernel(String name) {
        return this == APT ? IS_DEBIAN_KERNEL.test(name) : name.startsWith("kernel");
    }

    /** Brings these packages up to date. */
    public List<String> update(Install which, boolean holdKernel, List<String> packages, Supply supply) {
        String from = supply == Supply.STAGED ? staged : "";
        boolean security = which == Install.SECURITY;
        return switch (this) {
            case APT -> words(packages, program, from, "install --only-upgrade --");
            case ZYPPER ->
                words(
                        List.of(),
                        program,
                        security ? "patch --category security" : "update",
                        "--auto-agree-with-licenses");
            case DNF ->
                words(
                        List.of(),
                        program,
                        from,
                        holdKernel ? "--exclude=" + RPM_KERNEL : "",
                        "upgrade",
                        security ? "--security" : "");
            case TDNF ->
                words(
                        List.of(),
                        program,
                        from,
                        holdKernel ? "--exclude " + RPM_KERNEL : "",
                        "update",
                        security ? "--security" : "");
        };
    }

    /** Prints the kernel packages that are installed, with their versions, one on a line. */
    List<String> listKernels() {
        return this == APT
                ? List.of("dpkg-query", "-W", "-f", "${Status} ${Package} ${Version}\\n")
                : List.of("rpm", "-qa", "--qf", "%{NAME} %{VERSION}-%{RELEASE}.%{ARCH}\\n", RPM_KERNEL);
    }

    /** The kernel packages of {@link #listKernels}' answer, as {@code name version}. */
    List<String> parseKernels(String answer) {
        return this == APT
                ? APT_INSTALLED
                        .matcher(answer)
                        .results()
                        .filter(installed -> isKernel(installed.group(1)))
                        .map(installed -> installed.group(1) + " " + installed.group(2))
                        .toList()
                : answer.lines()
                        .map(String::strip)
                        .filter(this::isKernel)
                        .sorted()
                        .toList();
    }

    /**
     * Keeps these kernel packages from changing, also later, or lets them change again; empty when nothing needs to be done. dnf leaves
     * kernels out of the update itself: a lasting lock would need a plugin that images do not have.
     */
    public List<String> holdKernel(boolean hold, List<String> kernels) {
        return switch (this) {
            case APT ->
                kernels.isEmpty()
                        ? List.of()
                        : words(
                                kernels.stream()
                                        .map(kernel -> kernel.split(" ")[0])
                                        .toList(),
                                "apt-mark",
                                hold ? "hold" : "unhold",
                                "--");
            case ZYPPER -> words(List.of(RPM_KERNEL), program, hold ? "addlock" : "removelock");
            case DNF, TDNF -> List.of();
        };
    }

    /** Whether a command of this manager did what it was asked for. */
    boolean succeeded(int exitStatus) {
        return switch (this) {
            case APT -> exitStatus == 0;
            case ZYPPER -> exitStatus == 0 || exitStatus == ZYPPER_REBOOT_NEEDED || exitStatus == ZYPPER_RUN_AGAIN;
            case DNF, TDNF -> exitStatus == 0 || exitStatus == DNF_UPDATES_EXIST;
        };
    }

    /** Whether it did only a part, such as updating itself, and asks to be run again. */
    boolean wantsAnotherRun(int exitStatus) {
        return this == ZYPPER && exitStatus == ZYPPER_RUN_AGAIN;
    }

    /** Whether it failed because another process is using it. */
    boolean isLocked(int exitStatus, String output) {
        if (this == ZYPPER && exitStatus == ZYPPER_LOCKED) {
            return true;
        }
        List<String> signs = switch (this) {
            case APT -> List.of("Could not get lock", "Unable to lock");
            case ZYPPER -> List.of("System management is locked");
            case DNF, TDNF -> List.of("Waiting for process with pid", "another instance");
        };
        return exitStatus != 0 && signs.stream().anyMatch(output::contains);
    }

    /** The packages of an MPI; empty when the distribution has none. */
    public List<String> mpi(MpiFlavour flavour) {
        return switch (flavour) {
            case MPICH -> List.of("mpich");
            case OPEN_MPI -> List.of(this == APT ? "openmpi-bin" : this == ZYPPER ? "openmpi4" : "openmpi");
            case MVAPICH2 -> this == ZYPPER || this == DNF ? List.of("mvapich2") : List.of();
            default -> List.of();
        };
    }

    /**
     * The packages of Slurm's controller, node service and commands, and of munge; empty when the distribution has none. On Debian, Slurm
     * opens {@code libpmix.so}, a name that only the package for developers has; on the Red Hat family they are Fedora's own and EPEL's.
     */
    public List<String> slurm() {
        return switch (this) {
            case APT -> List.of("slurmctld", "slurmd", "slurm-client", "munge", "libpmix-dev");
            case ZYPPER -> List.of("slurm", "slurm-node", "slurm-munge", "munge");
            case DNF -> List.of("slurm", "slurm-slurmctld", "slurm-slurmd", "munge");
            case TDNF -> List.of();
        };
    }

    /** The package of the Azure Linux agent. */
    public String agent() {
        return this == APT ? "waagent" : this == ZYPPER ? "python-azure-agent" : "WALinuxAgent";
    }

    /** The words of these parts, and more words as they are. */
    private static List<String> words(List<String> more, String... parts) {
        return with(List.of(String.join(" ", parts).strip().split(" +")), more);
    }

    private static List<String> with(List<String> words, List<String> more) {
        List<String> all = new ArrayList<>(words);
        all.addAll(more);
        return List.copyOf(all);
    }
}
