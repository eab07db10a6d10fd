package io.clusterwright.linux.internal.packages;

import io.clusterwright.core.spec.Customization.Updates.Install;
import io.clusterwright.core.spec.MpiFlavour;
import io.clusterwright.core.spi.NodeBackend.PackageFeed.Supply;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** SUSE. Security updates are patches here, which have their own names. */
public record Zypper() implements Rpm {
    /** Of zypper(8): a reboot is needed; zypper itself was updated and should run again. */
    private static final int REBOOT_NEEDED = 102;

    private static final int RUN_AGAIN = 103;
    private static final int LOCKED = 7;

    @Override
    public String name() {
        return "zypper";
    }

    @Override
    public Map<String, String> environment() {
        return Map.of("ZYPP_LOCK_TIMEOUT", "60", "LC_ALL", "C");
    }

    @Override
    public List<String> refresh() {
        return zypper("refresh");
    }

    @Override
    public List<String> install(List<String> packages, Supply supply) {
        return Rpm.with(
                supply == Supply.STAGED
                        ? List.of(
                                "zypper",
                                "--non-interactive",
                                "--no-refresh",
                                "install",
                                "--auto-agree-with-licenses",
                                "--")
                        : zypper("install", "--auto-agree-with-licenses", "--"),
                packages);
    }

    @Override
    public List<String> listUpdates(Install which) {
        return which == Install.SECURITY
                ? zypper("--quiet", "list-patches", "--category", "security")
                : zypper("--quiet", "list-updates");
    }

    /** A table of columns between {@code |}; the column called Name counts. */
    @Override
    public List<String> parseUpdates(Install which, boolean holdKernel, String answer) {
        List<String> names = new ArrayList<>();
        int column = -1;
        for (String line : answer.lines().toList()) {
            String[] cells = line.split("\\|", -1);
            if (column < 0) {
                column = columnOf("Name", cells);
            } else if (cells.length > column && !line.startsWith("-")) {
                String name = cells[column].strip();
                if (!name.isEmpty() && !(holdKernel && Rpm.isKernel(name))) {
                    names.add(name);
                }
            }
        }
        return names;
    }

    private static int columnOf(String title, String[] cells) {
        for (int i = 0; i < cells.length && cells.length > 1; i++) {
            if (cells[i].strip().equals(title)) {
                return i;
            }
        }
        return -1;
    }

    @Override
    public List<String> update(Install which, boolean holdKernel, List<String> packages, Supply supply) {
        return which == Install.SECURITY
                ? zypper("patch", "--category", "security", "--auto-agree-with-licenses")
                : zypper("update", "--auto-agree-with-licenses");
    }

    @Override
    public List<String> holdKernel(List<String> kernels) {
        return zypper("addlock", Rpm.KERNEL);
    }

    @Override
    public List<String> releaseKernel(List<String> kernels) {
        return zypper("removelock", Rpm.KERNEL);
    }

    @Override
    public boolean succeeded(int exitStatus) {
        return exitStatus == 0 || exitStatus == REBOOT_NEEDED || exitStatus == RUN_AGAIN;
    }

    @Override
    public boolean wantsAnotherRun(int exitStatus) {
        return exitStatus == RUN_AGAIN;
    }

    @Override
    public boolean isLocked(int exitStatus, String output) {
        return exitStatus == LOCKED || exitStatus != 0 && output.contains("System management is locked");
    }

    @Override
    public List<String> mpi(MpiFlavour flavour) {
        return switch (flavour) {
            case MPICH -> List.of("mpich");
            case OPEN_MPI -> List.of("openmpi4");
            case MVAPICH2 -> List.of("mvapich2");
            default -> List.of();
        };
    }

    @Override
    public List<String> slurm() {
        return List.of("slurm", "slurm-node", "slurm-munge", "munge");
    }

    @Override
    public String agent() {
        return "python-azure-agent";
    }

    private static List<String> zypper(String... command) {
        return Rpm.with(List.of("zypper", "--non-interactive"), List.of(command));
    }
}
