package io.clusterwright.linux.internal.packages;

import io.clusterwright.core.spec.Customization.Updates.Install;
import io.clusterwright.core.spec.MpiFlavour;
import io.clusterwright.core.spi.NodeBackend.PackageFeed.Supply;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The Red Hat family, with {@code dnf}, and Azure Linux, with its small sister {@code tdnf}.
 *
 * @param name {@code dnf} or {@code tdnf}
 */
public record Dnf(String name) implements Rpm {
    /** {@code bash.x86_64  5.1.8-6.el9_1  baseos}. */
    private static final Pattern UPDATE =
            Pattern.compile("([A-Za-z0-9][^\\s.]*(?:\\.[^\\s.]+)*)\\.[a-z0-9_]+\\s+\\S+\\s+\\S+");

    /** Of {@code check-update}: there are updates. */
    private static final int UPDATES_EXIST = 100;

    @Override
    public Map<String, String> environment() {
        return Map.of("LC_ALL", "C");
    }

    private boolean tiny() {
        return name.equals("tdnf");
    }

    @Override
    public List<String> refresh() {
        return List.of(name, "-y", "makecache");
    }

    @Override
    public List<String> install(List<String> packages, Supply supply) {
        List<String> words = new ArrayList<>(List.of(name, "-y"));
        if (supply == Supply.STAGED) {
            words.add("--cacheonly");
        }
        words.add("install");
        words.addAll(packages);
        return List.copyOf(words);
    }

    @Override
    public List<String> listUpdates(Install which) {
        return which == Install.SECURITY
                ? List.of(name, "-q", "check-update", "--security")
                : List.of(name, "-q", "check-update");
    }

    @Override
    public List<String> parseUpdates(Install which, boolean holdKernel, String answer) {
        List<String> packages = new ArrayList<>();
        for (String line : answer.lines().toList()) {
            if (line.startsWith("Obsoleting")) {
                break;
            }
            Matcher update = UPDATE.matcher(line.strip());
            if (update.matches() && !(holdKernel && Rpm.isKernel(update.group(1)))) {
                packages.add(update.group(1));
            }
        }
        return packages;
    }

    @Override
    public List<String> update(Install which, boolean holdKernel, List<String> packages, Supply supply) {
        List<String> words = new ArrayList<>(List.of(name, "-y"));
        if (supply == Supply.STAGED) {
            words.add("--cacheonly");
        }
        if (holdKernel && tiny()) {
            words.addAll(List.of("--exclude", Rpm.KERNEL));
        } else if (holdKernel) {
            words.add("--exclude=" + Rpm.KERNEL);
        }
        words.add(tiny() ? "update" : "upgrade");
        if (which == Install.SECURITY) {
            words.add("--security");
        }
        return List.copyOf(words);
    }

    /** Kernels are left out of the update itself; a lasting lock would need a plugin that images do not have. */
    @Override
    public List<String> holdKernel(List<String> kernels) {
        return List.of();
    }

    @Override
    public List<String> releaseKernel(List<String> kernels) {
        return List.of();
    }

    @Override
    public boolean succeeded(int exitStatus) {
        return exitStatus == 0 || exitStatus == UPDATES_EXIST;
    }

    @Override
    public boolean wantsAnotherRun(int exitStatus) {
        return false;
    }

    @Override
    public boolean isLocked(int exitStatus, String output) {
        return exitStatus != 0
                && (output.contains("Waiting for process with pid") || output.contains("another instance"));
    }

    @Override
    public List<String> mpi(MpiFlavour flavour) {
        return switch (flavour) {
            case MPICH -> List.of("mpich");
            case OPEN_MPI -> List.of("openmpi");
            case MVAPICH2 -> tiny() ? List.of() : List.of("mvapich2");
            default -> List.of();
        };
    }

    /** Fedora's own and EPEL's. */
    @Override
    public List<String> slurm() {
        return tiny() ? List.of() : List.of("slurm", "slurm-slurmctld", "slurm-slurmd", "munge");
    }

    @Override
    public String agent() {
        return "WALinuxAgent";
    }
}
