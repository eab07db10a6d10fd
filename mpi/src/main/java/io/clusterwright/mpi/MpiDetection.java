package io.clusterwright.mpi;

import io.clusterwright.core.NodeSession;
import io.clusterwright.mpi.internal.launch.MpiDetector;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The MPIs of a node. Immutable. */
public final class MpiDetection {
    private final List<MpiInstallation> installations;
    private final @Nullable MpiInstallation plain;

    private MpiDetection(List<MpiInstallation> installations, @Nullable MpiInstallation plain) {
        this.installations = List.copyOf(installations);
        this.plain = plain;
    }

    /**
     * Searches a node, and asks each launcher that is there for its kind and version.
     *
     * @throws io.clusterwright.core.NodeUnreachableException when the node cannot be reached
     */
    public static MpiDetection of(NodeSession session) {
        return MpiDetector.examine(session);
    }

    /** These installations, without a plain {@code mpirun}. */
    public static MpiDetection of(List<MpiInstallation> installations) {
        return new MpiDetection(installations, null);
    }

    /** The same with a plain {@code mpirun}. */
    public MpiDetection withPlain(MpiInstallation mpi) {
        return new MpiDetection(installations, mpi);
    }

    /** Each installation once, those whose launcher has a distinct name (such as {@code mpirun.openmpi}) first. */
    public List<MpiInstallation> installations() {
        return installations;
    }

    /** The one that a plain {@code mpirun} leads to, where there is one. */
    public Optional<MpiInstallation> plain() {
        return Optional.ofNullable(plain);
    }

    /** The answer in one sentence, for people. */
    @Override
    public String toString() {
        String all = installations.stream()
                .map(mpi -> mpi + " (" + mpi.mpirun() + ")")
                .collect(Collectors.joining(", "));
        return switch (installations.size()) {
            case 0 -> "no MPI is installed";
            case 1 -> all + " is installed";
            default ->
                "several MPIs are installed: " + all
                        + (plain == null ? "; there is no plain mpirun" : "; plain mpirun is " + plain);
        };
    }
}
