package io.clusterwright.linux.internal.packages;

import io.clusterwright.core.spec.Customization.Updates.Install;
import io.clusterwright.core.spec.MpiFlavour;
import io.clusterwright.core.spi.NodeBackend.PackageFeed.Supply;
import java.util.List;
import java.util.Map;

/** Commands of a distribution's package manager as argument lists, and parsers of their output. Pure. */
public sealed interface PackageManager permits Apt, Rpm {

    /** {@code apt}, {@code zypper}, {@code dnf} or {@code tdnf}. */
    String name();

    /** Environment that prevents questions. */
    Map<String, String> environment();

    /** Fetches the lists of packages. */
    List<String> refresh();

    /** Installs packages and what they need. */
    List<String> install(List<String> packages, Supply supply);

    /** Installs package files that lie on the node, without asking for what they need; each word may be a pattern. */
    List<String> installFiles(List<String> files);

    /** Prints which of these packages are installed; fails when some are not, and prints the others all the same. */
    List<String> listInstalled(List<String> packages);

    /** The packages of {@link #listInstalled}' answer. */
    List<String> parseInstalled(String answer);

    /** Prints what an update would change. */
    List<String> listUpdates(Install which);

    /** The packages of {@link #listUpdates}' answer, without those of the kernel when it is held. */
    List<String> parseUpdates(Install which, boolean holdKernel, String answer);

    /** Brings these packages up to date. */
    List<String> update(Install which, boolean holdKernel, List<String> packages, Supply supply);

    /** Prints the kernel packages that are installed, with their versions, one on a line. */
    List<String> listKernels();

    /** The kernel packages of {@link #listKernels}' answer, as {@code name version}. */
    List<String> parseKernels(String answer);

    /** Keeps these kernel packages from changing, also later; empty when nothing needs to be done. */
    List<String> holdKernel(List<String> kernels);

    /** Lets them change again; empty when nothing needs to be done. */
    List<String> releaseKernel(List<String> kernels);

    /** Whether a command of this manager did what it was asked for. */
    boolean succeeded(int exitStatus);

    /** Whether it did only a part, such as updating itself, and asks to be run again. */
    boolean wantsAnotherRun(int exitStatus);

    /** Whether it failed because another process is using it. */
    boolean isLocked(int exitStatus, String output);

    /** The packages of an MPI; empty when the distribution has none. */
    List<String> mpi(MpiFlavour flavour);

    /** The packages of Slurm's controller, node service and commands, and of munge; empty when the distribution has none. */
    List<String> slurm();

    /** The package of the Azure Linux agent. */
    String agent();
}
