package io.clusterwright.mpi.job;

import io.clusterwright.core.type.ClusterwrightException;
import io.clusterwright.core.type.NodeName;
import java.util.List;

/**
 * The MPI a job needs is not on the launch node, or this library cannot start it. Catch it to install an MPI or to
 * choose another.
 *
 * @see JobFailedException
 */
public final class MpiNotFoundException extends ClusterwrightException {
    private static final long serialVersionUID = 1L;

    /** Creates the exception for an MPI that is not among those found. */
    public MpiNotFoundException(NodeName node, String wanted, List<MpiInstallation> found) {
        super("on " + node + " there is no " + wanted + " that can be started; found: "
                + (found.isEmpty() ? "no MPI at all" : found)
                + "; install one, such as the packages mpich or openmpi-bin");
    }
}
