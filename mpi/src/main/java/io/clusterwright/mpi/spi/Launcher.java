package io.clusterwright.mpi.spi;

import io.clusterwright.core.plan.Finding;
import io.clusterwright.core.type.InvalidValueException;
import io.clusterwright.mpi.job.LaunchFailure;
import io.clusterwright.mpi.job.MpiInstallation;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.regex.Pattern;

/**
 * Writes the commands of one family of MPI launchers. Implement it for an MPI whose mpirun has options of its own;
 * files of the command go to the {@link JobFolder}. Found through {@link java.util.ServiceLoader}.
 *
 * <pre>{@code
 * final class VendorLauncher implements Launcher {
 *     @Override
 *     public boolean supports(MpiInstallation mpi) {
 *         return mpi.mpirun().startsWith("/opt/vendor/");
 *     }
 *
 *     @Override
 *     public LaunchCommand command(LaunchRequest request) {
 *         StringBuilder hosts = new StringBuilder();
 *         for (LaunchNode node : request.usedNodes()) {
 *             hosts.append(node.address()).append(' ').append(node.slots()).append('\n');
 *         }
 *         String hostfile = request.folder().path("hosts");
 *         List<String> words =
 *                 new ArrayList<>(List.of(request.mpi().mpirun(), "-f", hostfile, "-n", "" + request.ranks()));
 *         words.addAll(request.rankProgram());
 *         return new LaunchCommand(words).withFile("hosts", hosts.toString());
 *     }
 * }
 * }</pre>
 *
 * <p>Pure: description in, command out; it runs nothing.
 */
public interface Launcher {

    /** Whether this launcher knows the command line of that installation. */
    boolean supports(MpiInstallation mpi);

    /**
     * The command of a job. A launcher that cannot place ranks refuses {@link LaunchRequest#ranksPerDomain()}, a {@link RanksPerDomain}.
     *
     * @throws InvalidValueException when the launcher cannot express the request
     */
    LaunchCommand command(LaunchRequest request);

    /**
     * Whether the launcher, given {@link LaunchRequest.LaunchOption#OVER_SESSIONS}, starts no helper itself and prints their commands. Most
     * print them as Hydra's manual launcher does: a line {@code HYDRA_LAUNCH: COMMAND} for each node in order, then {@code
     * HYDRA_LAUNCH_END}. Open MPI's prints {@code clusterwright-helper TOKEN ADDRESS COMMAND} for each node but the first, in any order.
     */
    default boolean launchesOverSessions(MpiInstallation mpi) {
        return false;
    }

    /** Whether the launcher starts all {@link LaunchRequest#parts()} of a job of several programs; by default only one program. */
    default boolean startsParts() {
        return false;
    }

    /**
     * The label that the launcher puts before each piece of a rank's output when {@link LaunchRequest.LaunchOption#LABEL_RANKS} is set: a
     * pattern whose group 1 is the rank. It may stand in the middle of a line. By default the launcher cannot label.
     */
    default Optional<Pattern> rankLabel(LaunchRequest request) {
        return Optional.empty();
    }

    /** The bytes to which the launcher cuts a labelled piece of output without a word; by default it cuts none. */
    default OptionalInt pieceLimit(LaunchRequest request) {
        return OptionalInt.empty();
    }

    /**
     * The node that a line of the launcher itself, without rank, says could not be used; by default no line says so. When a
     * node is reported so, the launcher is ended unless it ends by itself within 2 s.
     */
    default Optional<LaunchFailure> failure(String line) {
        return Optional.empty();
    }

    /** Whether the launcher reports ranks that fail in the words of {@code srun}; by default not. */
    default boolean reportsAsSrun() {
        return false;
    }

    /** The finding about a job that was not started, if a line of the launcher itself, without rank, says so; by default no line says so. */
    default Optional<Finding> refusal(String line) {
        return Optional.empty();
    }
}
