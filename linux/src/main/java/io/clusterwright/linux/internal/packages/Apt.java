package io.clusterwright.linux.internal.packages;

import io.clusterwright.core.spec.Customization.Updates.Install;
import io.clusterwright.core.spec.MpiFlavour;
import io.clusterwright.core.spi.NodeBackend.PackageFeed.Supply;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Debian and Ubuntu. */
public record Apt() implements PackageManager {
    /** The names of packages that hold a kernel or are built for one, as an extended regular expression. */
    public static final String KERNEL =
            "linux-(image|headers|modules|modules-extra|kbuild|azure|generic|virtual|gcp|aws|signed)(-.*)?";

    private static final Pattern KERNEL_NAME = Pattern.compile(KERNEL);

    /** {@code Inst libc6 [2.36-9] (2.36-10 Debian:12/stable, Debian-Security:12/stable-security [amd64])}. */
    private static final Pattern INST =
            Pattern.compile("Inst (\\S+) \\[[^]]*\\] \\(\\S+ ([^\\[]*?)(?: \\[[^)]*)?\\).*");

    private static final Pattern INSTALLED = Pattern.compile("(?:install|hold) ok installed (\\S+) (\\S+)");

    @Override
    public String name() {
        return "apt";
    }

    @Override
    public Map<String, String> environment() {
        return Map.of(
                "DEBIAN_FRONTEND", "noninteractive",
                "NEEDRESTART_MODE", "a",
                "UCF_FORCE_CONFFOLD", "1",
                "LC_ALL", "C");
    }

    @Override
    public List<String> refresh() {
        return apt(Supply.ONLINE, "update");
    }

    @Override
    public List<String> install(List<String> packages, Supply supply) {
        return with(apt(supply, "install", "--"), packages);
    }

    @Override
    public List<String> installFiles(List<String> files) {
        return with(List.of("dpkg", "--force-depends", "--force-confdef", "--force-confold", "-i"), files);
    }

    @Override
    public List<String> listInstalled(List<String> packages) {
        return with(List.of("dpkg-query", "-W", "-f", "${db:Status-Status} ${Package}\\n", "--"), packages);
    }

    @Override
    public List<String> parseInstalled(String answer) {
        return answer.lines()
                .filter(line -> line.startsWith("installed "))
                .map(line -> line.substring("installed ".length()))
                .toList();
    }

    @Override
    public List<String> listUpdates(Install which) {
        return List.of("apt-get", "-s", "-q", "dist-upgrade");
    }

    @Override
    public List<String> parseUpdates(Install which, boolean holdKernel, String answer) {
        List<String> packages = new ArrayList<>();
        answer.lines().forEach(line -> {
            Matcher inst = INST.matcher(line);
            if (inst.matches()
                    && (which == Install.ALL || isSecurity(inst.group(2)))
                    && !(holdKernel && KERNEL_NAME.matcher(inst.group(1)).matches())) {
                packages.add(inst.group(1));
            }
        });
        return packages;
    }

    private static boolean isSecurity(String origins) {
        return origins.contains("-Security:") || origins.contains("-security");
    }

    @Override
    public List<String> update(Install which, boolean holdKernel, List<String> packages, Supply supply) {
        return with(apt(supply, "install", "--only-upgrade", "--"), packages);
    }

    @Override
    public List<String> listKernels() {
        return List.of("dpkg-query", "-W", "-f", "${Status} ${Package} ${Version}\\n");
    }

    @Override
    public List<String> parseKernels(String answer) {
        return answer.lines()
                .map(INSTALLED::matcher)
                .filter(installed -> installed.matches()
                        && KERNEL_NAME.matcher(installed.group(1)).matches())
                .map(installed -> installed.group(1) + " " + installed.group(2))
                .toList();
    }

    @Override
    public List<String> holdKernel(List<String> kernels) {
        return mark("hold", kernels);
    }

    @Override
    public List<String> releaseKernel(List<String> kernels) {
        return mark("unhold", kernels);
    }

    private static List<String> mark(String how, List<String> kernels) {
        List<String> names =
                kernels.stream().map(kernel -> kernel.split(" ")[0]).toList();
        return names.isEmpty() ? List.of() : with(List.of("apt-mark", how, "--"), names);
    }

    @Override
    public boolean succeeded(int exitStatus) {
        return exitStatus == 0;
    }

    @Override
    public boolean wantsAnotherRun(int exitStatus) {
        return false;
    }

    @Override
    public boolean isLocked(int exitStatus, String output) {
        return exitStatus != 0 && (output.contains("Could not get lock") || output.contains("Unable to lock"));
    }

    @Override
    public List<String> mpi(MpiFlavour flavour) {
        return switch (flavour) {
            case MPICH -> List.of("mpich");
            case OPEN_MPI -> List.of("openmpi-bin");
            default -> List.of();
        };
    }

    /** Slurm opens {@code libpmix.so}, a name that only the package for developers has. */
    @Override
    public List<String> slurm() {
        return List.of("slurmctld", "slurmd", "slurm-client", "munge", "libpmix-dev");
    }

    @Override
    public String agent() {
        return "waagent";
    }

    private static List<String> apt(Supply supply, String... command) {
        List<String> words = new ArrayList<>(List.of(
                "apt-get",
                "-y",
                "-q",
                "-o",
                "Dpkg::Options::=--force-confdef",
                "-o",
                "Dpkg::Options::=--force-confold",
                "-o",
                "DPkg::Lock::Timeout=60"));
        if (supply == Supply.STAGED) {
            // What is staged is installed into a layer that is thrown away or captured as a whole: no need to sync each
            // file.
            words.addAll(List.of("-o", "Dpkg::Options::=--force-unsafe-io", "--no-download"));
        }
        words.addAll(List.of(command));
        return words;
    }

    private static List<String> with(List<String> words, List<String> more) {
        List<String> all = new ArrayList<>(words);
        all.addAll(more);
        return List.copyOf(all);
    }
}
